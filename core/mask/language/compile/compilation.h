// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/sentence.h"
#include "core/mask/language/code/node_builder.h"
#include "core/mask/language/compile/given.h"
#include "core/mask/language/compile/value.h"

#include <deque>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace vqscope::language {

/// What break and continue leave.
enum class Leaving { none, round, loop };

/// What compiling a text has come to so far: its code, scopes, errors and budgets. It knows how to make nodes, free
/// names and messages; what a statement, an expression or a function of arrays means is said by the functions in tree/
/// and tensor/, each of which is handed the Compilation. After an error what is made is of no use: a Value is none, a
/// NodeId no_node.
class Compilation {
 public:
  Compilation(std::string_view text, const Syntax& syntax, const Given& given);
  Compilation(const Compilation&) = delete;
  Compilation& operator=(const Compilation&) = delete;
  /// Empties the lists and dictionaries: one that holds itself would else stay for ever.
  ~Compilation();

  const Expression& at(ExpressionId id) const { return syntax.at(id); }
  const Function& function(const Statement& statement) const {
    return syntax.functions[static_cast<std::size_t>(statement.function)];
  }

  const Node& node(NodeId id) const { return out.code.at(id); }
  bool failed() const { return out.error.has_value(); }

  /// The bytes of the text in one line, blanks joined.
  std::string written(Range range) const;

  /// The first error stays.
  Value fail(Range range, std::string message);
  template <class First, class... More>
  Value fail(Range range, fmt::format_string<First, More...> sentence, First&& first, More&&... more) {
    return fail(range, fmt::format(sentence, std::forward<First>(first), std::forward<More>(more)...));
  }

  /// Once for each place and message.
  void warn(Range range, std::string message);
  template <class First, class... More>
  void warn(Range range, fmt::format_string<First, More...> sentence, First&& first, More&&... more) {
    warn(range, fmt::format(sentence, std::forward<First>(first), std::forward<More>(more)...));
  }

  /// A node as a value, unless the mask has grown too large.
  Value of_node(NodeId id);
  Value make(Op op, bool is_bool, Range range, NodeId a, NodeId b = no_node, NodeId c = no_node);
  NodeId as_int(NodeId id) { return failed() ? no_node : build.as_int(id); }
  NodeId as_bool(NodeId id) { return failed() ? no_node : build.as_bool(id); }

  /// An integer or a truth value; a free name is an integer parameter from here on.
  NodeId as_node(const Value& value, Range range);

  Value variable_node(Variable variable, Range range);
  Value flag(bool value, Range range) { return of_node(build.constant(value ? 1 : 0, true, range)); }

  /// What a name that is None unless it is given stands for: the name, or nothing.
  Value optional_name(const std::string& name, bool is_array, Range range);

  /// What a node of constants and of integers with a value comes to: it is the same in every cell, and decides what
  /// the text means. Nothing: it differs by cell, or an integer has no value yet.
  std::optional<Index> settled(NodeId id) { return settled(id, false); }

  /// The same, of what differs by b and h too: which row of a batch of arrays is meant.
  std::optional<Index> settled_in_batch(NodeId id) { return settled(id, true); }

  /// The integer or the element of the array that a free name stands for; the first use counts it among those to give.
  Value integer_parameter(const Value& value, Range range);
  Value array_element(const Value& array, NodeId index, Range range);
  Value array_length(const Value& array, Range range);

  /// The place of an array in the code, which it has from its first use on; -1 after an error.
  Index array_place(const Value& array, IndexedBy by, Range range);

  /// Asks for an array that is not given, which no other error does.
  Value lacking(const Value& array, Range range);

  /// An array whose values the text says; one that is made of another one's.
  Index literal_array(std::vector<Index> values, std::vector<Index> shape, Range range);
  Index derived_array(ArraySource source, Index of, Range range);
  Value element_of(Index array, NodeId index, Range range);

  Scope& new_scope(Scope* parent);
  const Callable* new_callable(Callable callable);
  Value list_value(std::vector<Value> items);
  Value dictionary_value();
  Value number_value(Index number, Range range) { return of_node(build.constant(number, false, range)); }

  /// Counts the elements that a text's tensors come to.
  bool spend(Index elements, Range range);

  // The text.
  const std::string_view text;
  const Syntax& syntax;
  const Given& given;

  const bool is_numpy_text;  ///< it names NumPy's modules and not torch's: methods are NumPy's

  // What is made.
  Compiled out;
  NodeBuilder build{out.code};
  std::map<NodeId, std::string> names;  ///< of nodes that a variable or a call names
  std::set<NodeId> chains;              ///< what a < b < c ends in: one condition
  std::set<NodeId> compared;            ///< that have an entry in Code::comparisons
  std::map<std::string, std::shared_ptr<Tensor>> given_tensors;
  Value last_block_mask;  ///< that create_block_mask was asked for
  Range result_range;     ///< of what the text ends in

  // Names.
  std::deque<Scope> scopes;
  std::deque<Callable> callables;
  Scope* const outside = &new_scope(nullptr);  ///< where no name has a value
  Scope* top = nullptr;
  Scope* term_scope = nullptr;          ///< of the function that is the mask
  std::set<std::string> array_names;    ///< free names that the text uses as arrays
  std::set<std::string> kept;           ///< names that the text keeps masks under
  std::map<std::string, Value> caches;  ///< what it keeps there
  std::set<std::string> made_once;      ///< self.mask that the text asks for None and makes

  // What the compiler is inside of.
  std::vector<const Function*> active;  ///< written functions that are being put in place
  int calls = 0;                        ///< of functions of any kind
  int choices = 0;                      ///< ifs by cell
  int rounds = 0;                       ///< of loops that a cell may leave
  int attempts = 0;                     ///< try
  Leaving leaving = Leaving::none;

  // What failed.
  bool is_fatal = false;   ///< concerns more than the names that it would have given a value
  bool lacks_key = false;  ///< is that a dictionary does not have a key

  // What has been spent.
  Index steps = 0;  ///< of max_steps
  int factories_asked = 0;

 private:
  std::optional<Index> settled(NodeId id, bool in_batch);
  void warn_of_near_name(const Value& value, Range range);
  bool is_array(const std::string& name) const;
  std::optional<Index> value_of(const std::string& name, std::optional<Index> fallback) const;
  IndexedBy indexed_by(NodeId index) const;
  static IndexedBy together(IndexedBy a, IndexedBy b);

  std::set<std::pair<Index, std::string>> m_warned;
  std::vector<std::weak_ptr<std::vector<Value>>> m_lists;
  std::vector<std::weak_ptr<Dictionary>> m_dictionaries;
  Index m_elements = 0;
};

}  // namespace vqscope::language
