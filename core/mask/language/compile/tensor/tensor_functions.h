// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/language/compile/tensor/tensor_call.h"

namespace vqscope::language {

/// A function of torch or NumPy of whole arrays, by its one name; nothing: there is none of this name. Refuses
/// arguments that the function does not look at.
std::optional<Value> apply_to_tensors(Compilation& c, TensorCall call);

}  // namespace vqscope::language
