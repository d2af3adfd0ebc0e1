// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/capture/parity/capture_comparison.h"

#include <algorithm>
#include <optional>

namespace vqscope {

double allowed_noise(TensorRole role, const std::map<TensorRole, TensorDifference>& before, double unit, double depth,
                     double positions) {
  // Other orders of summation leave many units of float32, but hide behind one rounding to a coarser type.
  const double rounding = unit > 1e-5 ? 1.3 * unit : 40 * 0x1p-24;
  const double alone = rounding * (1 + depth);
  const auto relative = [&](TensorRole of) -> std::optional<double> {
    const auto found = before.find(of);
    return found == before.end() ? std::nullopt : std::optional(found->second.relative);
  };
  const auto sum_of = [&](TensorRole one, TensorRole two) -> std::optional<double> {
    const auto x = relative(one), y = relative(two);
    return x || y ? std::optional(x.value_or(0) + y.value_or(0)) : std::nullopt;
  };
  const auto from = [&](std::optional<double> input, double growth, double own) {
    return input ? growth * *input + own : std::max(alone, own);
  };
  // Angles are products of position and frequency in float32 at best.
  const double turns = positions * 0x1p-25;
  const std::optional<double> scored = sum_of(TensorRole::q_rot, TensorRole::k_rot);
  const std::optional<double> vectors = scored ? scored : sum_of(TensorRole::q, TensorRole::k);
  switch (role) {
    case TensorRole::hidden_in: return alone;
    case TensorRole::q_proj:
    case TensorRole::k_proj:
    case TensorRole::v: return from(relative(TensorRole::hidden_in), 2, rounding);
    case TensorRole::q:
      return from(relative(TensorRole::q_proj) ? relative(TensorRole::q_proj) : relative(TensorRole::hidden_in), 2,
                  rounding);
    case TensorRole::k:
      return from(relative(TensorRole::k_proj) ? relative(TensorRole::k_proj) : relative(TensorRole::hidden_in), 2,
                  rounding);
    case TensorRole::q_rot: return from(relative(TensorRole::q), 1.4, rounding) + turns;
    case TensorRole::k_rot: return from(relative(TensorRole::k), 1.4, rounding) + turns;
    case TensorRole::mask: return 0;
    case TensorRole::bias: return rounding;
    case TensorRole::raw:
    case TensorRole::scores: return from(vectors, 3, 2 * rounding) + turns;
    case TensorRole::weights: return from(vectors, 3, 4 * rounding + alone) + 4 * turns;
    case TensorRole::out: {
      const double values = relative(TensorRole::v).value_or(0);
      const auto weights = relative(TensorRole::weights);
      return from(weights ? weights : vectors, weights ? 2 : 3, 2 * rounding + alone) + values + 4 * turns;
    }
    default: return from(sum_of(TensorRole::hidden_in, TensorRole::out), 2, 2 * alone);
  }
}

}  // namespace vqscope
