// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/language/code/bound_array.h"

#include "core/base/sentence.h"
#include "core/mask/language/parse/arithmetic.h"

#include <algorithm>
#include <bit>

namespace vqscope::language {
namespace {

constexpr std::size_t block = 32;  ///< pieces

Bounds joined(Bounds a, Bounds b) { return {std::min(a.low, b.low), std::max(a.high, b.high)}; }

Bounds of_piece(const ArrayPiece& piece) { return {piece.first, piece.last()}; }

bool follows(Index before, Index next, Index slope) {
  if (slope == 0) return next == before;
  return next > before && static_cast<std::uint64_t>(next) - static_cast<std::uint64_t>(before) == 1;
}

/// The longest runs that are constant or increase by one, from the left. If an increasing run is
/// followed by a constant run, the shared value belongs to the constant run.
std::vector<ArrayPiece> encoded(std::span<const Index> values) {
  std::vector<ArrayPiece> pieces;
  const Index size = static_cast<Index>(values.size());
  const Index* v = values.data();
  for (Index begin = 0; begin < size;) {
    Index end = begin + 1;
    const bool climbs = end < size && follows(v[begin], v[end], 1) && (end + 1 >= size || v[end + 1] != v[end]);
    const Index slope = climbs ? 1 : 0;
    while (end < size && follows(v[end - 1], v[end], slope)) ++end;
    if (climbs && end < size && v[end] == v[end - 1]) --end;
    pieces.push_back({{begin, end}, v[begin], slope});
    begin = end;
  }
  return pieces;
}

Result<ArrayPtr> running_sum(const BoundArray& of) {
  std::vector<Index> sums;
  Index sum = 0;
  for (Index i = 0; i < of.size(); ++i) {
    const auto next = add(sum, of.at(i));
    if (!next) return invalid("the running sum does not fit in 64 bits at index {}", i);
    sums.push_back(sum = *next);
  }
  return ArrayPtr(std::make_shared<BoundArray>(std::move(sums)));
}

/// Element i is the number of values below i, or up to i; the last element holds for every larger
/// i.
Result<ArrayPtr> counts(const BoundArray& of, bool up_to) {
  std::vector<ArrayPiece> pieces;
  Index begin = 0;
  for (Index count = 0; count < of.size(); ++count) {
    const Index value = of.at(count);
    if (count > 0 && value < of.at(count - 1))
      return invalid("its boundaries must not decrease, found {} after {}", value, of.at(count - 1));
    const Index end = up_to ? value : add(value, 1).value_or(highest);
    if (end <= begin) continue;
    pieces.push_back({{begin, end}, count, 0});
    begin = end;
  }
  pieces.push_back({{begin, add(begin, 1).value_or(highest)}, of.size(), 0});
  return ArrayPtr(std::make_shared<BoundArray>(std::move(pieces)));
}

}  // namespace

BoundArray::BoundArray(std::vector<Index> values) : m_values(std::move(values)), m_pieces(encoded(m_values)) {
  index_bounds();
}

BoundArray::BoundArray(std::vector<ArrayPiece> pieces) : m_pieces(std::move(pieces)) { index_bounds(); }

std::size_t BoundArray::piece_index(Index i) const {
  const auto after = std::ranges::upper_bound(m_pieces, i, {}, [](const ArrayPiece& p) { return p.range.begin; });
  return static_cast<std::size_t>(after - m_pieces.begin()) - 1;
}

void BoundArray::index_bounds() {
  const std::size_t count = (m_pieces.size() + block - 1) / block;
  if (count < 2) return;
  std::vector<Bounds> level(count);
  for (std::size_t i = 0; i < count; ++i) {
    level[i] = of_piece(m_pieces[i * block]);
    for (std::size_t p = i * block; p < std::min(m_pieces.size(), (i + 1) * block); ++p)
      level[i] = joined(level[i], of_piece(m_pieces[p]));
  }
  m_blocks.push_back(std::move(level));
  for (std::size_t width = 1; 2 * width <= count; width *= 2) {
    const auto& below = m_blocks.back();
    std::vector<Bounds> next(count - 2 * width + 1);
    for (std::size_t i = 0; i < next.size(); ++i) next[i] = joined(below[i], below[i + width]);
    m_blocks.push_back(std::move(next));
  }
}

Bounds BoundArray::piece_bounds(std::size_t first, std::size_t last) const {
  Bounds found = of_piece(m_pieces[first]);
  std::size_t i = first;
  for (; i < last && i % block != 0; ++i) found = joined(found, of_piece(m_pieces[i]));
  if (const std::size_t blocks = (last - i) / block; blocks > 0) {
    if (m_blocks.empty()) {
      for (; i < last; ++i) found = joined(found, of_piece(m_pieces[i]));
      return found;
    }
    const auto level = static_cast<std::size_t>(std::bit_width(blocks)) - 1;
    const auto& bounds = m_blocks[level];
    const std::size_t begin = i / block;
    found = joined(found, joined(bounds[begin], bounds[begin + blocks - (std::size_t{1} << level)]));
    i += blocks * block;
  }
  for (; i < last; ++i) found = joined(found, of_piece(m_pieces[i]));
  return found;
}

Bounds BoundArray::bounds(Range range) const {
  const std::size_t first = piece_index(range.begin);
  const std::size_t last = piece_index(range.end - 1);
  const auto clipped = [&](const ArrayPiece& piece) -> Bounds {
    return {piece.at(std::max(piece.range.begin, range.begin)), piece.at(std::min(piece.range.end, range.end) - 1)};
  };
  Bounds found = joined(clipped(m_pieces[first]), clipped(m_pieces[last]));
  if (first + 1 < last) found = joined(found, piece_bounds(first + 1, last));
  return found;
}

Result<ArrayPtr> array_of_text(const ArrayUse& use, std::span<const ArrayPtr> before) {
  if (use.source == ArraySource::literal) return ArrayPtr(std::make_shared<BoundArray>(use.values));
  const BoundArray& of = *before[static_cast<std::size_t>(use.of)];
  if (use.source == ArraySource::running_sum) return running_sum(of);
  return counts(of, use.source == ArraySource::count_up_to);
}

}  // namespace vqscope::language
