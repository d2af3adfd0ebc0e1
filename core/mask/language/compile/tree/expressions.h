// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/language/compile/compilation.h"

namespace vqscope::language {

/// What an expression comes to in a scope.
Value compile_expression(Compilation& c, ExpressionId id, Scope& scope);

/// An integer or a truth value; no_node after an error.
NodeId compile_operand(Compilation& c, ExpressionId id, Scope& scope);

/// An operator between two values of any kind; `e` is where it is written.
Value compile_operation(Compilation& c, const Expression& e, const std::string& symbol, const Argument& left,
                        const Argument& right);

}  // namespace vqscope::language
