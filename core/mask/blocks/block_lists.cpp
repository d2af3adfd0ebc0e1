// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/blocks/block_lists.h"

#include "core/base/parallel.h"
#include "core/base/sentence.h"
#include "core/mask/blocks/transposed_runs.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <utility>

namespace vqscope {
namespace {

constexpr Index segment = 64;                                  // rows of blocks that a thread takes at a time
constexpr Index most_blocks = Index{1} << 23;                  // of queries or of keys
constexpr std::uint64_t most_ranges = std::uint64_t{1} << 23;  // of a list: 64 MiB

/// Partial and full blocks of some rows of blocks.
struct Rows {
  ImportedRuns partial;
  ImportedRuns full;
};

/// The row's blocks of keys by their kind; those that a length cuts are partial.
class RowReader {
 public:
  explicit RowReader(const BlockView& view) : m_view(view) {
    const Extent cells = view.mask().extent();
    m_whole_rows = cells.rows / view.size().q;
    m_whole_cols = cells.cols / view.size().kv;
  }

  /// False once the budget is over.
  bool read(Index row, CountBudget& budget, Rows& out) {
    if (!m_view.row(row, budget, m_runs)) return false;
    m_partial.clear();
    m_full.clear();
    for (const BlockRun& run : m_runs) {
      if (run.kind == BlockKind::empty) continue;
      const bool may_be_full = run.kind == BlockKind::full && row < m_whole_rows;
      const Index whole = may_be_full ? std::min(run.blocks.end, m_whole_cols) : run.blocks.begin;
      append({run.blocks.begin, whole}, m_full);
      append({std::max(run.blocks.begin, whole), run.blocks.end}, m_partial);
    }
    out.partial.append(m_partial);
    out.full.append(m_full);
    return true;
  }

 private:
  static void append(Range blocks, std::vector<KeyInterval>& out) {
    if (blocks.size() <= 0) return;
    const KeyInterval next{static_cast<std::uint32_t>(blocks.begin), static_cast<std::uint32_t>(blocks.end)};
    if (!out.empty() && out.back().end == next.begin)
      out.back().end = next.end;
    else
      out.push_back(next);
  }

  const BlockView& m_view;
  Index m_whole_rows = 0;
  Index m_whole_cols = 0;
  std::vector<BlockRun> m_runs;
  std::vector<KeyInterval> m_partial;
  std::vector<KeyInterval> m_full;
};

void append_rows(const ImportedRuns& from, ImportedRuns& to) {
  for (std::size_t run = 0; run < from.run_count(); ++run) to.append(from.intervals_of(run), from.rows_of(run).size());
}

Error too_many_ranges() {
  return too_large("the block lists have more than {} ranges of blocks; use larger blocks or fewer tokens",
                   most_ranges);
}

/// All rows, or the error.
Result<Rows> read_rows(const BlockView& view, const BlockControl& control) {
  const Index rows = view.extent().rows;
  CountBudget budget{.left = control.most_steps, .stop = control.stop};
  const Index steps = view.row_steps();
  const auto error = [&](double steps_of_all) {
    return budget.error("finding out what is in these blocks", steps_of_all, "use larger blocks or fewer tokens");
  };
  if (rows > control.most_steps / steps) return error(static_cast<double>(rows) * static_cast<double>(steps));
  std::vector<Rows> parts(static_cast<std::size_t>((rows + segment - 1) / segment));
  std::atomic<Index> done = 0;
  std::atomic<std::uint64_t> ranges = 0;
  // A row of bands takes about a microsecond: waiting for another thread costs more.
  const int threads = view.mask().has_bands() ? 1 : control.threads;
  parallel_for(static_cast<Index>(parts.size()), threads, [&](Index part) {
    RowReader reader(view);
    Rows& out = parts[static_cast<std::size_t>(part)];
    const Range some{part * segment, std::min(rows, (part + 1) * segment)};
    std::uint64_t before = 0;
    for (Index row = some.begin; row < some.end; ++row) {
      if (ranges > most_ranges || !reader.read(row, budget, out)) return budget.give_up();
      const std::uint64_t now = out.partial.size() + out.full.size();
      ranges += now - before;
      before = now;
    }
    done += some.size();
    if (control.progress) control.progress(static_cast<double>(done) / static_cast<double>(rows));
  });
  if (control.stop.stop_requested()) return cancelled();
  if (ranges > most_ranges) return too_many_ranges();
  if (done < rows) return error(budget.steps_of_all(static_cast<double>(done) / static_cast<double>(rows)));
  Rows all;
  for (Rows& part : parts) {
    append_rows(part.partial, all.partial);
    append_rows(part.full, all.full);
    part = {};
  }
  return all;
}

}  // namespace

Result<BlockLists> make_block_lists(const BlockView& view, const BlockControl& control) {
  const Extent extent = view.extent();
  for (const auto& [count, side] : {std::pair(extent.rows, "queries"), std::pair(extent.cols, "keys")})
    if (count > most_blocks)
      return too_large("the mask has {} blocks of {}, at most {} are listed; use larger blocks", count, side,
                       most_blocks);
  auto rows = read_rows(view, control);
  if (!rows) return rows.error();
  BlockLists lists{view.size(), view.mask().extent(), std::move(rows->partial), std::move(rows->full), {}, {}};
  const std::array<std::pair<const ImportedRuns*, ImportedRuns*>, 2> sides{
      {{&lists.kv, &lists.q}, {&lists.full_kv, &lists.full_q}}};
  for (const auto& [from, to] : sides) {
    auto made = transposed_runs(*from, extent.cols, most_ranges, control.stop);
    if (control.stop.stop_requested()) return cancelled();
    if (!made) return too_many_ranges();
    *to = std::move(*made);
  }
  return lists;
}

BlockLists empty_block_lists(BlockSize size, Extent lengths) {
  const auto nothing = [](Index length, Index block) {
    ImportedRuns runs;
    runs.append({}, (length + block - 1) / block);
    return runs;
  };
  const ImportedRuns of_queries = nothing(lengths.rows, size.q);
  const ImportedRuns of_keys = nothing(lengths.cols, size.kv);
  return {size, lengths, of_queries, of_queries, of_keys, of_keys};
}

Index largest_count(const ImportedRuns& list) {
  Index largest = 0;
  for (std::size_t run = 0; run < list.run_count(); ++run) {
    Index count = 0;
    for (const KeyInterval& each : list.intervals_of(run)) count += Index{each.end} - Index{each.begin};
    largest = std::max(largest, count);
  }
  return largest;
}

}  // namespace vqscope
