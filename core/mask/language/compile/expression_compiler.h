// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/language/compile/dictionary.h"
#include "core/mask/language/compile/tensor/tensor_writer.h"

#include "core/mask/language/code/array_names.h"

#include <array>
#include <deque>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace vqscope::language {

/// Expressions and the bodies of functions, put in place where they are called.
class ExpressionCompiler : protected TensorWriter {
 protected:
  ExpressionCompiler(std::string_view text, const Syntax& syntax, const Given& given)
      : TensorWriter(text, given), m_syntax(syntax), m_outside(&new_scope(nullptr)) {
    m_array_names = array_names(syntax);
    m_kept = kept_dictionaries(syntax);
    m_made_once = made_once(syntax);
  }

  const Expression& at(ExpressionId id) const { return m_syntax.at(id); }
  const Function& function(const Statement& statement) const {
    return m_syntax.functions[static_cast<std::size_t>(statement.function)];
  }

  Scope& new_scope(Scope* parent);

  // Statements: statement_compiler.cpp.

  /// Carries a statement out in its scope; a return is none.
  void carry_out(const Statement& statement, Scope& scope);
  void assign(const Statement& statement, Scope& scope);

  /// What failed in a function, to who uses what the statement would have given a value.
  void set_aside(const Statement& statement, Scope& scope);

  /// x[i] = y
  void change(const Statement& statement, Scope& scope);

  /// x.append(y), x.fill_(y): a call that is there for what it changes.
  bool changes_object(ExpressionId id) const;
  void define(const Statement& statement, Scope& scope);

  /// Names whose use fails with `error` from here on.
  static void leave_out(const std::vector<std::string>& names, const SourceError& error, Scope& scope);

  /// What the body of a function gives back.
  Value body(const Function& function, Scope& scope);

  // Operators: expression_compiler.cpp, truth_compiler.cpp, fraction_compiler.cpp.

  Value expression(ExpressionId id, Scope& scope);

  /// Whether a value is true, where that is known before any cell is looked at.
  std::optional<bool> decided(const Value& value);

  // Functions: function_compiler.cpp.

  /// What a function gives for some arguments.
  Value apply(const Callable& callable, const std::vector<Argument>& arguments, Range range);

  /// Gives a function's parameters their values in its scope.
  void bind_arguments(const Function& function, const Callable& callable, const std::vector<Argument>& arguments,
                      Range range, Scope& scope);

  bool differs_by_cell(NodeId id) const;

  // Calls: call_compiler.cpp.

  static bool makes_block_mask(const Value& value);

  /// The function that a call of create_block_mask is given; no_expression where it is given none.
  ExpressionId mask_argument(const Expression& e) const;

  /// The mask that flex_attention or scaled_dot_product_attention is called with; no_expression: it is none of them.
  ExpressionId attention_mask(const Expression& e) const;

  const Syntax& m_syntax;
  Scope* m_top = nullptr;
  Scope* m_term_scope = nullptr;          ///< of the function that is the mask
  Value m_last_block_mask;                ///< that create_block_mask was asked for
  bool m_is_fatal = false;                ///< what failed concerns more than the names that it would have given a value
  int m_calls = 0;                        ///< that are being put in place
  std::vector<const Function*> m_active;  ///< of these the written ones
  std::map<NodeId, std::string> m_names;  ///< of nodes that a variable or a call names
  std::set<NodeId> m_chains;              ///< what a < b < c ends in: one condition

 private:
  // Statements: statement_compiler.cpp.

  /// Statements from `next` on, or the rounds of a loop from `next` on, and what comes after them.
  struct Rest {
    const std::vector<Statement>* statements = nullptr;
    std::size_t next = 0;
    const Rest* outer = nullptr;
    const Statement* loop = nullptr;
    const std::vector<Value>* items = nullptr;  ///< that a for goes through
  };

  /// What break and continue leave.
  enum class Leaving { none, round, loop };

  /// What they give back; none where they come to their end or leave a loop.
  Value run(const Rest& rest, Scope& scope);

