// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/schedule/view/reach_field.h"

#include "core/base/sentence.h"
#include "core/schedule/reach/layer_reach.h"
#include "core/schedule/text/layer_texts.h"

#include <algorithm>
#include <span>

namespace vqscope {
namespace {

/// Cells of each kind among the keys of one tile.
using KindCounts = std::array<Index, reach_kinds>;

void count_spans(std::span<const ReachSpan> spans, Range keys, KindCounts& counts) {
  Index rest = keys.size();
  for (const ReachSpan& span : spans) {
    const Index shared = std::max<Index>(0, common(span.keys, keys).size());
    counts[static_cast<std::size_t>(span.kind)] += shared;
    rest -= shared;
  }
  counts[0] += rest;
}

}  // namespace

std::string name_of(ReachKind kind) {
  switch (kind) {
    case ReachKind::none: return "does not reach";
    case ReachKind::indirect: return "through layers below";
    case ReachKind::direct: return "direct";
    case ReachKind::crossing: return "out of another document";
    case ReachKind::possible: return "possible, if an indexer selects it";
  }
  return {};
}

std::string reach_reason(const LayerSight& sight, const LayerReach& reach, Index layer, Index key) {
  const Index query = reach.query();
  const auto first = reach.first_layer(key);
  if (!first) return fmt::format("token {} does not reach query {} through {} layers", key, query, reach.layers());
  if (*first > layer)
    return fmt::format("token {} reaches query {} from layer {} on, not yet here", key, query, *first);
  if (key == query) return "the token itself";
  const auto path = shortest_path(sight, layer, query, key);
  const char* since = reach.kind(layer, key) == ReachKind::possible
                          ? "possible since layer {}, if indexers select what is on the path; a shortest path: {}"
                          : "since layer {}; a shortest path: {}";
  return fmt::format(fmt::runtime(since), *first, path ? path_text(*path) : path.error().message);
}

ReachField::ReachField(LayerSight sight, LayerReach reach) : m_sight(std::move(sight)), m_reach(std::move(reach)) {}

Result<void> ReachField::summarize(const TileGrid& grid, const SummaryOptions& options, Summary& out) const {
  out.shape(grid, options);
  out.exact = true;
  const auto cols = static_cast<std::size_t>(grid.cols());
  for (Index i = 0; i < grid.rows(); ++i) {
    if (options.stop.stop_requested()) return cancelled();
    std::vector<KindCounts> counts(cols, KindCounts{});
    for (Index layer = grid.row_edges[static_cast<std::size_t>(i)];
         layer < grid.row_edges[static_cast<std::size_t>(i) + 1]; ++layer) {
      const auto spans = m_reach.spans(layer);
      for (std::size_t j = 0; j < cols; ++j) count_spans(spans, {grid.col_edges[j], grid.col_edges[j + 1]}, counts[j]);
    }
    for (std::size_t j = 0; j < cols; ++j) {
      const auto tile = static_cast<std::size_t>(i) * cols + j;
      double sum = 0, cells = 0;
      float least = reach_kinds - 1, greatest = 0;
      for (std::size_t kind = 0; kind < reach_kinds; ++kind) {
        if (counts[j][kind] == 0) continue;
        least = std::min(least, static_cast<float>(kind));
        greatest = std::max(greatest, static_cast<float>(kind));
        sum += static_cast<double>(counts[j][kind]) * static_cast<double>(kind);
        cells += static_cast<double>(counts[j][kind]);
      }
      if (options.extremes) out.min[tile] = least, out.max[tile] = greatest;
      if (options.mean) out.mean[tile] = static_cast<float>(sum / cells);
    }
  }
  return {};
}

CellReport ReachField::report(Index row, Index col) const {
  const ModelLayer& layer = m_sight.schedule().layers[static_cast<std::size_t>(row)];
  CellReport report;
  report.facts = {{"layer", to_text(row)},
                  {"kind", kind_text(layer)},
                  {"token", to_text(col)},
                  {"query", to_text(m_reach.query())},
                  {"reach", name_of(m_reach.kind(row, col))}};
  if (m_sight.documents() > 1) report.facts.emplace_back("document", to_text(m_sight.document_number(col)));
  report.why = reach_reason(m_sight, m_reach, row, col);
  return report;
}

std::vector<std::pair<std::string, double>> ReachField::facts(const std::stop_token&) const {
  const Range last = m_reach.reach(m_reach.layers() - 1);
  const Index own = common(last, m_reach.document()).size();
  std::vector<std::pair<std::string, double>> facts{
      {"query", static_cast<double>(m_reach.query())},
      {"first_token", static_cast<double>(last.begin)},
      {"last_token", static_cast<double>(last.end - 1)},
      {"tokens", static_cast<double>(last.size())},
      {"tokens_of_other_documents", static_cast<double>(last.size() - own)}};
  const Range certain = m_reach.certain(m_reach.layers() - 1);
  if (certain != last) facts.emplace_back("tokens_possible", static_cast<double>(last.size() - certain.size()));
  return facts;
}

}  // namespace vqscope
