// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/map/block_field.h"

#include "core/base/parallel.h"
#include "core/base/sentence.h"
#include "core/cells/count_budget.h"
#include "core/field/cell_summary.h"

#include <array>
#include <atomic>

namespace vqscope {
namespace {

/// A report is made while the mouse moves: some milliseconds.
constexpr Index most_steps_of_a_report = Index{1} << 23;

/// How many blocks of one kind each tile of a row of tiles holds, from runs of them.
class TileCounts {
 public:
  explicit TileCounts(std::span<const Index> edges)
      : m_edges(edges), m_blocks(edges.size() - 1), m_whole_rows(edges.size()) {}

  void add(Range run) {
    run = {std::max(run.begin, m_edges.front()), std::min(run.end, m_edges.back())};
    if (run.size() <= 0) return;
    const std::size_t first = tile_with(run.begin);
    const std::size_t last = tile_with(run.end - 1);
    if (first == last) {
      m_blocks[first] += run.size();
      return;
    }
    m_blocks[first] += m_edges[first + 1] - run.begin;
    m_blocks[last] += run.end - m_edges[last];
    ++m_whole_rows[first + 1];
    --m_whole_rows[last];
  }

  std::vector<Index> counts() const {
    std::vector<Index> counts = m_blocks;
    Index rows = 0;
    for (std::size_t x = 0; x < counts.size(); ++x) {
      rows += m_whole_rows[x];
      counts[x] += rows * (m_edges[x + 1] - m_edges[x]);
    }
    return counts;
  }

 private:
  std::size_t tile_with(Index col) const {
    return static_cast<std::size_t>(std::ranges::upper_bound(m_edges, col) - m_edges.begin()) - 1;
  }

