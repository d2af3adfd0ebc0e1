// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"
#include "core/field/field.h"

#include <cstdint>
#include <vector>

namespace vqscope {

/// `count` of the positions 0, ..., noise_max_length - 1 in ascending order, every choice equally
/// likely (Ruoss et al. 2023, section 3). count must be from 1 to noise_max_length.
std::vector<Index> drawn_positions(Index count, Index noise_max_length, std::uint64_t seed);

/// Which of the four terms of Dai et al. 2019, section 3.3: (a), (b), (c), (d), or their sum.
enum class XlTerm { total, content, position, content_bias, position_bias };

struct TransformerXl {
  Index q_length = 1;
  Index mem_len = 0;  ///< keys before the first query; kv_length is q_length + mem_len
  Index d_head = 64;  ///< even
  Index clamp_len = 0;
  XlTerm term = XlTerm::total;
  bool future_as_code = false;  ///< ahead of the query: what the code's shift leaves there, not nothing
  std::uint64_t seed = 0;

  Index kv_length() const { return q_length + mem_len; }
};

}  // namespace vqscope
