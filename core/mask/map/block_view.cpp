// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/map/block_view.h"

#include "core/base/parallel.h"
#include "core/base/sentence.h"

#include <atomic>

namespace vqscope {
namespace {

Index blocks_of(Index length, Index size) { return (length + size - 1) / size; }

/// Change of coverage at a block, along a row of blocks.
struct BlockEvent {
  Index block = 0;
  std::uint64_t full_rows = 0;  ///< rows that see the blocks from here on wholly, less those up to here
  std::uint64_t cells = 0;      ///< of this block, seen by rows that do not see it wholly
};

/// Collects the bands of one row of blocks.
class RowOfBlocks {
 public:
  RowOfBlocks(Index kv_length, Index size) : m_length(kv_length), m_size(size) {}

  /// `rows` of the band, all within the row of blocks.
  void add(const Band& band, Range rows) {
    const Index begin = band.lo.at(rows.begin);
    const Index end = band.hi.at(rows.end - 1);
    if (begin >= end) return;
    const Range touched{begin / m_size, blocks_of(end, m_size)};
    Range full{blocks_of(band.lo.at(rows.end - 1), m_size), whole_blocks_before(band.hi.at(rows.begin))};
    if (full.size() <= 0) full = {touched.end, touched.end};
    count(band, rows, {touched.begin, full.begin});
    count(band, rows, {full.end, touched.end});
    if (full.size() <= 0) return;
    const auto height = static_cast<std::uint64_t>(rows.size());
    m_events.push_back({full.begin, height, 0});
    m_events.push_back({full.end, 0 - height, 0});
  }

  /// Calls append(blocks, visible cells of a block) for segments in order, whose blocks are alike.
  template <class Append>
  void walk(const Append& append) {
    std::ranges::sort(m_events, {}, &BlockEvent::block);
    Index next = 0;
    std::uint64_t full_rows = 0;
    for (std::size_t i = 0; i < m_events.size();) {
      const Index block = m_events[i].block;
      append_run({next, block}, full_rows, append);
      std::uint64_t cells = 0;
      for (; i < m_events.size() && m_events[i].block == block; ++i) {
        full_rows += m_events[i].full_rows;
        cells += m_events[i].cells;
      }
      next = block;
      if (cells == 0) continue;
      append(Range{block, block + 1}, cells + full_rows * static_cast<std::uint64_t>(width(block)));
      next = block + 1;
    }
    append_run({next, blocks_of(m_length, m_size)}, full_rows, append);
  }

 private:
  Index width(Index block) const { return std::min(m_length, (block + 1) * m_size) - block * m_size; }
  /// The last block may be short.
  Index whole_blocks_before(Index col) const { return col == m_length ? blocks_of(col, m_size) : col / m_size; }

  void count(const Band& band, Range rows, Range blocks) {
    if (blocks.size() <= 0) return;
    std::uint64_t before = band.cells_before(rows, blocks.begin * m_size);
    for (Index block = blocks.begin; block < blocks.end; ++block) {
      const std::uint64_t next = band.cells_before(rows, std::min(m_length, (block + 1) * m_size));
      if (next != before) m_events.push_back({block, 0, next - before});
      before = next;
    }
  }

  /// All but the last block are of one width.
  template <class Append>
  void append_run(Range blocks, std::uint64_t full_rows, const Append& append) const {
    const Index last = blocks_of(m_length, m_size) - 1;
    const Range whole{blocks.begin, std::min(blocks.end, last)};
    if (whole.size() > 0) append(whole, full_rows * static_cast<std::uint64_t>(m_size));
    if (blocks.begin <= last && last < blocks.end)
      append(Range{last, last + 1}, full_rows * static_cast<std::uint64_t>(width(last)));
  }