  std::span<const Index> m_edges;
  std::vector<Index> m_blocks;
  std::vector<Index> m_whole_rows;  ///< rows whose run covers tile x wholly, less those of tile x - 1
};

void summarize_row(const BlockView& view, const TileGrid& grid, Index i, const SummaryOptions& options,
                   CountBudget& budget, Summary& out) {
  TileCounts partial(grid.col_edges);
  TileCounts full(grid.col_edges);
  std::vector<BlockRun> runs;
  const Range rows = grid.tile(i, 0).rows;
  for (Index row = rows.begin; row < rows.end; ++row) {
    if (!view.row(row, budget, runs)) return budget.give_up();
    for (const BlockRun& run : runs)
      if (run.kind != BlockKind::empty) (run.kind == BlockKind::full ? full : partial).add(run.blocks);
  }
  const auto partials = partial.counts();
  const auto fulls = full.counts();
  for (Index j = 0; j < out.cols; ++j) {
    const auto at = static_cast<std::size_t>(i * out.cols + j);
    const Index some = partials[static_cast<std::size_t>(j)];
    const Index all = fulls[static_cast<std::size_t>(j)];
    const Index blocks = static_cast<Index>(grid.tile(i, j).area());
    if (options.mean)
      out.mean[at] = static_cast<float>(static_cast<double>(some + 2 * all) / static_cast<double>(blocks));
    if (!options.extremes) continue;
    out.min[at] = some + all < blocks ? 0.0F : some > 0 ? 1.0F : 2.0F;
    out.max[at] = all > 0 ? 2.0F : some > 0 ? 1.0F : 0.0F;
  }
}

/// Looks at two by two blocks of a tile.
bool sample_tile(const BlockView& view, const Rect& tile, std::size_t at, CountBudget& budget, Summary& out) {
  const auto looked_at = [](Range range) {
    return std::array{range.begin + range.size() / 4, range.end - 1 - range.size() / 4};
  };
  double sum = 0;
  float min = 2;
  float max = 0;
  for (const Index row : looked_at(tile.rows))
    for (const Index col : looked_at(tile.cols)) {
      const auto kind = view.kind(row, col, budget);
      if (!kind) return false;
      const auto value = static_cast<float>(*kind);
      sum += static_cast<double>(value) / 4;
      min = std::min(min, value);
      max = std::max(max, value);
    }
  if (!out.mean.empty()) out.mean[at] = static_cast<float>(sum);
  if (out.min.empty()) return true;
  out.min[at] = min;
  out.max[at] = max;
  return true;
}

std::string span_text(Range range) { return fmt::format("{} to {}", range.begin, range.end - 1); }

}  // namespace

double BlockField::at(Index row, Index col) const {
  CountBudget budget;
  return static_cast<double>(m_view.kind(row, col, budget).value_or(BlockKind::partial));
}

double BlockField::cell_cost() const {
  constexpr double steps_of_cost = 4;
  return m_view.mask().has_bands() ? 1 : static_cast<double>(m_view.kind_steps()) / steps_of_cost;
}

void BlockField::read(const Rect& block, CellSpan out) const {
  CountBudget budget;
  std::vector<BlockKind> kinds(static_cast<std::size_t>(block.area()));
  m_view.kinds(block, budget, kinds);
  std::visit(
      [&](auto cells) {
        using Cell = typename decltype(cells)::value_type;
        assert(cells.size() == kinds.size());
        std::ranges::transform(kinds, cells.begin(), [](BlockKind kind) { return static_cast<Cell>(kind); });
      },
      out);
}

Result<void> BlockField::summarize(const TileGrid& grid, const SummaryOptions& options, Summary& out) const {
  constexpr Index steps_of_cell = 64;  // what max_cells counts takes here, about, in nanoseconds
  constexpr Index least = Index{1} << 26;
  CountBudget budget{.left = std::max(least, options.max_cells * steps_of_cell), .stop = options.stop};
  if (grid.bounds().rows.size() <= budget.left / m_view.row_steps()) {
    out.shape(grid, options);
    std::atomic<Index> begun = 0;
    parallel_for(out.rows, options.threads, [&](Index i) {
      if (budget.is_over()) return;
      ++begun;
      summarize_row(m_view, grid, i, options, budget, out);
      if (is_hopeless(budget, static_cast<double>(begun) / static_cast<double>(out.rows))) budget.give_up();
    });
    if (options.stop.stop_requested()) return cancelled();
    if (!budget.is_over()) return {};
  }
  return sample(grid, options, out);
}

/// A few blocks of each tile.
Result<void> BlockField::sample(const TileGrid& grid, const SummaryOptions& options, Summary& out) const {
  if (options.exact_only) return too_large_to_visit(grid.bounds());
  out.shape(grid, options);
  out.exact = false;
  CountBudget budget{.left = most_steps_of_an_answer, .stop = options.stop};
  const double tiles = static_cast<double>(out.rows) * static_cast<double>(out.cols);
  const double least = 4 * tiles * static_cast<double>(m_view.kind_steps());
  const auto error = [&](double steps) {
    return budget.error("finding out what is in these blocks", steps,
                        "choose fewer rows and columns, smaller blocks or fewer tokens");
  };
  std::atomic<Index> done = 0;
  parallel_for(out.rows, options.threads, [&](Index i) {
    for (Index j = 0; j < out.cols && !budget.is_over(); ++j)
      if (sample_tile(m_view, grid.tile(i, j), static_cast<std::size_t>(i * out.cols + j), budget, out)) ++done;
  });
  if (options.stop.stop_requested()) return cancelled();
  if (done == out.rows * out.cols) return {};
  return error(std::max(least, budget.steps_of_all(static_cast<double>(done) / tiles)));
}

std::vector<std::pair<std::string, double>> BlockField::facts(const std::stop_token& stop) const {
  const auto counts = count_blocks(m_view, {.stop = stop});
  if (!counts) return {};
  return {{"full", static_cast<double>(counts->full)},
          {"partial", static_cast<double>(counts->partial)},
          {"empty", static_cast<double>(counts->empty)},
          {"sparsity", counts->sparsity()}};
}

CellReport BlockField::report(Index row, Index col) const {
  struct Words {
    const char* name;
    const char* meaning;
  };
  constexpr Words words[]{
      {"empty", "the kernel skips it"}, {"partial", "the mask is asked cell by cell"}, {"full", "no mask is needed"}};
  const Rect cells = m_view.cells(row, col);
  CountBudget budget{.left = most_steps_of_a_report};
  const auto visible = m_view.visible_cells(row, col, budget);
  CountBudget for_kind{.left = most_steps_of_a_report};
  const auto kind = m_view.kind(row, col, for_kind);
  CellReport report{{{"queries", span_text(cells.rows)}, {"keys", span_text(cells.cols)}}, {}};
  if (visible)
    report.facts.emplace_back("visible",
                              fmt::format("{} of {} cells", grouped_count(*visible), grouped_count(cells.area())));
  else
    report.facts.emplace_back("visible", "not counted: it takes too long");
  if (!kind) return report;
  const auto& [name, meaning] = words[static_cast<int>(*kind)];
  report.facts.emplace_back("block", name);
  report.why = fmt::format("{}: {}", name, meaning);
  return report;
}

}  // namespace vqscope
