// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/transformer_xl/xl_boundary.h"

#include "core/cells/band.h"

namespace vqscope {
namespace {

using ModularSum = std::uint64_t;

/// a / b rounded down, for b above 0.
Index quotient_below(Index a, Index b) { return a >= 0 ? a / b : -((b - 1 - a) / b); }
Index quotient_above(Index a, Index b) { return -quotient_below(-a, b); }

/// Sum of the numbers in a range; one factor is halved before the product, so that it is exact
/// modulo 2^64.
ModularSum sum_of(Range numbers) {
  auto count = static_cast<ModularSum>(numbers.size());
  auto ends = static_cast<ModularSum>(numbers.begin + numbers.end - 1);
  (count % 2 == 0 ? count : ends) /= 2;
  return count * ends;
}

}  // namespace

ModularSum XlBoundary::sum_in_segment(Range rows, Range cols) const {
  const Index still = std::max<Index>(rows.begin / segment_len * segment_len - before_segment, 0);
  return sum_below({-before_row, std::clamp(still, cols.begin, cols.end), cols.end}, rows, cols.end);
}

ModularSum XlBoundary::sum_of_segments(Range segments, Range cols) const {
  if (segments.size() <= 0) return 0;
  // In every segment, the boundary relative to the segment's first token is in [least, most].
  const Index least = std::max(-before_segment, -before_row);
  const Index most = std::max(-before_segment, segment_len - 1 - before_row);
  const auto within = [&](Index segment) { return std::clamp(segment, segments.begin, segments.end); };
  const Index left_end = within(quotient_below(cols.begin - most, segment_len) + 1);
  const Index right_begin = std::max(left_end, within(quotient_above(cols.end - least, segment_len)));
  const Index inside_begin = std::clamp(quotient_above(cols.begin - least, segment_len), left_end, right_begin);
  const Index inside_end = std::clamp(quotient_below(cols.end - most, segment_len) + 1, inside_begin, right_begin);

  const auto whole = static_cast<ModularSum>(segment_len);
  ModularSum sum = whole * static_cast<ModularSum>(left_end - segments.begin) * static_cast<ModularSum>(cols.begin) +
                   whole * static_cast<ModularSum>(segments.end - right_begin) * static_cast<ModularSum>(cols.end);
  const Range inside{inside_begin, inside_end};
  if (inside.size() > 0)
    sum += whole * whole * sum_of(inside) +
           static_cast<ModularSum>(inside.size()) *
               sum_below({-before_row, -before_segment, Ramp::far}, {0, segment_len}, Ramp::far);
  // On either side, the boundary crosses an edge of `cols` in at most two segments.
  for (const auto [begin, end] : {Range{left_end, inside_begin}, Range{inside_end, right_begin}})
    for (Index segment = begin; segment < end; ++segment)
      sum += sum_in_segment({segment * segment_len, (segment + 1) * segment_len}, cols);
  return sum;
}

ModularSum XlBoundary::cells_from(const Rect& cells) const {
  const auto all = static_cast<ModularSum>(cells.rows.size()) * static_cast<ModularSum>(cells.cols.end);
  const Index first = cells.rows.begin / segment_len;
  const Index last = (cells.rows.end - 1) / segment_len;
  if (before_segment >= never || first == last) return all - sum_in_segment(cells.rows, cells.cols);
  const Range head{cells.rows.begin, (first + 1) * segment_len};
  const Range tail{last * segment_len, cells.rows.end};
  return all - sum_in_segment(head, cells.cols) - sum_of_segments({first + 1, last}, cells.cols) -
         sum_in_segment(tail, cells.cols);
}

}  // namespace vqscope
