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

/// Use of codes, each below n_code, by some keys. -1 marks an invalid key, which is not counted.
CodeUse code_use(std::span<const std::int32_t> codes, Index n_code);

}  // namespace vqscope
