// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/language/compile/compilation.h"
#include "core/mask/language/compile/tensor/tensor_access.h"
#include "core/mask/language/compile/value.h"

#include <array>

namespace vqscope::language {

// Expressions and statements are nested, so the functions that compile them are mutually recursive:
// one header declares them all, grouped by file.

// expressions.cpp

/// The value of an expression in a scope.
Value compile_expression(Compilation& c, ExpressionId id, Scope& scope);

/// An integer or a truth value; no_node after an error.
NodeId compile_operand(Compilation& c, ExpressionId id, Scope& scope);

/// An operator between two values of any kind; `e` is where it is written.
Value compile_operation(Compilation& c, const Expression& e, const std::string& symbol, const Argument& left,
                        const Argument& right);

// statements.cpp

/// Compiles a statement, other than a return, in its scope.
void carry_out(Compilation& c, const Statement& statement, Scope& scope);

/// a = x; a, b = x
void assign_names(Compilation& c, const Statement& statement, Scope& scope);

/// Names whose use fails with `error` from here on.
void leave_out(const std::vector<std::string>& names, const SourceError& error, Scope& scope);

/// Assigns a value to one target, or one item to each of several targets.
void unpack(Compilation& c, const std::vector<std::string>& targets, bool unpacks, Value value, Range range,
            Scope& scope);

/// Assigns a value to a name, and the name to its node if that names a term.
void bind_name(Compilation& c, Scope& scope, const std::string& name, Value value);

// object_questions.cpp

/// x.append(y), x.fill_(y), torch.add(x, y, out=x): a call made for its effect.
bool changes_object(const Compilation& c, ExpressionId id);

/// The name of the object that such a call changes; empty if it has none.
std::string changed_name(const Compilation& c, ExpressionId id);

/// Makes the change. One that the mask language does not know is an error if the text made the
/// object, and nothing otherwise.
void change_object(Compilation& c, ExpressionId id, Scope& scope);

// control_flow.cpp

/// Result of the body of a function.
Value compile_body(Compilation& c, const Function& function, Scope& scope);

/// Result of the last statements of a text; none if they reach their end.
Value compile_rest(Compilation& c, const std::vector<Statement>& statements, Scope& scope);

// functions.cpp

/// def
void define_function(Compilation& c, const Statement& statement, Scope& scope);

/// A def or a lambda as a value, with the current values of its defaults.
const Callable* written_function(Compilation& c, const Function& function, Scope& scope);

/// The result of a function for some arguments.
Value apply(Compilation& c, const Callable& callable, const std::vector<Argument>& arguments, Range range);

/// The value of a parameter that a call does not give: its default at the function's definition.
Value default_value(Compilation& c, const Callable& callable, const Parameter& parameter);

/// Assigns a function's parameters in its scope.
void bind_arguments(Compilation& c, const Function& function, const Callable& callable,
                    const std::vector<Argument>& arguments, Range range, Scope& scope);

// calls.cpp

/// Whether a value is create_block_mask, also under another name such as its torch.compile.
bool makes_block_mask(const Value& value);

/// The function passed to a call of create_block_mask; no_expression: none.
ExpressionId mask_argument(const Expression& e);

/// The mask passed to flex_attention or scaled_dot_product_attention; no_expression: another call.
ExpressionId attention_mask(const Compilation& c, const Expression& e);

/// f(x), a.f(x), torch.f(x), create_block_mask(f, ...)
Value compile_call(Compilation& c, const Expression& e, Scope& scope);

/// The name that was most likely meant, or all names.
std::string advised(const std::string& name, const std::vector<std::string>& names, const std::string& before);

/// The arguments of a call, in order, with *x and **x unpacked.
std::vector<Argument> read_arguments(Compilation& c, const Expression& e, Scope& scope);

/// The argument of that name; null: not given.
const Argument* by_keyword(const std::vector<Argument>& arguments, std::string_view keyword);

/// Arguments of clamp: a value and one end or both.
struct ClampEnds {
  const Argument* value = nullptr;
  const Argument* low = nullptr;
  const Argument* high = nullptr;
};

/// The arguments of clamp, by position or by torch's or NumPy's names; empty after an error.
std::optional<ClampEnds> clamp_ends(Compilation& c, const std::vector<Argument>& arguments, Range range);

/// Fails because a function gets a wrong number of arguments.
Value takes(Compilation& c, const std::string& name, std::size_t wanted, std::size_t found, Range range);

// method_calls.cpp

/// a.f(x), torch.f(x); `callee` is a.f.
Value call_attribute(Compilation& c, const Expression& e, const Expression& callee, Scope& scope);

// known_functions.cpp

/// One of the functions of names/function_row.h.
Value apply_known(Compilation& c, const std::string& written, const Expression& e,
                  const std::vector<Argument>& arguments);

// list_functions.cpp

/// The name of the list [first, end, step] that slice() makes.
inline constexpr const char* slice_name = "slice";

// array_functions.cpp

/// x.shape, x.ndim, x.dtype, x.T; values and indices of a result of torch.sort.
Value array_attribute(Compilation& c, const std::string& name, const Argument& owner, Range range);

// elements.cpp

/// x[i], x[:, i], d[key]
Value compile_index(Compilation& c, const Expression& e, Scope& scope);

/// d[a, b] has the key (a, b).
Argument subscript_key(Compilation& c, const Expression& e, Scope& scope);

/// The subscripts between the brackets of an index.
std::vector<Subscript> subscripts_of(Compilation& c, const Expression& e, Scope& scope);

/// Whether an array's values are already known.
bool is_given(const Compilation& c, const Value& value);

/// The shape of an array. An array of a batch has its values for this b, and the length of a row in
/// every dimension.
Value shape_of(Compilation& c, const Value& given, Range range);

/// Value i of the unpacking a, b = x.
Value item_of(Compilation& c, const Value& all, Index i, Range range);

/// A list of known integers as an array; a free name as a given array.
Value as_array(Compilation& c, const Argument& argument);

// dictionaries.cpp

/// The text of a key; `depth` counts tuples in tuples.
DictionaryKey key_of(Compilation& c, const Argument& argument, int depth = 0);

/// An empty dictionary; none after an error.
Value new_dictionary(Compilation& c);

/// dict(pairs, name=value)
Value new_dictionary(Compilation& c, const std::vector<Argument>& arguments, Range range);

/// {key: value, **others}
Value compile_dictionary(Compilation& c, const Expression& e, Scope& scope);

/// dictionary[key] = value
void set_item(Compilation& c, const Value& dictionary, const Argument& key, const Value& value);

/// Adds the items of a dictionary, or of a list of pairs.
void join_dictionary(Compilation& c, const Value& to, const Argument& from);

/// The item of a dictionary under a key; empty: it does not have the key.
std::optional<Value> found_item(Compilation& c, const Value& dictionary, const Argument& key);

/// The same, but a missing key is an error.
Value item_at(Compilation& c, const Value& dictionary, const Argument& key);

/// {a, b}: a list of distinct items.
Value set_of(Compilation& c, const std::vector<Value>& items, Range range);

/// Names of dictionaries in which the text keeps masks and that it does not define: it tests
/// whether they have a key, and writes to them. They begin empty.
std::set<std::string> kept_dictionaries(const Syntax& syntax);

/// self.mask of `if self.mask is None: self.mask = ...`
std::set<std::string> made_once(const Syntax& syntax);

// generators.cpp

/// A list of Python; none after an error.
Value tuple_of(Compilation& c, std::vector<Value> items);

/// The items that a for iterates over.
std::vector<Value> items_in(Compilation& c, const Argument& argument);

/// The values of the elements of a list; *x is replaced by the elements of x.
std::vector<Value> items_of(Compilation& c, const std::vector<ExpressionId>& operands, Scope& scope);

/// value for name in list if condition
Value compile_generator(Compilation& c, const Expression& e, Scope& scope);

// comparisons.cpp

/// a < b, a < b < c, a is None, a in b
Value compile_comparison(Compilation& c, const Expression& e, Scope& scope);

/// Compares integers or fractions; `range` is the place of the comparison, `whole` the expression
/// for it.
Value compare_values(Compilation& c, const std::string& symbol, const Argument& left, const Argument& right,
                     Range range, Range whole);

/// The same for integers only; `written` is kept for the row debugger.
Value compare_integers(Compilation& c, const std::string& symbol, NodeId a, NodeId b, Comparison written, Range range);

// truth.cpp

/// Whether a value is true, if that is known before any cell is evaluated.
std::optional<bool> decided(Compilation& c, const Value& value);

/// Whether a node may differ by cell.
bool differs_by_cell(const Compilation& c, NodeId id);

/// `and`, `or`
Value compile_junction(Compilation& c, const Expression& e, Scope& scope);

/// `not`
Value compile_negation(Compilation& c, const Expression& e, Scope& scope);

/// a if condition else b
Value compile_ternary(Compilation& c, const Expression& e, Scope& scope);

/// operands: condition, yes, no
Value chosen(Compilation& c, Op op, Range range, std::array<NodeId, 3> operands);

/// One of two values of any kind, by cell.
Value either(Compilation& c, NodeId condition, const Argument& yes, const Argument& no, Range range, Op op);

/// Warns that Python's own words need one truth value of a tensor in torch.
void warn_of_tensors(Compilation& c, Range range, NodeId test, const std::string& word, const std::string& advice);

// fractions.cpp

/// How a fraction is rounded to an integer.
enum class Rounding { down, up, to_zero, to_even };

/// A fraction; the integer itself if the denominator is 1.
Value ratio_of(Compilation& c, const Value& numerator, NodeId denominator);

/// A number as a fraction.
Value as_ratio(Compilation& c, const Argument& argument);

/// An operator between numbers, at least one of which is a fraction.
Value fraction(Compilation& c, const Expression& e, const std::string& symbol, const Argument& left,
               const Argument& right);

/// Compares a fraction with an integer by its floor or ceiling, whatever the sign of the
/// denominator.
Value compare_fractions(Compilation& c, const std::string& symbol, const Value& left, const Value& right, Range range);

/// A fraction rounded to an integer.
Value rounded(Compilation& c, Rounding rounding, const Value& fraction, Range range);

}  // namespace vqscope::language
