// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/schedule/reach/layer_reach.h"

#include "core/base/sentence.h"

#include <algorithm>
#include <array>

namespace vqscope {
namespace {

/// Both have a token in common.
Range joined(Range a, Range b) { return {std::min(a.begin, b.begin), std::max(a.end, b.end)}; }

/// Walks down from the query after `layer`. `levels` is scratch: levels[j] holds the tokens whose
/// states below layer j matter, all of them intervals around the query.
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

constexpr std::size_t most_cells = std::size_t{1} << 22;

/// The tokens from which `query` is reached in some number of hops or fewer, by level: level l is
/// what enters layer l. Empty where no path comes by.
using Levels = std::vector<Range>;

void add(Range& to, Range more) {
  if (more.size() <= 0) return;
  to = to.size() <= 0 ? more : Range{std::min(to.begin, more.begin), std::max(to.end, more.end)};
}

/// Finds how few hops it takes, then goes up from the key.
class PathSearch {
 public:
  PathSearch(const LayerSight& sight, Index layer, Index query, Index key)
      : m_sight(sight), m_top(layer + 1), m_query(query), m_key(key) {}

  Result<std::vector<ReachHop>> find(const std::stop_token& stop) {
    while (m_by_hops.empty() || !m_by_hops.back()[0].contains(m_key)) {
      if (stop.stop_requested()) return cancelled();
      if (std::ssize(m_by_hops) > m_top) return invalid("token {} does not reach token {}", m_key, m_query);
      if ((m_by_hops.size() + 1) * static_cast<std::size_t>(m_top + 1) > most_cells)
        return too_large("the path from token {} to token {} has more than {} steps", m_key, m_query, m_by_hops.size());
      add_hop();
    }
    return go_up();
  }

 private:
  void add_hop() {
    Levels levels(static_cast<std::size_t>(m_top) + 1, Range{0, 0});
    levels.back() = {m_query, m_query + 1};
    for (Index l = m_top - 1; l >= 0; --l) {
      add(levels[static_cast<std::size_t>(l)], levels[static_cast<std::size_t>(l) + 1]);
      if (m_by_hops.empty()) continue;
      const Range fewer = m_by_hops.back()[static_cast<std::size_t>(l) + 1];
      add(levels[static_cast<std::size_t>(m_sight.source_of(l))], m_sight.keys_of(l, fewer));
    }
    m_by_hops.push_back(std::move(levels));
  }

  bool reaches(std::size_t hops, Index level, Index token) const {
    return m_by_hops[hops][static_cast<std::size_t>(level)].contains(token);
  }

  /// The hop of `token`, an input of layer `level`, after which `hops` are left.
  ReachHop hop_from(Index level, Index token, std::size_t hops) const {
    for (Index layer = level; layer < m_top; ++layer) {
      if (m_sight.source_of(layer) != level) continue;
      const Range able = common(m_sight.queries_of(layer, token), m_by_hops[hops][static_cast<std::size_t>(layer) + 1]);
      if (able.size() > 0) return {layer, token, std::clamp(m_query, able.begin, able.end - 1)};
    }
    return {-1, token, token};
  }

  std::vector<ReachHop> go_up() const {
    std::vector<ReachHop> path;
    Index token = m_key, level = 0;
    for (std::size_t hops = m_by_hops.size() - 1; hops > 0; --hops) {
      // The state is kept as long as that leads on.
      while (level + 1 <= m_top && reaches(hops, level + 1, token)) ++level;
      const ReachHop hop = hop_from(level, token, hops - 1);
      path.push_back(hop);
      token = hop.query;
      level = hop.layer + 1;
    }
    return path;
  }

  const LayerSight& m_sight;
  Index m_top;  ///< level of the query
  Index m_query;
  Index m_key;
  std::vector<Levels> m_by_hops;
};

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

Result<std::vector<ReachHop>> shortest_path(const LayerSight& sight, Index layer, Index query, Index key,
                                            const std::stop_token& stop) {
  return PathSearch(sight, layer, query, key).find(stop);
}

std::string path_text(const std::vector<ReachHop>& path, std::size_t most) {
  if (path.empty()) return "the token itself";
  std::string words = fmt::format("token {}", path.front().key);
  for (std::size_t i = 0; i < path.size(); ++i) {
    if (path.size() > most && i + 1 < path.size() && i + 1 >= most) {
      if (i + 1 == most) words += fmt::format(" → … {} more …", path.size() - most);
      continue;
    }
    words += fmt::format(" → layer {} → token {}", path[i].layer, path[i].query);
  }
  return words;
}

}  // namespace vqscope
