// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/language/parse/syntax.h"

#include <string>
#include <string_view>

namespace vqscope::language {

/// The sources of the masks of attention-gym, of transformers' masking_utils, of Flax and of Splash
/// Attention that a text uses by name, alone or behind the name of a module, and does not define,
/// with what they need; empty if there are none.
std::string library_for(const Syntax& syntax);

/// Whether the library has a function of this name.
bool is_library_function(std::string_view name);

/// Whether these expressions, up to the first point, are a module or an object that the text does
/// not make: flax.linen.f, but not self.f.
bool is_of_module(const Expression& root);

}  // namespace vqscope::language
