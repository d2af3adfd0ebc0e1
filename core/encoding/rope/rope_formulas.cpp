// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/encoding/rope/rope_formulas.h"

#include <sleef.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace vqscope {
namespace {

/// torch's `pow` on the CPU is SLEEF's, which the C library's leaves by an ulp in some pairs of
/// some thetas; llama3's blend makes four of it.
float power(float base, float exponent) { return Sleef_powf_u10(base, exponent); }
long double power(long double base, long double exponent) { return std::pow(base, exponent); }

/// theta^(2i/d); the exponent is rounded before the power, as torch does.
template <class Numbers>
std::vector<typename Numbers::Real> powers(typename Numbers::Wide theta, Index rotated) {
  using Real = typename Numbers::Real;
  std::vector<Real> all;
  for (Index i = 0; i < rotated; i += 2)
    all.push_back(power(static_cast<Real>(theta), static_cast<Real>(i) / static_cast<Real>(rotated)));
  return all;
}

/// theta^(-2i/d). `1 / pow` in float32 equals torch bit for bit.
template <class Numbers>
std::vector<typename Numbers::Real> plain(typename Numbers::Wide theta, Index rotated) {
  auto all = powers<Numbers>(theta, rotated);
  for (auto& each : all) each = 1 / each;
  return all;
}

template <class Real>
RopeFrequencies widened(const std::vector<Real>& inv_freq, double attention_factor = 1) {
  return {{inv_freq.begin(), inv_freq.end()}, attention_factor};
}

/// Positions divided by `factor`, which is the same as frequencies divided by it.
template <class Numbers>
RopeFrequencies divided(const RopeScaling& s, typename Numbers::Wide factor) {
  auto inv_freq = plain<Numbers>(s.rope_theta, s.rotated());
  for (auto& each : inv_freq) each /= static_cast<typename Numbers::Real>(factor);
  return widened(inv_freq);
}

/// theta stretched so that the slowest pair is interpolated by `factor` and the fastest is left
/// alone.
template <class Wide>
Wide stretched_theta(const RopeScaling& s, Wide factor) {
  const auto d = static_cast<Wide>(s.rotated());
  return static_cast<Wide>(s.rope_theta) * std::pow(factor, d / (d - 2));
}

/// L / L_train, 1 while the sequence fits into the training length.
template <class Wide>
Wide length_ratio(const RopeScaling& s) {
  const Index length = std::max(s.seq_len, s.original_max_position_embeddings);
  return static_cast<Wide>(length) / static_cast<Wide>(s.original_max_position_embeddings);
}

/// The dimension pair, a real number, that makes `turns` turns within the training length.
template <class Wide>
Wide pair_of_turns(const RopeScaling& s, Wide turns) {
  const Wide original = static_cast<Wide>(s.original_max_position_embeddings);
  return static_cast<Wide>(s.rotated()) * std::log(original / (turns * 2 * std::numbers::pi_v<Wide>)) /
         (2 * std::log(static_cast<Wide>(s.rope_theta)));
}

/// 0 up to pair `low`, 1 from pair `high` on. The upper clamp is d - 1 and not d/2 - 1, as in every
/// implementation.
template <class Wide>
struct Ramp {
  Wide low, high;

