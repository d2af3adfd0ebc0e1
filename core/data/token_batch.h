// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"

#include <cstdint>
#include <vector>

namespace vqscope {

/// The label of a token whose prediction is not scored.
inline constexpr std::int32_t ignored_label = -100;

/// Sequences of one length, row after row. labels[row, t] is the token that follows tokens[row, t], or ignored_label.
struct TokenBatch {
  Index rows = 0;
  Index length = 0;
  std::vector<std::int32_t> tokens;  ///< [rows, length]
  std::vector<std::int32_t> labels;  ///< [rows, length]

  friend bool operator==(const TokenBatch&, const TokenBatch&) = default;
};

}  // namespace vqscope
