// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/language/compile/compilation.h"

namespace vqscope::language {

/// The argument of a name; null: it is not given.
const Argument* by_keyword(const std::vector<Argument>& arguments, std::string_view keyword);

/// Of bucketize and searchsorted whether what equals a boundary lies behind it: right=True, side="right".
bool counts_up_to(Compilation& c, const std::vector<Argument>& arguments);

/// One of the known functions of known_names.h.
Value apply_known(Compilation& c, const std::string& given_name, const Expression& e,
                  const std::vector<Argument>& arguments);

/// Fails: a function is given another number of arguments than it takes.
Value takes(Compilation& c, const std::string& name, std::size_t wanted, std::size_t found, Range range);

/// cumsum(x), bucketize(x, boundaries, right=...), searchsorted(boundaries, x, right=..., side=...)
Value of_array(Compilation& c, const std::string& name, const Expression& e, const std::vector<Argument>& arguments);

}  // namespace vqscope::language
