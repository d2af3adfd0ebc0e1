// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/sentence.h"
#include "core/capture/rope/rope_of_capture.h"
#include "core/capture/rules/layer_rules.h"
#include "core/capture/rules/rule_tensor.h"
#include "core/capture/store/layer_positions.h"

#include <algorithm>
#include <cmath>

namespace vqscope {
namespace {

/// Of an entry; empty where the layer has none, or three axes.
Result<std::vector<Index>> position_ids_of(const Capture& capture, Index layer, Index entry) {
  const auto all = layer_positions(capture, layer);
  if (!all) return all.error();
  std::vector<Index> positions;
  if (all->size() != 1) return positions;
  const auto& entries = all->front();
  for (const double position : entries[static_cast<std::size_t>(std::min(entry, std::ssize(entries) - 1))])
    positions.push_back(static_cast<Index>(std::llround(position)));
  return positions;
}

}  // namespace

/// A query of a causal mask sees at most the keys at the positions up to its own: one that sees more
/// has a position that counts from another begin than its mask.
RuleAnswer mask_positions(const Capture& capture, Index layer, const std::stop_token& stop) {
  const auto mask = open_tensor(capture, layer, TensorRole::mask);
  if (!mask) return mask.error();
  std::optional<Finding> found;
  if (!*mask) return found;
  const Index samples = (*mask)->reading.extent[0];
  for (Index b = 0; b < samples; ++b) {
    const auto positions = position_ids_of(capture, layer, b);
    if (!positions) return positions.error();
    if (std::ssize(*positions) != (*mask)->reading.extent[2]) return found;
    for (Index row = 0; row < std::ssize(*positions); ++row) {
      if (stop.stop_requested()) return cancelled();
      const auto visible = visible_keys(**mask, b, 0, row);
      if (!visible) return visible.error();
      const auto count = std::ranges::count(*visible, true);
      const Index position = (*positions)[static_cast<std::size_t>(row)];
      const Index last =
          std::ssize(*visible) - 1 - (std::find(visible->rbegin(), visible->rend(), true) - visible->rbegin());
      const Index own = std::ssize(*visible) - std::ssize(*positions) + row;
      if (last > own) return std::optional<Finding>();  // not causal: keys may have any position
      if (found || count <= position + 1) continue;
      found =
          Finding{.rule = {},
                  .severity = Severity::error,
                  .row = row,
                  .key = last,
                  .sentence = fmt::format("query {} is at position {} by position_ids, and the mask shows it {} keys, "
                                          "up to key {}: more than have positions up to its own",
                                          row, position, count, last)};
      found->batch = b;
    }
    if (found) return found;
  }
  return found;
}

RuleAnswer turned_positions(const Capture& capture, Index layer, const std::stop_token& stop) {
  const auto positions = position_ids_of(capture, layer, 0);
  if (!positions) return positions.error();
  std::optional<Finding> found;
  if (positions->empty() || stop.stop_requested()) return found;
  const auto rope = which_rope_of_capture(capture, layer, 0);
  if (!rope || rope->positions.size() != 1 || rope->rope_type == "unknown") return found;
  const auto& turned = rope->positions.front();
  if (turned.size() != positions->size()) return found;
  const auto differs = std::ranges::mismatch(turned, *positions);
  if (differs.in1 == turned.end()) return found;
  const Index row = differs.in1 - turned.begin();
  found = Finding{
      .rule = {},
      .severity = Severity::error,
      .row = row,
      .key = {},
      .sentence = fmt::format("row {} is turned to position {}, position_ids say {}", row, *differs.in1, *differs.in2)};
  found->batch = 0;
  return found;
}

}  // namespace vqscope
