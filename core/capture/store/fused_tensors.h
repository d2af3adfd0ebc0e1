// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/capture/store/capture.h"

#include <optional>
#include <string_view>
#include <vector>

namespace vqscope {

/// q, k and v of a layer side by side in the columns of one tensor.
struct FusedTensor {
  Index layer = 0;
  CapturedTensor tensor;
};

/// The layer of a name of vLLM or SGLang, "model.layers.3.self_attn.qkv_proj". Nothing: another name.
std::optional<Index> fused_layer_of(std::string_view whole);

/// Adds the columns of q, k and v by the numbers of heads of the capture's config, where the capture does not
/// have them already; a remark where they cannot be told.
void split_fused(const std::vector<FusedTensor>& fused, Capture& capture);

}  // namespace vqscope