  /// The same, and of all that comes after them.
  Value run_through(const Rest& rest, Scope& scope);

  /// An if that is known before any cell is looked at takes one way; else both are taken, and each cell has the values
  /// of its own. Where one of them leaves, what it gives back is what all that comes after it gives back.
  Value choose(const Statement& statement, const Rest& after, Scope& scope);

  /// Whether statements only call what changes nothing here, such as print.
  bool only_calls(const std::vector<Statement>& statements) const;

  void merge(NodeId condition, const Scope& yes, const Scope& no, Range range, Scope& scope);
  static bool is_same(const Value& a, const Value& b);

  /// A for or a while, whose rounds are known before any cell is looked at.
  Value repeat(const Statement& statement, const Rest& after, Scope& scope);
  Value rounds(const Rest& rest, Scope& scope);
  bool has_round(const Rest& rest, std::size_t round, Scope& scope);
  Value attempt(const Statement& statement, const Rest& after, Scope& scope);
  void require(const Statement& statement, Scope& scope);

  void unpack(const std::vector<std::string>& targets, bool unpacks, Value value, Range range, Scope& scope);

  /// Gives a name its value, and its node the name where that names a term.
  void bind(Scope& scope, const std::string& name, Value value);

  /// Whether a variable has given a node its name, which it keeps when it gets another one.
  bool is_named(const Scope& scope, NodeId id) const;

 protected:
  const Callable* new_callable(Callable callable);
  const Callable* written_function(const Function& function, Scope& scope);

 private:
  // Operators: expression_compiler.cpp.

  Value filled_text(const Expression& e, Scope& scope);
  Value name(const std::string& name, Range range, Scope& scope);
  Value attribute(const Expression& e, Scope& scope);
  std::optional<Value> attribute_of_namespace(const Expression& e, Scope& scope);
  Value module_member(const Expression& e, const std::string& module);

  /// x.shape, x.ndim, x.dtype, x.T; of what torch.sort gives values and indices.
  Value array_attribute(const std::string& name, const Argument& owner, Range range);

  /// An integer or a truth value; no_node after an error.
  NodeId operand(ExpressionId id, Scope& scope);
  Value unary(const Expression& e, Scope& scope);
  Value unary_of(const Expression& e, const Argument& operand);
  Value binary(const Expression& e, Scope& scope);
  Value operation(const Expression& e, const std::string& symbol, const Argument& left, const Argument& right);

  /// Of truth values it is one again.
  Value bitwise(const Expression& e, const std::string& symbol, Op op, NodeId a, NodeId b);

  // What decides: truth_compiler.cpp.

  Value comparison(const Expression& e, Scope& scope);
  bool is_mixed(const Expression& e) const;

  /// Of the operands i and i + 1 of a chain.
  Value compare(const Expression& e, std::size_t i, const Value& left, const Value& right);

  /// Integers or fractions; `range` is where the comparison is written, `whole` what stands for it.
  Value compare_values(const std::string& symbol, const Argument& left, const Argument& right, Range range,
                       Range whole);
  Value compare_integers(const std::string& symbol, NodeId a, NodeId b, Comparison written, Range range);
  Value identity(const Expression& e, std::size_t i, const Value& left, const Value& right);
  Value membership(const Expression& e, std::size_t i, const Value& left, const Value& right);
  Value junction(const Expression& e, Scope& scope);
  Value joined(const Expression& e, bool is_and, NodeId left, NodeId right);
  Value negation(const Expression& e, Scope& scope);
  Value ternary(const Expression& e, Scope& scope);

  /// condition, yes, no
  Value chosen(Op op, Range range, std::array<NodeId, 3> operands);

  /// One of two values of any kind, by cell.
  Value either(NodeId condition, const Argument& yes, const Argument& no, Range range, Op op);
  void warn_of_tensors(Range range, NodeId asked, const std::string& word, const std::string& advice);

  // Fractions: fraction_compiler.cpp.

