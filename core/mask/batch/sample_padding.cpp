// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/batch/sample_padding.h"

#include "core/base/sentence.h"

#include <algorithm>
#include <map>

namespace vqscope {
namespace {

Result<SamplePadding> padding_of(std::span<const Index> row) {
  const auto wrong = std::ranges::find_if(row, [](Index value) { return value != 0 && value != 1; });
  if (wrong != row.end())
    return invalid("token {} is {} but must be 1 for a real token and 0 for padding", wrong - row.begin(), *wrong);
  const auto first = std::ranges::find(row, 1);
  const auto end = std::find(first, row.end(), 0);
  if (const auto again = std::find(end, row.end(), 1); again != row.end())
    return invalid("token {} is 0 between ones, and padding must be at one end", end - row.begin());
  const Index left = first - row.begin();
  const Index right = row.end() - end;
  if (first == row.end()) return SamplePadding{left, PaddingSide::right};
  if (left > 0 && right > 0)
    return invalid("tokens {} and {} are 0 on both sides of ones, and padding must be at one end", left - 1,
                   end - row.begin());
  return SamplePadding{left + right, left > 0 ? PaddingSide::left : PaddingSide::right};
}

/// A row of zeros before ones or ones before zeros.
struct PaddedRow {
  Range on;
  Index keys = 0;

  bool is_trivial() const { return on.size() == 0 || on.size() == keys; }
  /// Where ones and zeros meet.
  Index edge() const { return on.begin == 0 ? on.end : on.begin; }
  bool sees(Index key) const { return on.contains(key); }
};

/// All rows; nothing if one has another form.
std::optional<std::vector<PaddedRow>> padded_rows(const ImportedMask& on) {
  std::vector<PaddedRow> rows;
  const Extent extent = on.extent();
  std::vector<Range> row;
  for (Index q = 0; q < extent.rows; ++q) {
    on.row(q, row);
    if (row.size() > 1) return {};
    PaddedRow each{{}, extent.cols};
    if (!row.empty()) each.on = row.front();
    if (each.on.size() > 0 && each.on.begin != 0 && each.on.end != extent.cols) return {};
    rows.push_back(each);
  }
  return rows;
}

/// How many rows have their edge behind the query's own key, as causal masks have, inverted ones
/// too.
struct DiagonalRows {
  Index with_edge = 0;  ///< rows that are not all 0 or all 1
  Index follow = 0;     ///< those whose edge is behind their own key
  Index before = 0;     ///< rows with an edge, whose own key is before that of most rows
  Index follow_before = 0;
  Index capped = 0;  ///< rows behind the most frequent edge that have it: keys behind it are padding
};

/// `past`: the key of the first row.
DiagonalRows diagonal_rows(const std::vector<PaddedRow>& rows, Index past) {
  std::map<Index, Index> counts;
  for (const PaddedRow& row : rows)
    if (!row.is_trivial()) ++counts[row.edge()];
  DiagonalRows found;
  if (counts.empty()) return found;
  const Index most = std::ranges::max_element(counts, {}, [](const auto& count) { return count.second; })->first;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].is_trivial()) continue;
    const Index behind = past + static_cast<Index>(i) + 1;
    const bool follows = rows[i].edge() == behind;
    ++found.with_edge;
    found.follow += follows;
    found.before += behind < most;
    found.follow_before += follows && behind < most;
    found.capped += !follows && behind >= most && rows[i].edge() == most;
  }
  return found;
}

/// Whether most rows of a square matrix have their edge at their own key, whatever the others are;
/// behind the last real key that of the padding.
bool is_square_causal(const std::vector<PaddedRow>& rows) {
  const DiagonalRows found = diagonal_rows(rows, 0);
  if (found.follow > 0 && 2 * found.follow >= found.with_edge) return true;
  return found.before > 0 && 2 * found.follow_before >= found.before &&
         4 * (found.follow + found.capped) >= 3 * found.with_edge;
}

/// Whether the rows are the last queries of a causal mask: all of them, or most of at least four.
bool is_last_queries(const std::vector<PaddedRow>& rows, Index past) {
  constexpr Index enough = 4;
  const DiagonalRows found = diagonal_rows(rows, past);
  const auto count = static_cast<Index>(rows.size());
  if (rows.back().is_trivial() && found.follow == count - 1) return true;
  return found.follow >= enough && 4 * found.follow >= 3 * found.with_edge;
}

/// Whether the rows are all queries of a causal mask that is cut to the first `slots` keys: each edge
/// of it is there once, at its own key.
bool is_causal_cut_to(Index slots, const std::vector<PaddedRow>& rows) {
  const DiagonalRows found = diagonal_rows(rows, 0);
  return slots > 2 && found.follow == slots - 1 && found.with_edge == found.follow;
}

/// Whether the edges of a square matrix never go back and have every query's own key on one side,
/// as those of chunks and prefixes.
bool is_square_stairs(const std::vector<PaddedRow>& rows) {
  bool own_on = true;
  bool own_off = true;
  Index last = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const bool sees = rows[i].sees(static_cast<Index>(i));
    own_on = own_on && sees;
    own_off = own_off && !sees;
    if (rows[i].is_trivial()) continue;
    if (rows[i].edge() < last) return false;
    last = rows[i].edge();
  }
  return own_on || own_off;
}

}  // namespace

Result<std::vector<SamplePadding>> sample_padding(const SampleArray& attention_mask) {
  std::vector<SamplePadding> all;
  for (Index sample = 0; sample < attention_mask.samples(); ++sample) {
    const auto padding = padding_of(attention_mask.row(sample));
    if (!padding && attention_mask.is_table())
      return invalid("attention_mask: sample {}: {}", sample, padding.error().message);
    if (!padding) return invalid("attention_mask: {}", padding.error().message);
    all.push_back(*padding);
  }
  return all;
}

bool is_attention_mask(const ImportedMask& on) {
  constexpr Index most_samples = Index{1} << 22;
  const Extent extent = on.extent();
  if (extent.rows > most_samples) return false;
  const auto rows = padded_rows(on);
  if (!rows) return false;
  if (extent.rows < extent.cols) return !is_last_queries(*rows, extent.cols - extent.rows);
  if (extent.rows > extent.cols) return !is_causal_cut_to(extent.cols, *rows);
  return on.runs().run_count() > 1 && !is_square_causal(*rows) && !is_square_stairs(*rows);
}

std::vector<SamplePadding> sample_padding(const ImportedMask& on) {
  const Extent extent = on.extent();
  std::vector<SamplePadding> all;
  std::vector<Range> row;
  for (Index sample = 0; sample < extent.rows; ++sample) {
    on.row(sample, row);
    const Range real = row.empty() ? Range{} : row.front();
    all.push_back({extent.cols - real.size(), real.begin > 0 ? PaddingSide::left : PaddingSide::right});
  }
  return all;
}

}  // namespace vqscope
