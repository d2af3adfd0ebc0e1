// SPDX-License-Identifier: GPL-3.0-or-later
// Values that follow the tensors q, k and v where nothing sets them.
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

/// The same of everything that follows: lengths; `normalize`, with which scores are those of the model
/// that the tensors are from; and how codewords are learnt from them, the same in every method.
std::optional<ParameterValue> value_for_tensors(std::span<const ParameterSpec> specs, const ParameterSpec& spec,
                                                Index tokens);

/// Codewords that are learnt from tensors, unless the tensors have too few keys; and steps, and keys of a step.
inline constexpr Index codewords_for_tensors = 64;
inline constexpr Index steps_for_tensors = 100;
inline constexpr Index batch_for_tensors = 2048;
/// q·k / √d, as models without a norm of q and k have them; a value of `normalize`.
inline constexpr std::string_view norm_of_tensors = "scale";

/// Whether such a length cannot be longer than the tensors, by its name.
bool is_tensor_length(std::string_view name);

}  // namespace vqscope
