// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/sentence.h"
#include "core/capture/heads/attention_rows.h"
#include "core/capture/parity/recipe/told_model.h"
#include "core/capture/rules/layer_rules.h"
#include "core/capture/rules/rule_tensor.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

namespace vqscope {
namespace {

constexpr Index most_rows = 64;
constexpr Index most_visited_heads = Index{1} << 16;
/// A sum of many rounded weights may be off by so much.
constexpr double rounding_of_a_sum = 0.02;
/// Least weight that is none of rounding.
constexpr float least_weight = 1e-6F;

/// The same answer for a row ends the visit.
using VisitRow = std::function<Result<bool>(const LayerTensor& weights, Index batch, Index head, Index row)>;

/// Some rows of each head, or of some heads, until `visit` says that it has seen enough.
Result<void> visit_rows(const LayerTensor& weights, const std::stop_token& stop, const VisitRow& visit) {
  const auto& n = weights.reading.extent;
  const Index count = std::min(n[2], most_rows);
  const Index heads = n[0] * n[1], step = (heads - 1) / most_visited_heads + 1;
  for (Index head = 0; head < heads; head += step)
    for (Index i = 0; i < count; ++i) {
      if (stop.stop_requested()) return cancelled();
      const auto enough = visit(weights, head / n[1], head % n[1], i * n[2] / count);
      if (!enough) return enough.error();
      if (*enough) return {};
    }
  return {};
}

Finding finding_at(Index batch, Index head, Index row, std::optional<Index> key, std::string sentence) {
  Finding finding{.rule = {}, .severity = Severity::error, .row = row, .key = key, .sentence = std::move(sentence)};
  finding.batch = batch;
  finding.head = head;
  return finding;
}

}  // namespace

RuleAnswer masked_weight(const Capture& capture, Index layer, const std::stop_token& stop) {
  const auto weights = open_tensor(capture, layer, TensorRole::weights);
  if (!weights) return weights.error();
  const auto mask = open_tensor(capture, layer, TensorRole::mask);
  if (!mask) return mask.error();
  std::optional<Finding> found;
  if (!*weights || !*mask || (*weights)->reading.extent[3] != (*mask)->reading.extent[3]) return found;
  const auto visit = [&](const LayerTensor& tensor, Index b, Index h, Index row) -> Result<bool> {
    const auto values = row_of(tensor, b, h, row);
    if (!values) return values.error();
    const auto visible = visible_keys(**mask, b, h, row);
    if (!visible) return visible.error();
    // Of a row that sees nothing, engines make what they like.
    if (std::ranges::none_of(*visible, [](bool each) { return each; })) return false;
    for (std::size_t key = 0; key < values->size(); ++key)
      if ((*values)[key] > least_weight && !(*visible)[key]) {
        const auto k = static_cast<Index>(key);
        found = finding_at(b, h, row, k,
                           fmt::format("query {} has weight {} on key {}, which the mask hides", row,
                                       to_text(static_cast<double>((*values)[key]), 3), k));
        return true;
      }
    return false;
  };
  if (auto done = visit_rows(**weights, stop, visit); !done) return done.error();
  return found;
}

RuleAnswer row_sums(const Capture& capture, Index layer, const std::stop_token& stop) {
  const auto weights = open_tensor(capture, layer, TensorRole::weights);
  if (!weights) return weights.error();
  std::optional<Finding> found;
  if (!*weights) return found;
  const auto& n = (*weights)->reading.extent;
  const bool has_sinks = capture.info.config && told_model(capture, layer, 0, n[3]).sinks;
  Index rows = 0, below = 0;
  const auto visit = [&](const LayerTensor& tensor, Index b, Index h, Index row) -> Result<bool> {
    const auto values = row_of(tensor, b, h, row);
    if (!values) return values.error();
    const double sum = std::accumulate(values->begin(), values->end(), 0.0);
    if (!(sum > least_weight)) return false;  // it sees nothing, or it is NaN: another rule's
    ++rows;
    if (std::abs(sum - 1) <= rounding_of_a_sum) return false;
    if (sum < 1) ++below;
    if (sum < 1 && has_sinks) return false;
    if (!found)
      found =
          finding_at(b, h, row, {}, fmt::format("the weights of query {} sum to {}, not to 1", row, to_text(sum, 4)));
    return false;
  };
  if (auto done = visit_rows(**weights, stop, visit); !done) return done.error();
  if (found && rows > 1 && below == rows && !has_sinks)
    found->sentence += capture.info.config
                           ? ", as those of all rows that were read: a sink takes the rest, and the config has none"
                           : ", as those of all rows that were read: a sink takes the rest";
  return found;
}

}  // namespace vqscope