  enum class Rounding { down, up, to_zero };
  Value ratio_of(const Value& numerator, NodeId denominator);
  Value as_ratio(const Argument& argument);
  NodeId product(NodeId a, NodeId b, Range range);
  Value fraction(const Expression& e, const std::string& symbol, const Argument& left, const Argument& right);
  Value compare_fractions(const std::string& symbol, const Value& left, const Value& right, Range range);
  Value rounded(Rounding rounding, const Value& fraction, Range range);

  // Arrays and tuples: element_compiler.cpp, generator_compiler.cpp.

  Value element(const Expression& e, Scope& scope);

  Argument subscript_key(const Expression& e, Scope& scope);

  /// What stands between the brackets of an index.
  std::vector<Subscript> subscripts_of(const Expression& e, Scope& scope);

  /// Whether an index asks for more than one element of a list, so that the values must be known.
  bool is_of_tensor(const Value& array, const std::vector<Subscript>& subscripts) const;

  /// An array of the program: one index, or b and h before it.
  Value plain_element(const Value& array, const std::vector<Subscript>& subscripts, const Expression& e);

  /// Of a list of Python: one item, or those of a slice.
  Value list_element(const Value& list, const std::vector<Subscript>& subscripts, Range range);
  Value indexable(const Value& value);

  /// Whether an array's values are known by now.
  bool is_given(const Value& value) const;
  Value shape_of(const Value& given, Range range);
  Value item_of(const Value& all, Index i, Range range);

  bool is_batch(NodeId id) const;
  Value of_tuple(const Value& tuple, NodeId index, Range range);
  Value as_array(const Argument& argument);
  Value tuple_of(std::vector<Value> items);

  /// What a for goes through.
  std::vector<Value> items_in(const Argument& argument);
  std::vector<Value> items_of(const std::vector<ExpressionId>& operands, Scope& scope);
  Value generated(const Expression& e, Scope& scope);
  Value range_of(const Expression& e, const std::vector<Argument>& arguments);
  Value reduced(const std::string& name, const Expression& e, const std::vector<Argument>& arguments);
  Value folded(const Expression& e, const std::vector<Argument>& arguments);

  // Calls: call_compiler.cpp.

  Value call(const Expression& e, Scope& scope);

  /// The operands of a call from `first` on.
  std::vector<Argument> read_arguments(const Expression& e, std::size_t first, Scope& scope);

  /// A call of a name that the text gives no meaning, and of a.name.
  Value call_plain(const Expression& e, const Expression& callee, Scope& scope);
  Value call_attribute(const Expression& e, const Expression& callee, Scope& scope);

  Value asked_of(const std::string& name, const Expression& e, Scope& scope);
  Value is_instance(const Expression& e, Scope& scope);
  std::optional<Value> call_on_object(const Expression& e, const Expression& callee, Scope& scope);
  Value text_method(const std::string& name, const std::vector<Argument>& arguments, Range range);

  /// create_block_mask(f, ...) is f: what else it is given changes no cell.
  Value block_mask(const Expression& e, Scope& scope);
  std::optional<std::string> module_of(ExpressionId id, Scope& scope);

  /// .to(torch.bool) asks whether it is not zero; devices and other integers change nothing.
  Value converted(const Expression& e, const Argument& object);

  // Dictionaries: dictionary_compiler.cpp.

  DictionaryKey key_of(const Argument& argument, int depth = 0);
  Index callable_place(const Callable* callable) const;
  Value new_dictionary();
  Value new_dictionary(const std::vector<Argument>& arguments, Range range);
  Value dictionary_of(const Expression& e, Scope& scope);
  void set_item(const Value& dictionary, const Argument& key, const Value& value);
  void join_dictionary(const Value& to, const Argument& from);

  /// What a dictionary has under a key; nothing: it does not have the key.
  std::optional<Value> found_item(const Value& dictionary, const Argument& key);
  Value item_at(const Value& dictionary, const Argument& key);
  Value set_of(const std::vector<Value>& items, Range range);
  std::optional<Value> dictionary_method(const std::string& name, const std::vector<Argument>& arguments, Range range);
  static std::set<std::string> kept_dictionaries(const Syntax& syntax);
  static std::set<std::string> made_once(const Syntax& syntax);