  Ramp(const RopeScaling& s, double fast, double slow, bool truncate)
      : low(pair_of_turns<Wide>(s, fast)), high(pair_of_turns<Wide>(s, slow)) {
    if (truncate) low = std::floor(low), high = std::ceil(high);
    low = std::max<Wide>(low, 0);
    high = std::min(high, static_cast<Wide>(s.rotated() - 1));
    if (low == high) high += static_cast<Wide>(0.001);
  }
  template <class Real>
  Real at(std::size_t pair) const {
    const Real fraction = (static_cast<Real>(pair) - static_cast<Real>(low)) / static_cast<Real>(high - low);
    return std::clamp<Real>(fraction, 0, 1);
  }
};

/// The paper's ramp: linear in the turns within the training length, from 1 at beta_slow to 0 at
/// beta_fast.
template <class Real>
Real ramp_of_turns(const RopeScaling& s, Real inv_freq) {
  const Real turns = static_cast<Real>(s.original_max_position_embeddings) * inv_freq /
                     static_cast<Real>(2 * std::numbers::pi_v<long double>);
  const auto fast = static_cast<Real>(s.beta_fast);
  const auto slow = static_cast<Real>(s.beta_slow);
  return 1 - std::clamp<Real>((turns - slow) / (fast - slow), 0, 1);
}

double attention_factor_of(const RopeScaling& s) {
  return s.attention_factor > 0 ? s.attention_factor : default_attention_factor(s);
}

/// Kept at a ramp of 0, interpolated at 1; a `factor` below 1 keeps less.
template <class Real>
Real blended(Real interpolated, Real kept, Real ramp, double factor = 1) {
  const Real fraction = (1 - ramp) * static_cast<Real>(factor);
  return interpolated * (1 - fraction) + kept * fraction;
}

}  // namespace

double yarn_mscale(double factor, double mscale) { return factor <= 1 ? 1 : 0.1 * mscale * std::log(factor) + 1; }

double default_attention_factor(const RopeScaling& s) {
  if (s.rope_type == "yarn") {
    const bool ratio = s.mscale > 0 && s.mscale_all_dim > 0;
    return ratio ? yarn_mscale(s.factor, s.mscale) / yarn_mscale(s.factor, s.mscale_all_dim) : yarn_mscale(s.factor);
  }
  if (s.rope_type != "longrope" || s.factor <= 1) return 1;
  return std::sqrt(1 + std::log(s.factor) / std::log(static_cast<double>(s.original_max_position_embeddings)));
}

template <class Numbers>
RopeFrequencies default_rope(const RopeScaling& s) {
  return widened(plain<Numbers>(s.rope_theta, s.rotated()));
}

template <class Numbers>
RopeFrequencies linear_rope(const RopeScaling& s) {
  return divided<Numbers>(s, s.factor);
}

template <class Numbers>
RopeFrequencies ntk_rope(const RopeScaling& s) {
  using Wide = typename Numbers::Wide;
  return widened(plain<Numbers>(stretched_theta<Wide>(s, s.factor), s.rotated()));
}

template <class Numbers>
RopeFrequencies dynamic_linear_rope(const RopeScaling& s) {
  return divided<Numbers>(s, length_ratio<typename Numbers::Wide>(s));
}

template <class Numbers>
RopeFrequencies dynamic_rope(const RopeScaling& s) {
  using Wide = typename Numbers::Wide;
  const Wide factor = s.factor;
  const Wide length = static_cast<Wide>(std::max(s.seq_len, s.original_max_position_embeddings));
  const Wide segment = factor * length / static_cast<Wide>(s.original_max_position_embeddings) - (factor - 1);
  return widened(plain<Numbers>(stretched_theta<Wide>(s, segment), s.rotated()));
}

/// The authors' first version of YaRN: linear blends into NTK, and both into the plain frequencies.
template <class Numbers>
RopeFrequencies ntk_by_parts_rope(const RopeScaling& s) {
  using Real = typename Numbers::Real;
  using Wide = typename Numbers::Wide;
  const auto kept = powers<Numbers>(s.rope_theta, s.rotated());
  const auto stretched = powers<Numbers>(stretched_theta<Wide>(s, s.factor), s.rotated());
  const Ramp<Wide> to_linear(s, s.beta_0, s.beta_1, true);
  const Ramp<Wide> to_scaled(s, s.gamma_0, s.gamma_1, true);
  std::vector<Real> inv_freq;
  for (std::size_t i = 0; i < kept.size(); ++i) {
    const Real linear = 1 / (static_cast<Real>(s.factor) * kept[i]);
    const Real scaled = blended<Real>(linear, 1 / stretched[i], to_linear.template at<Real>(i), s.ntk_factor);
    inv_freq.push_back(blended<Real>(scaled, 1 / kept[i], to_scaled.template at<Real>(i), s.extrapolation_factor));
  }
  return widened(inv_freq);
}

