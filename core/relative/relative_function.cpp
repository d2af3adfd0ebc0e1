// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/relative/relative_function.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

namespace vqscope {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

bool both(const RelativePiece& a, const RelativePiece& b, PieceKind kind) { return a.kind == kind && b.kind == kind; }

std::pair<double, double> bounds_on(const RelativePiece& piece, Index first, Index last) {
  if (piece.kind == PieceKind::rough) return piece.bounds;
  return std::minmax({piece.at(static_cast<double>(first)), piece.at(static_cast<double>(last))});
}

/// The two pieces' difference from `begin` on. Bounds are those of what each can be anywhere on it.
RelativePiece piece_difference(const RelativePiece& a, const RelativePiece& b, Index begin, Index last) {
  if (a.kind == PieceKind::none || b.kind == PieceKind::none) return no_values_from(begin);
  RelativePiece piece{.begin = begin, .kind = PieceKind::rough};
  piece.at = [a = a.at, b = b.at](double d) { return a(d) - b(d); };
  if (both(a, b, PieceKind::constant)) {
    piece.kind = PieceKind::constant;
    return piece;
  }
  piece.fill = [a, b](Index first, std::span<double> out) {
    const auto values = [&](const RelativePiece& part, std::span<double> into) {
      if (part.fill) return part.fill(first, into);
      for (std::size_t i = 0; i < into.size(); ++i)
        into[i] = part.at(static_cast<double>(first + static_cast<Index>(i)));
    };
    values(a, out);
    std::vector<double> subtracted(out.size());
    values(b, subtracted);
    for (std::size_t i = 0; i < out.size(); ++i) out[i] -= subtracted[i];
  };
  const auto [a_low, a_high] = bounds_on(a, begin, last);
  const auto [b_low, b_high] = bounds_on(b, begin, last);
  piece.bounds = {a_low - b_high, a_high - b_low};
  piece.cost = a.cost + b.cost;
  return piece;
}

}  // namespace

RelativePiece no_values_from(Index begin) {
  return {.begin = begin, .kind = PieceKind::none, .at = [](double) { return nan; }};
}

RelativePiece constant_from(Index begin, double value) {
  return {.begin = begin, .kind = PieceKind::constant, .at = [value](double) { return value; }};
}

RelativePiece smooth_from(Index begin, std::function<double(double)> at) {
  return {.begin = begin, .kind = PieceKind::smooth, .at = std::move(at)};
}

const RelativePiece& RelativeFunction::piece_of(Index relative_position) const {
  return piece_at(even ? std::abs(relative_position) : relative_position);
}

const RelativePiece& RelativeFunction::piece_at(Index argument) const {
  const auto after = std::upper_bound(pieces.begin() + 1, pieces.end(), argument,
                                      [](Index d, const RelativePiece& piece) { return d < piece.begin; });
  return *(after - 1);
}

double RelativeFunction::at(Index relative_position) const {
  const Index argument = even ? std::abs(relative_position) : relative_position;
  return piece_at(argument).at(static_cast<double>(argument));
}

void RelativeFunction::fill(Index first, std::span<double> out) const {
  if (out.empty()) return;
  const Index end = first + static_cast<Index>(out.size());
  if (even && first < 0) {
    const auto mirrored = out.first(static_cast<std::size_t>(std::min<Index>(end, 0) - first));
    fill(1 - first - static_cast<Index>(mirrored.size()), mirrored);
    std::ranges::reverse(mirrored);
    return fill(first + static_cast<Index>(mirrored.size()), out.subspan(mirrored.size()));
  }
  for (Index d = first; d < end;) {
    const RelativePiece& piece = piece_of(d);
    const Index limit = &piece == &pieces.back() ? end : std::min(end, (&piece + 1)->begin);
    const auto part = out.subspan(static_cast<std::size_t>(d - first), static_cast<std::size_t>(limit - d));
    if (piece.fill)
      piece.fill(d, part);
    else
      for (double& value : part) value = piece.at(static_cast<double>(d++));
    d = limit;
  }
}

std::pair<double, double> RelativeFunction::bounds(Index first, Index last) const {
  if (even) {
    const Index reach = std::max(std::abs(first), std::abs(last));
    first = first <= 0 && last >= 0 ? 0 : std::min(std::abs(first), std::abs(last));
    last = reach;
  }
  std::pair<double, double> all{nan, nan};
  for (Index d = first; d <= last;) {
    const RelativePiece& piece = piece_of(d);
    const Index end = &piece == &pieces.back() ? last + 1 : std::min(last + 1, (&piece + 1)->begin);
    if (piece.kind != PieceKind::none) {
      const auto [low, high] = bounds_on(piece, d, end - 1);
      all = {std::fmin(all.first, low), std::fmax(all.second, high)};
    }
    d = end;
  }
  return all;
}

bool RelativeFunction::has(PieceKind kind) const {
  return std::ranges::any_of(pieces, [&](const RelativePiece& piece) { return piece.kind == kind; });
}

double RelativeFunction::cost() const { return std::ranges::max_element(pieces, {}, &RelativePiece::cost)->cost; }

RelativeFunction difference(const RelativeFunction& a, const RelativeFunction& b) {
  assert(a.even == b.even);
  std::vector<Index> begins;
  for (const auto* part : {&a, &b})
    for (const auto& piece : part->pieces) begins.push_back(piece.begin);
  std::ranges::sort(begins);
  begins.erase(std::unique(begins.begin(), begins.end()), begins.end());
  RelativeFunction result{{}, a.even};
  constexpr Index farthest = Index{1} << 34;  // beyond every sequence
  for (std::size_t i = 0; i < begins.size(); ++i) {
    const Index begin = begins[i];
    const Index last = i + 1 < begins.size() ? begins[i + 1] - 1 : farthest;
    result.pieces.push_back(piece_difference(a.piece_at(begin), b.piece_at(begin), begin, last));
  }
  return result;
}

}  // namespace vqscope
