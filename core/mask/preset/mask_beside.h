// SPDX-License-Identifier: GPL-3.0-or-later
// The mask that lies in a file beside q, k and v.
#pragma once

#include "core/base/index.h"
#include "core/base/work.h"

#include <optional>
#include <string>

namespace vqscope {

/// A mask that is not the causal one.
struct MaskBeside {
  std::string path;   ///< as import_mask() takes it
  std::string title;  ///< "capture.npz:mask"
  Extent extent;
  bool same_in_all_heads = true;
};

/// The mask in the file of `tensor`, FILE or FILE:NAME. `sample`: of a mask with a dimension of
/// samples, else the first index of the tensor's name. Nothing: the file has no mask, one that
/// cannot be read, or a causal one.
std::optional<MaskBeside> mask_beside(const std::string& tensor, std::optional<Index> sample = {},
                                      const Work& work = {});

}  // namespace vqscope
