// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/language/compile/compilation.h"

namespace vqscope::language {

/// create_block_mask under another name, such as what torch.compile gives of it.
bool makes_block_mask(const Value& value);

/// The function that a call of create_block_mask is given; no_expression where it is given none.
ExpressionId mask_argument(const Expression& e);

/// The mask that flex_attention or scaled_dot_product_attention is called with; no_expression: it is none of them.
ExpressionId attention_mask(const Compilation& c, const Expression& e);

/// f(x), a.f(x), torch.f(x), create_block_mask(f, ...)
Value compile_call(Compilation& c, const Expression& e, Scope& scope);

}  // namespace vqscope::language
