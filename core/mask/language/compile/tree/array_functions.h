// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/language/compile/compilation.h"

namespace vqscope::language {

/// x.shape, x.ndim, x.dtype, x.T; of what torch.sort gives values and indices.
Value array_attribute(Compilation& c, const std::string& name, const Argument& owner, Range range);

/// What a function of torch or NumPy gives where arrays are among its arguments, or it makes one.
std::optional<Value> apply_to_arrays(Compilation& c, const std::string& given_name, const std::string& name,
                                     const Expression& e, const std::vector<Argument>& arguments);

/// A method of a list of Python that changes it.
Value changed_list(Compilation& c, const std::string& name, const std::vector<Argument>& arguments, Range range);

}  // namespace vqscope::language
