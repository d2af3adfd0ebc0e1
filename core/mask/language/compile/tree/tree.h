// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/language/compile/compilation.h"
#include "core/mask/language/compile/dictionary.h"
#include "core/mask/language/compile/tensor/tensor_access.h"

#include <array>

namespace vqscope::language {

// Expressions and statements lie within each other, so the functions that compile them call each other in a circle:
// one header declares them all, by the file that has them.

// expressions.cpp

/// What an expression comes to in a scope.
Value compile_expression(Compilation& c, ExpressionId id, Scope& scope);

/// An integer or a truth value; no_node after an error.
NodeId compile_operand(Compilation& c, ExpressionId id, Scope& scope);

/// An operator between two values of any kind; `e` is where it is written.
Value compile_operation(Compilation& c, const Expression& e, const std::string& symbol, const Argument& left,
                        const Argument& right);

// statements.cpp

/// Carries a statement out in its scope; a return is none.
void carry_out(Compilation& c, const Statement& statement, Scope& scope);

/// a = x; a, b = x
void assign_names(Compilation& c, const Statement& statement, Scope& scope);

/// x.append(y), x.fill_(y): a call that is there for what it changes.
bool changes_object(const Compilation& c, ExpressionId id);

/// Names whose use fails with `error` from here on.
void leave_out(const std::vector<std::string>& names, const SourceError& error, Scope& scope);

/// Gives targets their values: one the whole value, several one item each.
void unpack(Compilation& c, const std::vector<std::string>& targets, bool unpacks, Value value, Range range,
            Scope& scope);

/// Gives a name its value, and its node the name where that names a term.
void bind_name(Compilation& c, Scope& scope, const std::string& name, Value value);

// control_flow.cpp

/// What the body of a function gives back.
Value compile_body(Compilation& c, const Function& function, Scope& scope);

/// What the last statements of a text give back; none where they come to their end.
Value compile_rest(Compilation& c, const std::vector<Statement>& statements, Scope& scope);

// functions.cpp

/// def
void define_function(Compilation& c, const Statement& statement, Scope& scope);

/// A def or a lambda as a value, with its defaults as they are now.
const Callable* written_function(Compilation& c, const Function& function, Scope& scope);

/// What a function gives for some arguments.
Value apply(Compilation& c, const Callable& callable, const std::vector<Argument>& arguments, Range range);

/// What a parameter is where a call does not give it: what its default was where the function is written.
Value default_value(Compilation& c, const Callable& callable, const Parameter& parameter);

/// Gives a function's parameters their values in its scope.
void bind_arguments(Compilation& c, const Function& function, const Callable& callable,
                    const std::vector<Argument>& arguments, Range range, Scope& scope);

/// and_masks(...) and or_masks(...)
Value join_masks(Compilation& c, const Expression& e, bool all, const std::vector<Argument>& arguments);

// calls.cpp

/// create_block_mask under another name, such as what torch.compile gives of it.
bool makes_block_mask(const Value& value);

/// The function that a call of create_block_mask is given; no_expression where it is given none.
ExpressionId mask_argument(const Expression& e);

/// The mask that flex_attention or scaled_dot_product_attention is called with; no_expression: it is none of them.
ExpressionId attention_mask(const Compilation& c, const Expression& e);

/// f(x), a.f(x), torch.f(x), create_block_mask(f, ...)
Value compile_call(Compilation& c, const Expression& e, Scope& scope);

/// The name that was most likely meant, or all that there are.
std::string advised(const std::string& name, const std::vector<std::string>& names, const std::string& before);

// method_calls.cpp

/// a.f(x), torch.f(x); `callee` is a.f.
Value call_attribute(Compilation& c, const Expression& e, const Expression& callee, Scope& scope);

// object_questions.cpp

/// isinstance(x, int), getattr(x, "name", default), hasattr(x, "name")
Value asked_of(Compilation& c, const std::string& name, const Expression& e, Scope& scope);

// arguments.cpp

/// What a call is given, in order; *x and **x taken apart.
std::vector<Argument> read_arguments(Compilation& c, const Expression& e, Scope& scope);

/// The argument of a name; null: it is not given.
const Argument* by_keyword(const std::vector<Argument>& arguments, std::string_view keyword);

/// What clamp is given: a value and one end or both.
struct ClampEnds {
  const Argument* value = nullptr;
  const Argument* low = nullptr;
  const Argument* high = nullptr;
};

/// The arguments of clamp, by place or as torch or NumPy names them; nothing after an error.
std::optional<ClampEnds> clamp_ends(Compilation& c, const std::vector<Argument>& arguments, Range range);

/// Fails: a function is given another number of arguments than it takes.
Value takes(Compilation& c, const std::string& name, std::size_t wanted, std::size_t found, Range range);

// known_functions.cpp

/// One of the known functions of known_names.h.
Value apply_known(Compilation& c, const std::string& given_name, const Expression& e,
                  const std::vector<Argument>& arguments);

// counting_functions.cpp

/// Of bucketize and searchsorted whether what equals a boundary lies behind it: right=True, side="right".
bool counts_up_to(Compilation& c, const std::vector<Argument>& arguments);

/// cumsum(x), bucketize(x, boundaries, right=...), searchsorted(boundaries, x, right=..., side=...)
Value of_array(Compilation& c, const std::string& name, const Expression& e, const std::vector<Argument>& arguments);

// list_functions.cpp

/// Lists, and functions of functions; nothing: the function is none of these.
std::optional<Value> apply_to_list(Compilation& c, const std::string& name, const Expression& e,
                                   const std::vector<Argument>& arguments);

// number_functions.cpp

/// gcd, sqrt, log and the like of numbers that are known; nothing: the function is none of these.
std::optional<Value> apply_to_numbers(Compilation& c, const std::string& name, const Expression& e,
                                      const std::vector<Argument>& arguments);

// numpy_functions.cpp

/// A function of NumPy as torch has it, where the two differ under one name.
Value apply_numpy(Compilation& c, const std::string& name, const Expression& e, std::vector<Argument> arguments);

// array_functions.cpp

/// x.shape, x.ndim, x.dtype, x.T; of what torch.sort gives values and indices.
Value array_attribute(Compilation& c, const std::string& name, const Argument& owner, Range range);

/// What a function of torch or NumPy gives where arrays are among its arguments, or it makes one.
std::optional<Value> apply_to_arrays(Compilation& c, const std::string& given_name, const std::string& name,
                                     const Expression& e, const std::vector<Argument>& arguments);

/// A method of a list of Python that changes it.
Value changed_list(Compilation& c, const std::string& name, const std::vector<Argument>& arguments, Range range);

// elements.cpp

/// x[i], x[:, i], d[key]
Value compile_index(Compilation& c, const Expression& e, Scope& scope);

/// d[a, b] has the key (a, b).
Argument subscript_key(Compilation& c, const Expression& e, Scope& scope);

/// What stands between the brackets of an index.
std::vector<Subscript> subscripts_of(Compilation& c, const Expression& e, Scope& scope);

/// Whether an array's values are known by now.
bool is_given(const Compilation& c, const Value& value);

/// How long an array is. One of a batch has its values of this b, and the length of a row on every side.
Value shape_of(Compilation& c, const Value& given, Range range);

/// One of the values that a, b = x gives.
Value item_of(Compilation& c, const Value& all, Index i, Range range);

/// A list of integers that are known as an array; a free name as one that is given.
Value as_array(Compilation& c, const Argument& argument);

// dictionaries.cpp

/// The text of a key; `depth` counts tuples in tuples.
DictionaryKey key_of(Compilation& c, const Argument& argument, int depth = 0);

/// An empty one; none after an error.
Value new_dictionary(Compilation& c);

/// dict(pairs, name=value)
Value new_dictionary(Compilation& c, const std::vector<Argument>& arguments, Range range);

/// {key: value, **others}
Value compile_dictionary(Compilation& c, const Expression& e, Scope& scope);

/// dictionary[key] = value
void set_item(Compilation& c, const Value& dictionary, const Argument& key, const Value& value);

/// Adds what a dictionary, or a list of pairs, has.
void join_dictionary(Compilation& c, const Value& to, const Argument& from);

/// What a dictionary has under a key; nothing: it does not have the key.
std::optional<Value> found_item(Compilation& c, const Value& dictionary, const Argument& key);

/// The same; what it does not have is an error.
Value item_at(Compilation& c, const Value& dictionary, const Argument& key);

/// {a, b}: a list whose items differ.
Value set_of(Compilation& c, const std::vector<Value>& items, Range range);

/// d.get(key), d.items() and the like; nothing: it is none of them.
std::optional<Value> dictionary_method(Compilation& c, const std::string& name, const std::vector<Argument>& arguments,
                                       Range range);

/// Names that the text keeps masks under and gives no value: it asks whether a key is in them, and writes to them. They
/// begin empty.
std::set<std::string> kept_dictionaries(const Syntax& syntax);

/// self.mask of `if self.mask is None: self.mask = ...`
std::set<std::string> made_once(const Syntax& syntax);

// generators.cpp

/// A list of Python; none after an error.
Value tuple_of(Compilation& c, std::vector<Value> items);

/// What a for goes through.
std::vector<Value> items_in(Compilation& c, const Argument& argument);

/// What the elements of a list come to; *x stands for those of x.
std::vector<Value> items_of(Compilation& c, const std::vector<ExpressionId>& operands, Scope& scope);

/// value for name in list if condition
Value compile_generator(Compilation& c, const Expression& e, Scope& scope);

/// range(end), range(begin, end), range(begin, end, step), of integers that are known.
Value range_of(Compilation& c, const Expression& e, const std::vector<Argument>& arguments);

/// all(...) and any(...) of a list, sum(...) of numbers.
Value reduced(Compilation& c, const std::string& name, const Expression& e, const std::vector<Argument>& arguments);

/// functools.reduce(function, list, first)
Value folded(Compilation& c, const Expression& e, const std::vector<Argument>& arguments);

// comparisons.cpp

/// a < b, a < b < c, a is None, a in b
Value compile_comparison(Compilation& c, const Expression& e, Scope& scope);

/// Integers or fractions; `range` is where the comparison is written, `whole` what stands for it.
Value compare_values(Compilation& c, const std::string& symbol, const Argument& left, const Argument& right,
                     Range range, Range whole);

/// The same, of integers alone; `written` is kept for the row debugger.
Value compare_integers(Compilation& c, const std::string& symbol, NodeId a, NodeId b, Comparison written, Range range);

// truth.cpp

/// Whether a value is true, where that is known before any cell is looked at.
std::optional<bool> decided(Compilation& c, const Value& value);

/// Whether a node may have another value in another cell.
bool differs_by_cell(const Compilation& c, NodeId id);

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

// fractions.cpp

/// Which integer a fraction is rounded to.
enum class Rounding { down, up, to_zero, to_even };

/// A fraction; over 1 the integer alone.
Value ratio_of(Compilation& c, const Value& numerator, NodeId denominator);

/// A number as a fraction.
Value as_ratio(Compilation& c, const Argument& argument);

/// An operator between numbers of which one is a fraction.
Value fraction(Compilation& c, const Expression& e, const std::string& symbol, const Argument& left,
               const Argument& right);

/// Whole fractions are compared by their floor or ceiling, whatever the sign of what they are divided by.
Value compare_fractions(Compilation& c, const std::string& symbol, const Value& left, const Value& right, Range range);

/// The integer next to a fraction.
Value rounded(Compilation& c, Rounding rounding, const Value& fraction, Range range);

}  // namespace vqscope::language
