// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/language/solve/query_key_sum.h"

#include "core/mask/language/parse/arithmetic.h"

#include <algorithm>

namespace vqscope::language {
namespace {

__extension__ using Wide = __int128;

bool set_bounds(Part& part, Wide low, Wide high) {
  constexpr Index limit = Index{1} << 60;
  if (low <= -limit || high >= limit) return false;
  part.bounds = {static_cast<Index>(low), static_cast<Index>(high)};
  return true;
}

}  // namespace

bool Part::is_stepwise() const {
  return std::ranges::all_of(*pieces, [](const ArrayPiece& p) { return p.slope == 0; });
}

bool scale(Part& part, Index factor) {
  const auto [low, high] = std::minmax({Wide{part.bounds.low} * factor, Wide{part.bounds.high} * factor});
  const auto product = multiply(part.factor, factor);
  const auto offset = multiply(part.offset, factor);
  if (!product || !offset || !set_bounds(part, low, high)) return false;
  part.factor = *product;
  part.offset = *offset;
  return is_moderate({part.factor, part.factor}) && is_moderate({part.offset, part.offset});
}

bool scale(Sum& sum, Index factor) { return scale(sum.f, factor) && scale(sum.g, factor); }

bool shift(Part& part, Index by) {
  const auto offset = add(part.offset, by);
  if (!offset) return false;
  part.offset = *offset;
  return is_moderate({part.offset, part.offset}) &&
         set_bounds(part, Wide{part.bounds.low} + by, Wide{part.bounds.high} + by);
}

bool add_pieces(Part& sum, const Part& other) {
  auto pieces = weighted_sum(*sum.pieces, sum.factor, *other.pieces, other.factor);
  if (!pieces) return false;
  Part made{std::make_shared<Pieces>(std::move(*pieces)), 1, 0, {}};
  const Index offset = sum.offset + other.offset;
  if (!set_bounds(made, Wide{sum.bounds.low} - sum.offset + other.bounds.low - other.offset,
                  Wide{sum.bounds.high} - sum.offset + other.bounds.high - other.offset))
    return false;
  if (made.pieces->size() == 1 && made.pieces->front().slope == 0) made = constant_part(made.pieces->front().first);
  sum = std::move(made);
  return shift(sum, offset);
}

}  // namespace vqscope::language
