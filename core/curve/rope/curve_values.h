// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"
#include "core/base/work.h"
#include "core/encoding/phase/turns.h"
#include "core/encoding/rope/rope_scaling.h"
#include "core/method/shared/number_type.h"

#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

namespace vqscope {

/// 2 ⌈d/2 · log_b(L / 2π)⌉ within [0, d] (Liu et al. 2024): dimensions of RoPE whose wavelength is
/// within a training length L, rounded up to a pair.
Index critical_dimension(Index rotary_dim, double base, Index trained);

/// d · max|h| / (32 ln b) (Chen et al. 2023, theorem 2.1, at its middle): between two whole
/// positions a score differs from the line between its values there by no more. max|h| is the
/// largest product of a pair of q and k.
double interpolation_bound(Index rotary_dim, double base, double max_h);

/// 2 d max|h|, the least that the bound on a score at any distance can be (Chen et al. 2023,
/// section 2.3, from Su et al. 2021, section 3.4.3): 2 max|h| Σ_k |Σ_{j<k} e^(i s θ_j)|, whose sum
/// is d or more.
double extrapolation_bound(Index rotary_dim, double max_h);

/// U(r) = 1/n Σ_{j=1..n} |Σ_{i<j} e^(i r · rate)| over n pairs (Su et al. 2021, section 3.4.3): by
/// Abel's summation no score at distance r exceeds n U(r) times the largest difference of
/// neighbouring pairs' products. U(0) = (n + 1) / 2.
double rope_bound(std::span<const Turns> rates, Index distance);

/// U of each of `distances`, whole numbers, within 1e-11 of rope_bound for 64 pairs. Stopped:
/// fewer.
std::vector<double> rope_bounds(std::span<const Turns> rates, std::span<const double> distances,
                                const std::stop_token& stop);

/// Mean over pairs of the share of the arc tested at length `length` that was not trained at
/// `original` positions: trained arc min(2π, θ (original - 1)) without scaling, tested arc min(2π,
/// θ' (length - 1)). At each length the scaling is set up for it: seq_len = length, and factor =
/// length / original unless the type follows seq_len by itself.
double phase_excess(const RopeScaling& scaling, Index length);

/// How many whole numbers are rounded to the same number as `position`; none has the same where it
/// is infinite.
Index positions_sharing(Index position, const NumberType& type);

/// B(r) = Σ cos(r · rate): the score of a token with itself r positions on, as RoPE alone decides
/// it. It depends on the difference of positions only. The definition.
double rope_score(std::span<const Turns> rates, Index distance);

/// B of each of `distances`, whole numbers in any order, within 1e-12 of rope_score for 64 pairs.
/// Where neighbours are evenly spaced, one apart or not, each costs a complex product a pair rather
/// than a cosine. Stopped: fewer.
std::vector<double> rope_scores(std::span<const Turns> rates, std::span<const double> distances,
                                const std::stop_token& stop);

/// Smallest r of [0, end) with B(r) < 0. Stretches over which no sum of minima reaches 0 are
/// skipped whole.
std::optional<Index> first_negative(std::span<const Turns> rates, Index end, const std::stop_token& stop);

/// Which bases are tried: from `from` in steps of `step` up to `to`, until one holds up to
/// `longest`.
struct BaseSearch {
  Index rotary_dim = 128;
  Index longest = 32768;
  double from = 1.01;
  double to = 1e9;
  double step = 1.001;
};

/// The smallest bases found, and how far the search went.
struct BaseBounds {
  struct Step {
    double base;
    Index length;  ///< B(r) >= 0 for every r below it, and for no smaller base that was tried
  };
  std::vector<Step> steps;  ///< both ascend
  double searched_up_to = 0;

  /// Smallest base tried with B(r) >= 0 for all r < length; NaN: none.
  double smallest(Index length) const;
};

/// Tries every base of the grid, because a larger base may fail where a smaller one holds. The
/// search ends early if it would take more than some seconds; see searched_up_to. `on_report`
/// receives partial results, as often as progress is reported.
BaseBounds base_bounds(const BaseSearch& search, const Work& work,
                       const std::function<void(const BaseBounds&)>& on_report = {});

/// rope_theta of the NTK-aware scaling by s: b · s^(d/(d−2)); d is above 2.
double ntk_base(double rope_theta, Index rotary_dim, double factor);

}  // namespace vqscope
