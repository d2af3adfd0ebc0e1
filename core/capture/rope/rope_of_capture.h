// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/capture/rope/which_rope.h"
#include "core/capture/store/capture.h"

namespace vqscope {

/// The rotation between q and q_rot, k and k_rot of a layer, or of its cos and sin, in sample `batch`.
/// Of a cache, the rows of this step are looked at. At most 2^28 numbers of a tensor are read.
Result<WhichRope> which_rope_of_capture(const Capture& capture, Index layer, Index batch);

}  // namespace vqscope
