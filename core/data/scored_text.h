// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"

#include <cstdint>
#include <vector>

namespace vqscope {

/// A text of bytes, of which some are answers: they can be known from earlier text only.
struct ScoredText {
  std::vector<std::int32_t> tokens;
  std::vector<bool> answers;  ///< of each token; empty: the text asks nothing

  void put(Index token, bool is_answer) {
    tokens.push_back(static_cast<std::int32_t>(token));
    answers.push_back(is_answer);
  }
};

}  // namespace vqscope
