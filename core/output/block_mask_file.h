// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/blocks/block_tensors.h"

#include <stop_token>
#include <string>
#include <vector>

namespace vqscope {

struct BlockMaskOptions {
  bool trim = true;
  bool force = false;  ///< also write a file of more than 2 GiB
};

/// Refuses a file that is neither .npz nor .safetensors.
Result<void> check_block_mask_files(const std::vector<std::string>& paths);

/// Writes the arrays of block_tensors(): all files or none, at most 4 GiB each.
Result<void> write_block_mask(const BlockMasks& masks, const BlockMaskOptions& options,
                              const std::vector<std::string>& paths, const std::stop_token& stop);

}  // namespace vqscope
