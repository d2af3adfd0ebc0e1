// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/capture/store/layer_tensor.h"

#include <vector>

namespace vqscope {

/// One row of a tensor; where it has one sample, head or row for all, that one.
Result<std::vector<float>> row_of(const LayerTensor& tensor, Index batch, Index head, Index row);

/// Which keys a query sees, from the mask of the layer.
Result<std::vector<bool>> visible_keys(const LayerTensor& mask, Index batch, Index head, Index row);

}  // namespace vqscope