template <class Numbers>
RopeFrequencies yarn_rope(const RopeScaling& s) {
  using Real = typename Numbers::Real;
  const auto kept = powers<Numbers>(s.rope_theta, s.rotated());
  const Ramp<typename Numbers::Wide> by_dimension(s, s.beta_fast, s.beta_slow, s.truncate);
  std::vector<Real> inv_freq;
  for (std::size_t i = 0; i < kept.size(); ++i) {
    const Real ramp = s.yarn_ramp == YarnRamp::rotation_count ? ramp_of_turns<Real>(s, 1 / kept[i])
                                                              : by_dimension.template at<Real>(i);
    inv_freq.push_back(blended<Real>(1 / (static_cast<Real>(s.factor) * kept[i]), 1 / kept[i], ramp));
  }
  return widened(inv_freq, attention_factor_of(s));
}

template <class Numbers>
RopeFrequencies longrope_rope(const RopeScaling& s) {
  using Real = typename Numbers::Real;
  const bool is_long = s.seq_len > s.original_max_position_embeddings;
  const auto& factors = is_long ? s.long_factor : s.short_factor;
  const double without_list = is_long ? s.factor : 1;
  std::vector<Real> inv_freq;
  for (const Real power : powers<Numbers>(s.rope_theta, s.rotated())) {
    const double factor = factors.empty() ? without_list : factors[inv_freq.size()];
    inv_freq.push_back(1 / (static_cast<Real>(factor) * power));
  }
  return widened(inv_freq, attention_factor_of(s));
}

template <class Numbers>
RopeFrequencies llama3_rope(const RopeScaling& s) {
  using Real = typename Numbers::Real;
  using Wide = typename Numbers::Wide;
  const Wide original = static_cast<Wide>(s.original_max_position_embeddings);
  const auto shortest_scaled = static_cast<Real>(original / static_cast<Wide>(s.low_freq_factor));
  const auto longest_kept = static_cast<Real>(original / static_cast<Wide>(s.high_freq_factor));
  const auto low = static_cast<Real>(s.low_freq_factor);
  const auto between = static_cast<Real>(static_cast<Wide>(s.high_freq_factor) - static_cast<Wide>(s.low_freq_factor));
  auto inv_freq = plain<Numbers>(s.rope_theta, s.rotated());
  for (auto& each : inv_freq) {
    const Real length = static_cast<Real>(2 * std::numbers::pi_v<Wide>) / each;
    const Real fraction = (static_cast<Real>(original) / length - low) / between;
    const Real scaled = each / static_cast<Real>(s.factor);
    if (length > shortest_scaled)
      each = scaled;
    else if (length >= longest_kept && between > 0)  // both factors the same: a step, nothing is blended
      each = (1 - fraction) * scaled + fraction * each;
  }
  return widened(inv_freq);
}

#define VQSCOPE_BOTH_NUMBERS(formula)                                 \
  template RopeFrequencies formula<ExactNumbers>(const RopeScaling&); \
  template RopeFrequencies formula<TorchNumbers>(const RopeScaling&)
VQSCOPE_BOTH_NUMBERS(default_rope);
VQSCOPE_BOTH_NUMBERS(linear_rope);
VQSCOPE_BOTH_NUMBERS(ntk_rope);
VQSCOPE_BOTH_NUMBERS(dynamic_linear_rope);
VQSCOPE_BOTH_NUMBERS(dynamic_rope);
VQSCOPE_BOTH_NUMBERS(ntk_by_parts_rope);
VQSCOPE_BOTH_NUMBERS(yarn_rope);
VQSCOPE_BOTH_NUMBERS(longrope_rope);
VQSCOPE_BOTH_NUMBERS(llama3_rope);
#undef VQSCOPE_BOTH_NUMBERS

}  // namespace vqscope
