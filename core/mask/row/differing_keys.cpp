// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/row/differing_keys.h"

#include "core/base/sentence.h"
#include "core/mask/row/row_search.h"

#include <algorithm>
#include <cassert>

namespace vqscope {
namespace {

Result<std::vector<Range>> differing_keys_of_row(const Mask& first, const Mask& second, Index q,
                                                 const std::stop_token& stop) {
  CountBudget budget{.left = most_steps_of_an_answer, .stop = stop};
  std::vector<Range> a;
  std::vector<Range> b;
  if (!read_row(first, q, budget, a) || !read_row(second, q, budget, b))
    return budget.error(fmt::format("comparing the keys of row {}", q));
  return differing_keys(a, b);
}

}  // namespace

std::vector<Range> differing_keys(std::span<const Range> first, std::span<const Range> second) {
  std::vector<Range> only_first;
  std::vector<Range> only_second;
  ranges_without(first, second, only_first);
  ranges_without(second, first, only_second);
  std::vector<Range> all(only_first.size() + only_second.size());
  std::ranges::merge(only_first, only_second, all.begin(), {}, &Range::begin, &Range::begin);
  return all;
}

Result<std::optional<MaskCell>> next_differing_run(const Mask& first, const Mask& second, MaskCell from, bool forwards,
                                                   const std::stop_token& stop) {
  assert(first.extent() == second.extent());
  if (0 <= from.q && from.q < first.extent().rows) {
    const auto runs = differing_keys_of_row(first, second, from.q, stop);
    if (!runs) return runs.error();
    const auto after = std::ranges::upper_bound(*runs, from.kv, {}, &Range::begin);
    const auto at = std::ranges::lower_bound(*runs, from.kv, {}, &Range::begin);
    if (forwards && after != runs->end()) return std::optional(MaskCell{from.q, after->begin});
    if (!forwards && at != runs->begin()) return std::optional(MaskCell{from.q, std::prev(at)->begin});
  }
  const auto row = next_row(first, {RowKind::differs, from.q, forwards, &second}, stop);
  if (!row) return row.error();
  if (!*row) return std::optional<MaskCell>();
  const auto runs = differing_keys_of_row(first, second, **row, stop);
  if (!runs) return runs.error();
  return std::optional(MaskCell{**row, (forwards ? runs->front() : runs->back()).begin});
}

}  // namespace vqscope