  Index m_length;
  Index m_size;
  std::vector<BlockEvent> m_events;
};

BlockKind block_kind_of(std::uint64_t visible, std::uint64_t area) {
  if (visible == 0) return BlockKind::empty;
  return visible == area ? BlockKind::full : BlockKind::partial;
}

BlockKind block_kind_of(Coverage coverage) {
  if (coverage == Coverage::none) return BlockKind::empty;
  return coverage == Coverage::all ? BlockKind::full : BlockKind::partial;
}

void append_run(Range blocks, BlockKind kind, std::vector<BlockRun>& out) {
  if (!out.empty() && out.back().kind == kind)
    out.back().blocks.end = blocks.end;
  else
    out.push_back({blocks, kind});
}

/// Whether a few cells, from corner to corner, differ.
bool is_partial(const Mask& mask, const Rect& cells, CountBudget& budget) {
  constexpr Index looks = 8;
  const Index steps = mask.look_steps();
  const bool first = mask.visible(cells.rows.begin, cells.cols.begin);
  for (Index i = 0; i < looks; ++i)
    for (Index j = 0; j < looks; ++j) {
      const Index q = cells.rows.begin + (cells.rows.size() - 1) * i / (looks - 1);
      const Index kv = cells.cols.begin + (cells.cols.size() - 1) * j / (looks - 1);
      if (!budget.spend(steps) || mask.visible(q, kv) != first) return true;
    }
  return false;
}

std::string extent_text(const Extent& extent) { return fmt::format("{} × {}", extent.rows, extent.cols); }

}  // namespace

BlockView::BlockView(std::shared_ptr<const Mask> mask, BlockSize size) : m_mask(std::move(mask)), m_size(size) {
  assert(size.q >= 1 && size.kv >= 1);
}

Extent BlockView::extent() const {
  return {blocks_of(m_mask->extent().rows, m_size.q), blocks_of(m_mask->extent().cols, m_size.kv)};
}

Rect BlockView::cells(Index row, Index col) const {
  const auto within = [](Index block, Index size, Index length) {
    return Range{block * size, std::min(length, (block + 1) * size)};
  };
  return {within(row, m_size.q, m_mask->extent().rows), within(col, m_size.kv, m_mask->extent().cols)};
}

std::optional<std::uint64_t> BlockView::visible_cells(Index row, Index col, CountBudget& budget) const {
  return m_mask->count_cells(cells(row, col), std::nullopt, budget);
}

std::optional<BlockKind> BlockView::kind(Index row, Index col, CountBudget& budget) const {
  const Rect block = cells(row, col);
  if (!m_mask->has_bands() && is_partial(*m_mask, block, budget))
    return budget.is_over() ? std::nullopt : std::optional(BlockKind::partial);
  const auto coverage = m_mask->certain_coverage(block, budget);
  return coverage ? std::optional(block_kind_of(*coverage)) : std::nullopt;
}

bool BlockView::works_by_rows() const {
  const Index row_steps = m_mask->row_cost() * steps_of_interval;
  return m_mask->has_bands() || m_size.q * row_steps < extent().cols * kind_steps();
}

Index BlockView::row_steps() const {
  constexpr Index band_steps = 200;  // of the few bands that most rows of blocks have
  if (m_mask->has_bands()) return band_steps;
  return band_steps +
         (works_by_rows() ? m_size.q * m_mask->row_cost() * steps_of_interval : extent().cols * kind_steps());
}

bool BlockView::kinds(const Rect& blocks, CountBudget& budget, std::span<BlockKind> out) const {
  assert(out.size() == blocks.area());
  std::vector<BlockRun> runs;
  auto line = out.begin();
  for (Index i = blocks.rows.begin; i < blocks.rows.end; ++i, line += blocks.cols.size()) {
    if (!works_by_rows()) {
      for (Index j = blocks.cols.begin; j < blocks.cols.end; ++j) {
        const auto known = kind(i, j, budget);
        if (!known) return false;
        line[j - blocks.cols.begin] = *known;
      }
      continue;
    }
    if (!row(i, budget, runs)) return false;
    for (const BlockRun& run : runs) {
      const Range some = common(run.blocks, blocks.cols);
      if (some.size() > 0) std::fill_n(line + (some.begin - blocks.cols.begin), some.size(), run.kind);
    }
  }
  return true;
}

bool BlockView::row_by_kinds(Index row, CountBudget& budget, std::vector<BlockRun>& out) const {
  for (Index col = 0; col < extent().cols; ++col) {
    const auto known = kind(row, col, budget);
    if (!known) return false;
    append_run({col, col + 1}, *known, out);
  }
  return true;
}

bool BlockView::row(Index row, CountBudget& budget, std::vector<BlockRun>& out) const {
  constexpr Index band_steps = 128;
  out.clear();
  if (!works_by_rows()) return row_by_kinds(row, budget, out);
  RowOfBlocks blocks(m_mask->extent().cols, m_size.kv);
  const Range rows = cells(row, 0).rows;
  std::vector<Band> scratch;
  const Range read = for_each_chunk(*m_mask, rows, budget, scratch, [&](Range chunk, std::span<const Band> bands) {
    for (const Band& band : bands)
      if (budget.spend(band_steps)) blocks.add(band, common(band.rows, chunk));
  });
  if (read != rows || budget.is_over()) return false;
  blocks.walk([&](Range some, std::uint64_t visible) {
    append_run(some, block_kind_of(visible, cells(row, some.begin).area()), out);
  });
  return true;
}

Result<BlockCounts> count_blocks(const BlockView& view, const BlockControl& control) {
  const Index rows = view.extent().rows;
  CountBudget budget{.left = control.most_steps, .stop = control.stop};
  const Error too_long =
      too_large("not counted: {} rows of blocks would take too long, about {}; use larger blocks or fewer tokens",
                grouped(rows), duration_of_steps(static_cast<double>(rows) * static_cast<double>(view.row_steps())));
  if (rows > control.most_steps / view.row_steps()) return too_long;
  std::atomic<std::uint64_t> counts[3]{};
  constexpr Index segment = 64;  // rows of blocks a thread takes at a time
  std::atomic<Index> done = 0;
  parallel_for((rows + segment - 1) / segment, control.threads, [&](Index part) {
    std::vector<BlockRun> runs;
    const Range some{part * segment, std::min(rows, (part + 1) * segment)};
    for (Index row = some.begin; row < some.end; ++row) {
      if (!view.row(row, budget, runs)) return budget.give_up();
      for (const BlockRun& run : runs)
        counts[static_cast<int>(run.kind)] += static_cast<std::uint64_t>(run.blocks.size());
    }
    done += some.size();
    if (control.progress) control.progress(static_cast<double>(done) / static_cast<double>(rows));
  });
  if (control.stop.stop_requested()) return cancelled();
  if (done < rows) return too_long;
  const auto count = [&](BlockKind kind) { return counts[static_cast<int>(kind)].load(); };
  return BlockCounts{count(BlockKind::full), count(BlockKind::partial), count(BlockKind::empty)};
}

std::string BlockCounts::sparsity_text() const {
  int digits = 3;
  std::string percent = to_text(100 * sparsity(), digits);
  while (percent == "100" && full + partial > 0 && digits < 17) percent = to_text(100 * sparsity(), ++digits);
  return percent + " %";
}

std::string BlockCounts::sentence() const {
  return fmt::format("{} full, {} partial, {} empty of {} blocks: {} sparse", grouped_count(full),
                     grouped_count(partial), grouped_count(empty), grouped_count(blocks()), sparsity_text());
}

std::optional<std::string> block_mask_reuse(Extent made_for, Extent used_with) {
  if (made_for == used_with) return std::nullopt;
  return fmt::format(
      "the block mask was created for {} queries × keys and is used with {}: its blocks do not describe these tokens, "
      "make it again for every new length",
      extent_text(made_for), extent_text(used_with));
}

}  // namespace vqscope
