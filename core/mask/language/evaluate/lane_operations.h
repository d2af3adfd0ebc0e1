// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/language/evaluate/lane_plan.h"

#include <algorithm>
#include <cstring>
#include <type_traits>

namespace vqscope::language {

/// f(a, b) in each lane.
template <class From, class To, class F>
void each(const From* a, const From* b, To* to, F f) {
  for (int i = 0; i < lane_count; ++i) to[i] = static_cast<To>(f(a[i], b[i]));
}

/// Operations with a loop of their own; the others are evaluated lane by lane.
template <class Int>
void integers(Op op, const Int* a, const Int* b, Int* to) {
  using Unsigned = std::make_unsigned_t<Int>;
  switch (op) {
    case Op::add:
      return each(a, b, to, [](Int x, Int y) { return static_cast<Unsigned>(x) + static_cast<Unsigned>(y); });
    case Op::subtract:
      return each(a, b, to, [](Int x, Int y) { return static_cast<Unsigned>(x) - static_cast<Unsigned>(y); });
    case Op::multiply:
      return each(a, b, to, [](Int x, Int y) { return static_cast<std::uint64_t>(x) * static_cast<std::uint64_t>(y); });
    case Op::minimum: return each(a, b, to, [](Int x, Int y) { return std::min(x, y); });
    case Op::maximum: return each(a, b, to, [](Int x, Int y) { return std::max(x, y); });
    case Op::bit_and: return each(a, b, to, [](Int x, Int y) { return x & y; });
    case Op::bit_or: return each(a, b, to, [](Int x, Int y) { return x | y; });
    case Op::bit_xor: return each(a, b, to, [](Int x, Int y) { return x ^ y; });
    case Op::absolute:
      return each(a, a, to, [](Int x, Int) { return x < 0 ? Unsigned{0} - static_cast<Unsigned>(x) : Unsigned(x); });
    case Op::negate: return each(a, a, to, [](Int x, Int) { return Unsigned{0} - static_cast<Unsigned>(x); });
    default: return each(a, b, to, [op](Int x, Int y) { return evaluate(op, x, y, 0); });
  }
}

/// Comparisons of two slots of integers.
template <class Int>
void comparison(Op op, const Int* a, const Int* b, Bool* to) {
  switch (op) {
    case Op::less: return each(a, b, to, [](Int x, Int y) { return x < y; });
    case Op::less_equal: return each(a, b, to, [](Int x, Int y) { return x <= y; });
    case Op::equal: return each(a, b, to, [](Int x, Int y) { return x == y; });
    default: return each(a, b, to, [op](Int x, Int y) { return evaluate(op, x, y, 0); });
  }
}

/// Operations on slots of truth values; `not` uses only the first.
inline void logic(Op op, const Bool* a, const Bool* b, Bool* to) {
  switch (op) {
    case Op::logical_and: return each(a, b, to, [](Bool x, Bool y) { return x & y; });
    case Op::logical_or: return each(a, b, to, [](Bool x, Bool y) { return x | y; });
    case Op::logical_xor: return each(a, b, to, [](Bool x, Bool y) { return x ^ y; });
    default: return each(a, a, to, [](Bool x, Bool) { return x ^ 1; });
  }
}

/// a ? b : c
template <class T>
void choose(const Bool* a, const T* b, const T* c, T* to) {
  for (int i = 0; i < lane_count; ++i) to[i] = a[i] != 0 ? b[i] : c[i];
}

/// Copies consecutive elements of an array; lanes beyond its end are unchanged.
template <class Int>
void read_block(const BoundArray& array, const std::vector<std::int32_t>& narrow, Index begin, Int* to) {
  const Index end = std::min(begin + Index{lane_count}, array.size());
  if constexpr (sizeof(Int) == sizeof(std::int32_t))
    if (!narrow.empty()) return void(std::copy(narrow.begin() + begin, narrow.begin() + end, to));
  if (!array.values().empty()) {
    for (Index i = begin; i < end; ++i) to[i - begin] = static_cast<Int>(array.values()[static_cast<std::size_t>(i)]);
    return;
  }
  for (std::size_t p = array.piece_index(begin); p < array.pieces().size(); ++p) {
    const ArrayPiece& piece = array.pieces()[p];
    if (piece.range.begin >= end) return;
    for (Index i = std::max(begin, piece.range.begin); i < std::min(end, piece.range.end); ++i)
      to[i - begin] = static_cast<Int>(piece.at(i));
  }
}

/// Elements of an array, 0 outside.
template <class Int>
void gather(const BoundArray& array, const Int* at, Int* to) {
  const Index size = array.size();
  for (int i = 0; i < lane_count; ++i) {
    const Index k = at[i];
    to[i] = k >= 0 && k < size ? static_cast<Int>(array.at(k)) : Int{0};
  }
}

/// 1 in the lanes [begin, end), clipped, 0 elsewhere.
inline void fill_segment(Index begin, Index end, Bool* to) {
  begin = std::clamp<Index>(begin, 0, Index{lane_count});
  end = std::clamp<Index>(end, begin, Index{lane_count});
  std::memset(to, 0, static_cast<std::size_t>(Index{lane_count}));
  std::memset(to + begin, 1, static_cast<std::size_t>(end - begin));
}

}  // namespace vqscope::language
