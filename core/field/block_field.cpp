// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/field/block_field.h"

#include "core/base/parallel.h"
#include "core/base/text.h"

namespace vqscope {
namespace {

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

void summarize_row(const BlockView& view, const Lattice& lattice, Index i, const SummaryOptions& options,
                   Summary& out) {
  TileCounts partial(lattice.col_edges);
  TileCounts full(lattice.col_edges);
  std::vector<BlockRun> runs;
  const Range rows = lattice.tile(i, 0).rows;
  for (Index row = rows.begin; row < rows.end && !options.stop.stop_requested(); ++row) {
    view.row(row, runs);
    for (const BlockRun& run : runs)
      if (run.kind != BlockKind::empty) (run.kind == BlockKind::full ? full : partial).add(run.blocks);
  }
  const auto partials = partial.counts();
  const auto fulls = full.counts();
  for (Index j = 0; j < out.cols; ++j) {
    const auto at = static_cast<std::size_t>(i * out.cols + j);
    const Index some = partials[static_cast<std::size_t>(j)];
    const Index all = fulls[static_cast<std::size_t>(j)];
    const Index blocks = static_cast<Index>(lattice.tile(i, j).area());
    if (options.mean)
      out.mean[at] = static_cast<float>(static_cast<double>(some + 2 * all) / static_cast<double>(blocks));
    if (!options.extremes) continue;
    out.min[at] = some + all < blocks ? 0.0F : some > 0 ? 1.0F : 2.0F;
    out.max[at] = all > 0 ? 2.0F : some > 0 ? 1.0F : 0.0F;
  }
}

std::string span_text(Range range) { return to_text(range.begin) + " to " + to_text(range.end - 1); }

}  // namespace

void BlockField::read(const Rect& block, CellSpan out) const {
  std::visit(
      [&](auto cells) {
        using Cell = typename decltype(cells)::value_type;
        assert(cells.size() == block.area());
        std::vector<BlockRun> runs;
        Cell* line = cells.data();
        for (Index row = block.rows.begin; row < block.rows.end; ++row, line += block.cols.size()) {
          m_view.row(row, runs);
          for (const BlockRun& run : runs) {
            const Index begin = std::max(run.blocks.begin, block.cols.begin);
            const Index end = std::min(run.blocks.end, block.cols.end);
            if (begin < end) std::fill_n(line + (begin - block.cols.begin), end - begin, static_cast<Cell>(run.kind));
          }
        }
      },
      out);
}

Result<void> BlockField::summarize(const Lattice& lattice, const SummaryOptions& options, Summary& out) const {
  out.shape(lattice, options);
  parallel_for(out.rows, options.threads, [&](Index i) {
    if (!options.stop.stop_requested()) summarize_row(m_view, lattice, i, options, out);
  });
  return options.stop.stop_requested() ? Result<void>(cancelled()) : Result<void>();
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
  const auto& [name, meaning] = words[static_cast<int>(m_view.kind(row, col))];
  return {{{"queries", span_text(cells.rows)},
           {"keys", span_text(cells.cols)},
           {"visible", grouped_count(m_view.visible_cells(row, col)) + " of " + grouped_count(cells.area()) + " cells"},
           {"block", name}},
          std::string(name) + ": " + meaning};
}

}  // namespace vqscope
