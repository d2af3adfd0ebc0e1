// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/language/compile/compilation.h"

#include <array>

namespace vqscope::language {

/// Whether a value is true, where that is known before any cell is looked at.
std::optional<bool> decided(Compilation& c, const Value& value);

/// Whether a node may have another value in another cell.
bool differs_by_cell(const Compilation& c, NodeId id);

/// a < b, a < b < c, a is None, a in b
Value compile_comparison(Compilation& c, const Expression& e, Scope& scope);

/// Integers or fractions; `range` is where the comparison is written, `whole` what stands for it.
Value compare_values(Compilation& c, const std::string& symbol, const Argument& left, const Argument& right,
                     Range range, Range whole);

/// The same, of integers alone; `written` is kept for the row debugger.
Value compare_integers(Compilation& c, const std::string& symbol, NodeId a, NodeId b, Comparison written, Range range);

/// `and`, `or`
Value compile_junction(Compilation& c, const Expression& e, Scope& scope);

/// `not`
Value compile_negation(Compilation& c, const Expression& e, Scope& scope);

/// a if condition else b
Value compile_ternary(Compilation& c, const Expression& e, Scope& scope);

/// condition, yes, no
Value chosen(Compilation& c, Op op, Range range, std::array<NodeId, 3> operands);

/// One of two values of any kind, by cell.
Value either(Compilation& c, NodeId condition, const Argument& yes, const Argument& no, Range range, Op op);

/// torch asks a tensor for one truth value where Python's own words are used.
void warn_of_tensors(Compilation& c, Range range, NodeId asked, const std::string& word, const std::string& advice);

}  // namespace vqscope::language