  // Functions of whole arrays: array_functions.cpp.

  /// What a function of torch or NumPy gives where arrays are among its arguments, or it makes one.
  std::optional<Value> of_arrays(const std::string& given_name, const std::string& name, const Expression& e,
                                 const std::vector<Argument>& arguments);
  std::optional<Value> element_wise(const std::string& given_name, const std::string& name, const Expression& e,
                                    const std::vector<Argument>& arguments);
  static const Argument* by_keyword(const std::vector<Argument>& arguments, std::string_view keyword);

  /// Of bucketize and searchsorted whether what equals a boundary lies behind it: right=True, side="right".
  bool counts_up_to(const std::vector<Argument>& arguments);
  Value placed(const std::string& name, const Expression& e, const std::vector<Argument>& arguments);
  std::optional<Value> filled_array(const std::string& given_name, const std::string& name, const Expression& e,
                                    const std::vector<Argument>& arguments);
  Value sizes_of(const std::string& name, const Argument& array, const std::vector<Argument>& arguments, Range range);

  /// A method of a list of Python that changes it.
  Value changed_list(const std::string& name, const std::vector<Argument>& arguments, Range range);

  // Known functions: known_functions.cpp.

  /// One of the known functions of known_names.h.
  Value apply_known(const std::string& given_name, const Expression& e, const std::vector<Argument>& arguments);
  Value apply_to_nodes(const std::string& name, const Expression& e, const std::vector<NodeId>& nodes);
  std::optional<Value> apply_to_list(const std::string& name, const Expression& e,
                                     const std::vector<Argument>& arguments);
  std::optional<Value> apply_to_numbers(const std::string& name, const Expression& e,
                                        const std::vector<Argument>& arguments);
  Value sorted(const Expression& e, const std::vector<Argument>& arguments);
  Value takes(const std::string& name, std::size_t wanted, std::size_t found, Range range);
  Value truncated(const std::string& name, const Argument& argument);
  Value partial(const Expression& e, const std::vector<Argument>& arguments);
  Value contained(const Expression& e, const std::vector<Argument>& arguments);
  Value made(const std::string& given_name, const std::string& name, const Expression& e,
             const std::vector<Argument>& arguments);
  Value of_array(const std::string& name, const Expression& e, const std::vector<Argument>& arguments);
  Value divided(const Expression& e, const std::vector<Argument>& arguments);
  Value whole(const std::string& name, const Expression& e, const std::vector<Argument>& arguments);

  /// minimum, maximum and the like of two values or more.
  Value extreme(const std::string& name, const Expression& e, const std::vector<NodeId>& nodes);

  /// min(max(x, low), high), either end may be missing.
  Value clamp(const Expression& e, const std::vector<Argument>& arguments);

  // Functions: function_compiler.cpp.

  /// and_masks(...) and or_masks(...)
  Value join_masks(const Expression& e, bool all, const std::vector<Argument>& arguments);

  /// All are asked: FlexAttention joins with & and |.
  Value apply_joined(const Callable& callable, const std::vector<Argument>& arguments, Range range);

  std::deque<Scope> m_scopes;
  std::deque<Callable> m_callables;
  std::set<std::string> m_kept;           ///< names that the text keeps masks under
  std::map<std::string, Value> m_caches;  ///< what it keeps there
  std::set<std::string> m_made_once;      ///< self.mask that the text asks for None and makes
  Scope* m_outside;                       ///< where no name has a value; made in m_scopes, which stands before it
  Leaving m_leaving = Leaving::none;
  int m_rounds = 0;          ///< that run_through is inside of
  int m_attempts = 0;        ///< try that the compiler is inside of
  bool m_lacks_key = false;  ///< what failed is that a dictionary does not have a key
  Index m_steps = 0;
  std::set<NodeId> m_compared;
};

}  // namespace vqscope::language
