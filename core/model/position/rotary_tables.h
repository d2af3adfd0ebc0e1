// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/config/transformer_config.h"

#include <cstdint>
#include <span>
#include <vector>

namespace vqscope {

/// Cosines and sines [positions, head_dim / 2] for queries and keys, which differ only under xPos
/// (Sun et al. 2022,
/// section 3). Angles are computed in double.
template <class Real>
struct RotaryTables {
  std::vector<Real> query_cos;
  std::vector<Real> query_sin;
  std::vector<Real> key_cos;
  std::vector<Real> key_sin;
};

/// Empty if the config does not rotate.
template <class Real>
RotaryTables<Real> rotary_tables(const TransformerConfig& config, std::span<const std::int32_t> positions);

}  // namespace vqscope
