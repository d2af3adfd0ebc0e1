// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/language/parse/syntax.h"

#include <string>
#include <string_view>

namespace vqscope::language {

/// The sources of the masks of attention-gym and of transformers' masking_utils that a text uses by
/// name and does not define, with what they need; empty if there are none.
std::string library_for(const Syntax& syntax);

}  // namespace vqscope::language
