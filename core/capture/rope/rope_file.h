// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/capture/rope/which_rope.h"

#include <string>

namespace vqscope {

/// Names of the tensors of a file; empty: q with q_rot and k with k_rot, else cos with sin.
struct RopeTensorNames {
  std::string before;
  std::string after;
  std::string cos;
  std::string sin;
};

/// The rotation between tensors of a file: [B, H, T, d], [B, T, H, d], [H, T, d], [T, H, d] or [T, d]
/// before and after, of which the axis of rows is the one that explains them; tables [T, r] or
/// [T, r / 2], B in front allowed. Of a batch, sample `batch` is read. At most 2^28 numbers in all.
Result<WhichRope> which_rope_of_file(const std::string& path, const RopeTensorNames& names, Index batch);

}  // namespace vqscope
