// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"

#include <cstdint>
#include <span>

namespace vqscope {

/// How evenly keys use the codewords of a codebook.
struct CodeUse {
  double perplexity = 0;  ///< exp of the entropy of the codes: the effective number in use; 0 without a key
  Index used = 0;         ///< codes with a key
};

/// Of the codes of some keys, each below n_code; -1 counts nothing: the key is not valid.
CodeUse code_use(std::span<const std::int32_t> codes, Index n_code);

}  // namespace vqscope
