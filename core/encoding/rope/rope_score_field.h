// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/encoding/phase/wave_sum.h"
#include "core/encoding/rope/rope_scaling.h"
#include "core/method/parameter.h"

#include <array>
#include <string_view>

namespace vqscope {

/// Waves of B(r) = Σ cos(r · inv_freq) with that scaling, times the square of its attention factor and `amplitude`.
/// It is half of q · k for q = k = ones, rotated: the unit of the curve `rope_score`.
std::vector<Wave> rope_waves(const RopeScaling& scaling, double amplitude = 1);

/// All of the angles that a plain RoPE needs.
inline constexpr std::array<std::string_view, 2> theta_and_dimension{"rope_theta", "head_dim"};

/// Those of rope_scaling_parameters that have one of these names.
std::vector<ParameterSpec> rope_parameters(std::span<const std::string_view> names);

/// The values used for a rotary_dim or seq_len of 0.
ParameterValues rope_lengths_in_force(const ParameterValues& values);

Result<void> check_rope(const ParameterValues& values);

}  // namespace vqscope
