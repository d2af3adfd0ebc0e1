// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/encoding/rope/rope_scaling.h"

namespace vqscope {

/// Every formula is written once, for two kinds of numbers: tensors hold Real, configuration values
/// are Wide.
struct ExactNumbers {
  using Real = long double;
  using Wide = long double;
};
/// torch computes tensors in float32, Python the scalars that enter them in float64.
struct TorchNumbers {
  using Real = float;
  using Wide = double;
};

/// One template a rope_type. The scaling has passed its check(); Numbers is ExactNumbers or
/// TorchNumbers.
template <class Numbers>
RopeFrequencies default_rope(const RopeScaling& scaling);
template <class Numbers>
RopeFrequencies linear_rope(const RopeScaling& scaling);
template <class Numbers>
RopeFrequencies ntk_rope(const RopeScaling& scaling);
template <class Numbers>
RopeFrequencies dynamic_linear_rope(const RopeScaling& scaling);
template <class Numbers>
RopeFrequencies dynamic_rope(const RopeScaling& scaling);
template <class Numbers>
RopeFrequencies ntk_by_parts_rope(const RopeScaling& scaling);
template <class Numbers>
RopeFrequencies yarn_rope(const RopeScaling& scaling);
template <class Numbers>
RopeFrequencies longrope_rope(const RopeScaling& scaling);
template <class Numbers>
RopeFrequencies llama3_rope(const RopeScaling& scaling);

/// m(s, c) of YaRN: 1 up to s = 1, then c/10 · ln s + 1.
double yarn_mscale(double factor, double mscale = 1);

/// Factor of cos and sin for yarn and longrope if attention_factor is automatic; otherwise 1.
double default_attention_factor(const RopeScaling& scaling);

}  // namespace vqscope
