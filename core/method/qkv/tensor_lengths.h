// SPDX-License-Identifier: GPL-3.0-or-later
// Lengths that follow the tensors q, k and v where nothing sets them.
#pragma once

#include "core/method/parameter.h"

#include <optional>
#include <span>
#include <string_view>

namespace vqscope {

/// The value of `spec`, one of a method's `specs`, for tensors of so many tokens: the length of a
/// sequence is theirs; counts that must be below it, such as n_code, are a quarter of it if their
/// default is not; a training length and its multiple fit in it together. Nothing: `spec` is no
/// such length.
std::optional<Index> length_for_tensors(std::span<const ParameterSpec> specs, const ParameterSpec& spec, Index tokens);

/// Whether such a length cannot be longer than the tensors, by its name.
bool is_tensor_length(std::string_view name);

}  // namespace vqscope
