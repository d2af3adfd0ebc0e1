// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/io/tensor/safetensors_writer.h"
#include "core/model/pass/carried_state.h"
#include "core/model/tensors/named_tensors.h"

#include <optional>

namespace vqscope {

/// Appends the state of VQ attention: carried.tokens, and carried.layerN.* of each layer.
template <class Real>
void append_carried(const TransformerConfig& config, const CarriedState<Real>& state, std::vector<NamedTensor>& out);

/// Reads it; nothing if the file has none. Errors name the tensor that is missing or does not match.
template <class Real>
Result<std::optional<CarriedState<Real>>> read_carried(const NamedTensors& file, const TransformerConfig& config);

}  // namespace vqscope
