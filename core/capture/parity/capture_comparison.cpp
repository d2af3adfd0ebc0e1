// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/capture/parity/capture_comparison.h"

#include "core/base/sentence.h"

#include <algorithm>
#include <cmath>

namespace vqscope {
namespace {

/// A row may be this many times noisier than the whole tensor.
constexpr double row_noise = 12;

/// What both captures rounded every tensor of vectors to: a finer tensor shows that the others were cast.
double common_unit(const std::map<TensorRole, TensorDifference>& tensors, const std::vector<TensorPair>& pairs) {
  double unit = 1;
  for (const auto& [role, difference] : tensors)
    if (role != TensorRole::mask) unit = std::min(unit, difference.unit);
  double stored = 0;
  for (const TensorPair& pair : pairs)
    if (pair.role != TensorRole::mask) stored = std::max(stored, pair.unit);
  return std::max(unit == 1 ? 0 : unit, stored);
}

bool is_beyond(const TensorDifference& difference, double allowed) {
  if (difference.mismatches > 0) return true;
  return difference.relative > allowed || difference.row > row_noise * allowed;
}

double largest_position(const Capture& capture, const std::vector<TensorPair>& pairs) {
  Index largest = capture.info.past;
  for (const Index position : capture.inputs.cache_position) largest = std::max(largest, position);
  for (const TensorPair& pair : pairs) largest = std::max(largest, pair.extent[2] + capture.info.past);
  return static_cast<double>(largest);
}

}  // namespace

std::string_view name_of(ParityVerdict verdict) {
  if (verdict == ParityVerdict::equal) return "equal";
  return verdict == ParityVerdict::noise ? "noise" : "differs";
}

const ComparedLayer* CaptureComparison::find(Index layer) const {
  for (const ComparedLayer& each : layers)
    if (each.layer == layer) return &each;
  return nullptr;
}

bool CaptureComparison::exceeds(Index layer, TensorRole role) const {
  const ComparedLayer* found = find(layer);
  const auto tensor = found ? found->tensors.find(role) : std::map<TensorRole, TensorDifference>::const_iterator();
  return found && tensor != found->tensors.end() && is_beyond(tensor->second, found->allowed.at(role));
}

Result<CaptureComparison> compared_captures(const Capture& a, const Capture& b, const Work& work,
                                            const std::function<void(const FirstDifference&)>& found) {
  CaptureComparison all;
  all.read_a = a.remarks;
  all.read_b = b.remarks;
  std::size_t done = 0;
  for (const auto& [layer, tensors] : a.layers) {
    work.report(static_cast<double>(done++) / static_cast<double>(a.layers.size()));
    if (!b.layers.contains(layer)) continue;
    const auto pairs = paired_tensors(a, b, layer, all.read_a, all.read_b);
    if (!pairs) return pairs.error();
    if (pairs->empty()) continue;
    ComparedLayer compared{layer, {}, {}};
    for (const TensorPair& pair : *pairs) {
      auto difference = difference_of(pair, work);
      if (!difference) return difference.error();
      if (!difference->identical() && all.verdict == ParityVerdict::equal) all.verdict = ParityVerdict::noise;
      compared.tensors.emplace(pair.role, *difference);
    }
    const double unit = common_unit(compared.tensors, *pairs), positions = largest_position(a, *pairs);
    all.unit = std::max(all.unit, unit);
    std::map<TensorRole, TensorDifference> before;
    for (const TensorPair& pair : *pairs) {
      const double allowed = allowed_noise(pair.role, before, unit, static_cast<double>(layer), positions);
      const TensorDifference& difference = compared.tensors[pair.role];
      compared.allowed[pair.role] = allowed;
      // Of what exceeds noise only as much as noise excuses what is made of it.
      before[pair.role] = difference;
      before[pair.role].relative = std::min(difference.relative, allowed);
      if (all.first || !is_beyond(difference, allowed)) continue;
      all.verdict = ParityVerdict::differs;
      const double cell = std::max(5 * allowed, 1e-6);
      auto first = first_difference(pair, cell, difference.rms_a, work);
      if (first && !*first) first = first_difference(pair, allowed, difference.rms_a, work);
      if (first && !*first) first = first_difference(pair, 0, 0, work);
      if (!first) return first.error();
      all.first = FirstDifference{layer, pair.role, first->value_or(DifferingCell{})};
      if (found) found(*all.first);
    }
    all.layers.push_back(std::move(compared));
  }
  if (all.layers.empty())
    return invalid("A and B have no tensor of a layer in common: A has {}, B has {}",
                   a.layers.size() == 1 ? "one layer" : to_text(std::ssize(a.layers)) + " layers",
                   b.layers.size() == 1 ? "one layer" : to_text(std::ssize(b.layers)) + " layers");
  return all;
}

}  // namespace vqscope
