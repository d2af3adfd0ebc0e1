// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/schedule/reach/layer_reach.h"

#include <algorithm>
#include <array>

namespace vqscope {
namespace {

/// Both have a token in common.
Range joined(Range a, Range b) { return {std::min(a.begin, b.begin), std::max(a.end, b.end)}; }

/// Walks down from the query after `layer`. `levels` is scratch: levels[j] holds the tokens whose states below layer j
/// matter, all of them intervals around the query.
Range walk_down(const LayerSight& sight, Index layer, Index query, std::vector<Range>& levels, bool certain = false) {
  const Range self{query, query + 1};
  levels.assign(static_cast<std::size_t>(layer) + 2, self);
  for (Index l = layer; l >= 0; --l) {
    const Range above = levels[static_cast<std::size_t>(l) + 1];
    Range& below = levels[static_cast<std::size_t>(l)];
    below = joined(below, above);  // the residual stream
    Range& source = levels[static_cast<std::size_t>(sight.source_of(l))];
    source = joined(source, certain ? sight.certain_keys_of(l, above) : sight.keys_of(l, above));
  }
  return levels[0];
}

}  // namespace

Range reach_after(const LayerSight& sight, Index layer, Index query) {
  std::vector<Range> levels;
  return walk_down(sight, layer, query, levels);
}

Result<LayerReach> LayerReach::make(const LayerSight& sight, Index query, const std::stop_token& stop) {
  LayerReach made(query, sight.document_of(query));
  std::vector<Range> levels;
  const bool selects = std::ranges::any_of(sight.schedule().layers, selects_keys);
  for (Index layer = 0; layer < sight.layers(); ++layer) {
    if (stop.stop_requested()) return cancelled();
    made.m_direct.push_back(sight.keys_of(layer, query));
    made.m_reach.push_back(walk_down(sight, layer, query, levels));
    made.m_certain_direct.push_back(sight.certain_keys_of(layer, query));
    made.m_certain.push_back(selects ? walk_down(sight, layer, query, levels, true) : made.m_reach.back());
  }
  return made;
}

ReachKind LayerReach::kind(Index layer, Index key) const {
  if (!reach(layer).contains(key)) return ReachKind::none;
  if (!m_document.contains(key)) return ReachKind::crossing;
  const auto at = static_cast<std::size_t>(layer);
  if (m_certain_direct[at].contains(key)) return ReachKind::direct;
  return m_certain[at].contains(key) ? ReachKind::indirect : ReachKind::possible;
}

std::vector<ReachSpan> LayerReach::spans(Index layer) const {
  const auto at = static_cast<std::size_t>(layer);
  const Range all = reach(layer), seen = m_certain_direct[at], sure = m_certain[at];
  std::array<Index, 8> ends{all.begin,  all.end,  m_document.begin, m_document.end,
                            seen.begin, seen.end, sure.begin,       sure.end};
  for (Index& end : ends) end = std::clamp(end, all.begin, all.end);
  std::ranges::sort(ends);
  std::vector<ReachSpan> spans;
  for (std::size_t i = 0; i + 1 < ends.size(); ++i)
    if (ends[i] < ends[i + 1]) {
      const ReachKind each = kind(layer, ends[i]);
      if (!spans.empty() && spans.back().kind == each)
        spans.back().keys.end = ends[i + 1];
      else
        spans.push_back({{ends[i], ends[i + 1]}, each});
    }
  return spans;
}

std::optional<Index> LayerReach::first_layer(Index key) const {
  const auto found = std::ranges::find_if(m_reach, [&](Range each) { return each.contains(key); });
  if (found == m_reach.end()) return std::nullopt;
  return found - m_reach.begin();
}

}  // namespace vqscope
