// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/language/compile/compilation.h"

namespace vqscope::language {

/// Carries a statement out in its scope; a return is none.
void carry_out(Compilation& c, const Statement& statement, Scope& scope);

/// a = x; a, b = x
void assign_names(Compilation& c, const Statement& statement, Scope& scope);

/// x.append(y), x.fill_(y): a call that is there for what it changes.
bool changes_object(const Compilation& c, ExpressionId id);

/// def
void define_function(Compilation& c, const Statement& statement, Scope& scope);

/// Names whose use fails with `error` from here on.
void leave_out(const std::vector<std::string>& names, const SourceError& error, Scope& scope);

/// What the body of a function gives back.
Value compile_body(Compilation& c, const Function& function, Scope& scope);

/// Gives targets their values: one the whole value, several one item each.
void unpack(Compilation& c, const std::vector<std::string>& targets, bool unpacks, Value value, Range range,
            Scope& scope);

/// Gives a name its value, and its node the name where that names a term.
void bind_name(Compilation& c, Scope& scope, const std::string& name, Value value);

/// A def or a lambda as a value, with its defaults as they are now.
const Callable* written_function(Compilation& c, const Function& function, Scope& scope);

}  // namespace vqscope::language
