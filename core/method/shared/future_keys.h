// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/parameter.h"

#include <optional>

namespace vqscope {

/// `future_keys`: whether pictures mute the keys after the query, which a causal decoder never uses.
ParameterSpec future_keys_parameter();

/// FieldRecipe::decoder_past of a method with that parameter: its `past_len`, unless future keys are shown.
std::optional<Index> decoder_past_from(const ParameterValues& values);

}  // namespace vqscope
