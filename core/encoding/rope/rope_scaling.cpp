// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/encoding/rope/rope_scaling.h"

#include "core/base/sentence.h"

#include <numbers>

namespace vqscope {
namespace {

/// The parameter that decides the rotated size, with its value.
std::string rotated_text(const RopeScaling& s) {
  return (s.rotary_dim == 0 ? "head_dim is " : "rotary_dim is ") + to_text(s.rotated());
}

Result<void> check_ramp(const char* fast_name, double fast, const char* slow_name, double slow) {
  if (fast >= slow) return {};
  return invalid("{} is {} but must be at least {} = {}", fast_name, to_text(fast), slow_name, to_text(slow));
}

Result<void> check_yarn(const RopeScaling& s) {
  if (s.yarn_ramp == YarnRamp::rotation_count && s.beta_fast <= s.beta_slow)
    return invalid("beta_fast is {} but must be above beta_slow = {} with yarn_ramp rotation_count",
                   to_text(s.beta_fast), to_text(s.beta_slow));
  return {};
}

Result<void> check_ntk_by_parts(const RopeScaling& s) {
  if (auto checked = check_ramp("beta_0", s.beta_0, "beta_1", s.beta_1); !checked) return checked;
  return check_ramp("gamma_0", s.gamma_0, "gamma_1", s.gamma_1);
}

Result<void> check_llama3(const RopeScaling& s) {
  if (s.high_freq_factor >= s.low_freq_factor) return {};
  return invalid("high_freq_factor is {} but must be at least low_freq_factor = {}", to_text(s.high_freq_factor),
                 to_text(s.low_freq_factor));
}

Result<void> check_factors(const std::string& name, const std::vector<double>& factors, const RopeScaling& s) {
  const auto count = static_cast<Index>(factors.size());
  if (count == 0 || count == s.pairs()) return {};
  return invalid("{} has {} items but must have {}, one a pair, or none", name, count, s.pairs());
}

Result<void> check_longrope(const RopeScaling& s) {
  if (s.original_max_position_embeddings < 2)
    return invalid("original_max_position_embeddings is 1 but must be at least 2 with rope_type longrope");
  if (auto checked = check_factors("short_factor", s.short_factor, s); !checked) return checked;
  return check_factors("long_factor", s.long_factor, s);
}

}  // namespace

double wavelength(long double inv_freq) { return static_cast<double>(2 * std::numbers::pi_v<long double> / inv_freq); }

Result<void> RopeScaling::check() const {
  if (head_dim % 2 != 0) return invalid("head_dim is {} but must be even", head_dim);
  if (rotary_dim % 2 != 0) return invalid("rotary_dim is {} but must be even", rotary_dim);
  if (rotary_dim > head_dim)
    return invalid("rotary_dim is {} but must be at most head_dim = {}, or 0 to follow it", rotary_dim, head_dim);
  if (rope_theta <= 1) return invalid("rope_theta is {} but must be above 1", to_text(rope_theta));
  const bool segments = rope_type == "ntk" || rope_type == "dynamic" || rope_type == "ntk_by_parts";
  if (rotated() == 2 && segments)
    return invalid("{} but must be at least 4 with rope_type {}, whose exponent d/(d-2) has no value at d = 2",
                   rotated_text(*this), rope_type);
  if (rope_type == "yarn") return check_yarn(*this);
  if (rope_type == "ntk_by_parts") return check_ntk_by_parts(*this);
  if (rope_type == "llama3") return check_llama3(*this);
  if (rope_type == "longrope") return check_longrope(*this);
  return {};
}

}  // namespace vqscope
