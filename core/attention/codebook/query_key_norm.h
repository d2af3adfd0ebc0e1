// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/parameter.h"

#include <span>
#include <string_view>

namespace vqscope {

/// Normalisation of each query and key before their product.
enum class QueryKeyNorm {
  none,       ///< nothing: scores are q·k
  scale,      ///< times d_k^(-1/4): scores are q·k / √d_k, as models without a norm have them
  paper,      ///< LayerNorm without gain and bias, then times d_k^(-1/4) (Transformer-VQ, definition 3.1)
  paper_code  ///< the same without subtracting the mean, as the authors' code does
};

/// Normalises [rows, width] in place. With LayerNorm, rows without deviation become 0.
void normalize_rows(std::span<float> rows, Index width, QueryKeyNorm norm);

/// `normalize`, a choice; `default_value` is one of its ids.
ParameterSpec normalize_parameter(std::string_view default_value);
QueryKeyNorm norm_of(const ParameterValues& values);

}  // namespace vqscope
