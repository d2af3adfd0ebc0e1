// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/attention/attention_block.h"

#include <cstdint>

namespace vqscope {

/// Sizes of attention that takes old keys grouped by code. A block has keys.block keys.
struct LinearVqShape {
  AttentionShape keys;  ///< n_kv_heads = n_heads, scale 1; `columns` is columns() below
  Index n_code = 1;

  Index blocks() const { return (keys.length - 1) / keys.block + 1; }
  Index near_keys() const { return 2 * keys.block; }
  /// Number of weights of one query: keys of two blocks, then codes.
  Index columns() const { return near_keys() + n_code; }
};

/// Operands of one sequence. Queries and keys are [length, heads · head_dim], values
/// [length, heads · value_size].
template <class Real>
struct LinearVqOperands {
  const Real* q = nullptr;
  const Real* quantised = nullptr;  ///< each key's codeword
  const Real* v = nullptr;
  const Real* codebook = nullptr;       ///< [heads, n_code, head_dim]
  const std::int32_t* codes = nullptr;  ///< [heads, length]
  const Real* bias = nullptr;           ///< [heads, length] by distance; null: 0
};

}  // namespace vqscope
