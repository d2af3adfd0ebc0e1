// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/sentence.h"
#include "core/mask/language/code/code.h"
#include "core/mask/language/compile/given.h"
#include "core/mask/language/compile/value.h"
#include "core/mask/language/compile/words.h"

#include <deque>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace vqscope::language {

/// Appends nodes to a Code, each only once.
class NodeBuilder {
 public:
  explicit NodeBuilder(Code& code) : m_code(code) {}

  NodeId constant(Index value, bool is_bool, Range range) {
    return make({.op = Op::constant, .is_bool = is_bool, .value = value, .range = range});
  }

  NodeId make(Node node) {
    for (const NodeId operand : {node.a, node.b, node.c})
      if (operand != no_node) node.depth = std::max(node.depth, m_code.at(operand).depth + 1);
    const Key key{node.op, node.is_bool, node.a, node.b, node.c, node.value};
    const auto [found, added] = m_known.try_emplace(key, static_cast<NodeId>(m_code.nodes.size()));
    if (added) m_code.nodes.push_back(node);
    return found->second;
  }

  NodeId as_int(NodeId id) {
    const Node& node = m_code.at(id);
    if (!node.is_bool) return id;
    if (node.op == Op::constant) return constant(node.value, false, node.range);
    return make({.op = Op::to_int, .a = id, .range = node.range});
  }

  NodeId as_bool(NodeId id) {
    const Node& node = m_code.at(id);
    if (node.is_bool) return id;
    if (node.op == Op::constant) return constant(node.value != 0 ? 1 : 0, true, node.range);
    if (node.op == Op::to_int) return node.a;
    return make({.op = Op::to_bool, .is_bool = true, .a = id, .range = node.range});
  }

 private:
  using Key = std::tuple<Op, bool, NodeId, NodeId, NodeId, Index>;
  Code& m_code;
  std::map<Key, NodeId> m_known;
};

/// The part of a loop that `break` or `continue` leaves.
enum class Leaving { none, round, loop };

/// State of compiling a text: its code, scopes, errors and budgets. Makes nodes, free names and
/// messages. The functions in tree/ and tensor/, which take the Compilation, define what a
/// statement, an expression or a function of arrays means. After an error the results are of no
/// use: a Value is none, a NodeId no_node.
class Compilation {
 public:
  Compilation(std::string_view text, const Syntax& syntax, const Given& given);
  Compilation(const Compilation&) = delete;
  Compilation& operator=(const Compilation&) = delete;
  /// Empties the lists and dictionaries, because one that holds itself would never be freed.
  ~Compilation();

  const Expression& at(ExpressionId id) const { return syntax.at(id); }
  const Function& function(const Statement& statement) const {
    return syntax.functions[static_cast<std::size_t>(statement.function)];
  }

  const Node& node(NodeId id) const { return out.code.at(id); }
  bool failed() const { return out.error.has_value(); }

  /// The bytes of the text on one line, with blanks joined.
  std::string written(Range range) const;

  /// Records an error, unless there is one already.
  Value fail(Range range, std::string message);
  template <class First, class... More>
  Value fail(Range range, fmt::format_string<First, More...> sentence, First&& first, More&&... more) {
    return fail(range, fmt::format(sentence, std::forward<First>(first), std::forward<More>(more)...));
  }

  /// Warns once for each position and message.
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

  /// The value of a name that is None unless it is given: the name, or None.
  Value optional_name(const std::string& name, bool is_array, Range range);

  /// The value of a node of constants and of integers with a value, which is the same in every cell
  /// and decides what the text means. Empty: it differs by cell, or an integer has no value yet.
  std::optional<Index> settled(NodeId id) { return settled(id, false); }

  /// The same, also for nodes that depend on b and h: which row of a batch of arrays is meant.
  std::optional<Index> settled_in_batch(NodeId id) { return settled(id, true); }

  /// Whether a free name has a text, a fraction or None as its value.
  bool is_word(const std::string& name) const;

  /// A default as it is written for word_value; empty: it cannot be written, or there is none.
  std::optional<std::string> written_default(const Value& default_value, Range range) const;

  /// The value of such a name; without one, an error requests it. `others`: texts that it is
  /// compared with.
  Value word_value(const std::string& name, std::optional<std::string> default_value, Range range,
                   const std::vector<std::string>& others = {});

  /// Warns of values that are none of the texts with which the mask compares them.
  void warn_of_words();

  /// Records that the text compares a free name with None, and warns if it is unknown whether it is
  /// None.
  void compare_with_none(const Value& name, Range range);

  /// The integer or array element for a free name; the first use adds it to the names to give.
  Value integer_parameter(const Value& value, Range range);
  Value array_element(const Value& array, NodeId index, Range range);
  Value array_length(const Value& array, Range range);

  /// The index of an array in the code, assigned at its first use; -1 after an error.
  Index array_place(const Value& array, IndexedBy by, Range range);

  /// The error for an array that is not given.
  Value lacking(const Value& array, Range range);

  /// An array whose values are in the text, and an array computed from another one.
  Index literal_array(std::vector<Index> values, std::vector<Index> shape, Range range);
  Index derived_array(ArraySource source, Index of, Range range);
  Value element_of(Index array, NodeId index, Range range);

  Scope& new_scope(Scope* parent);
  const Callable* new_callable(Callable callable);
  Value list_value(std::vector<Value> items);
  Value dictionary_value();
  Value number_value(Index number, Range range) { return of_node(build.constant(number, false, range)); }

  /// Counts elements against the budget of the text's tensors.
  bool spend(Index elements, Range range);

  // The text.
  const std::string_view text;
  const Syntax& syntax;
  const Given& given;

  const Words words;
  const bool is_numpy_text;  ///< it uses NumPy's modules and not torch's: methods are NumPy's

  // Output.
  Compiled out;
  NodeBuilder build{out.code};
  std::map<NodeId, std::string> names;  ///< names of nodes, from a variable or a call
  std::set<NodeId> chains;              ///< the last nodes of chains a < b < c, each one condition
  std::set<NodeId> compared;            ///< nodes that have an entry in Code::comparisons
  std::map<std::string, std::shared_ptr<Tensor>> given_tensors;
  Value last_block_mask;  ///< the last value of create_block_mask
  Range result_range;     ///< of the expression that the text ends in

  // Names.
  std::deque<Scope> scopes;
  std::deque<Callable> callables;
  Scope* const outside = &new_scope(nullptr);  ///< without any names
  Scope* top = nullptr;
  Scope* term_scope = nullptr;                ///< of the function that is the mask
  std::set<std::string> array_names;          ///< free names that the text uses as arrays
  std::map<std::string, std::size_t> sliced;  ///< dimensions of the arrays that the text slices
  std::set<std::string> kept;                 ///< names that the text keeps masks under
  std::map<std::string, Value> caches;        ///< the masks it keeps there
  std::set<std::string> made_once;            ///< self.mask, if the text tests it for None and sets it

  // Nesting.
  std::vector<const Function*> active;  ///< written functions that are being expanded
  int calls = 0;                        ///< of functions of any kind
  int choices = 0;                      ///< ifs by cell
  int rounds = 0;                       ///< of loops that a cell may leave
  int attempts = 0;                     ///< try
  Leaving leaving = Leaving::none;

  // Errors.
  bool is_fatal = false;   ///< affects more than the names to be assigned
  bool lacks_key = false;  ///< the error is a missing key of a dictionary

  // Budgets used.
  Index steps = 0;  ///< of max_steps
  int factories_tried = 0;

 private:
  std::optional<Index> settled(NodeId id, bool in_batch);
  Value word_of(const WordUse& use, std::string_view written, Range range);
  void note_none(const std::string& name);
  void warn_of_near_name(const Value& value, Range range);
  bool is_array(const std::string& name) const;
  std::optional<Index> value_of(const std::string& name, std::optional<Index> default_value) const;
  IndexedBy indexed_by(NodeId index) const;
  static IndexedBy together(IndexedBy a, IndexedBy b);

  std::set<std::pair<Index, std::string>> m_warned;
  std::vector<std::weak_ptr<std::vector<Value>>> m_lists;
  std::vector<std::weak_ptr<Dictionary>> m_dictionaries;
  Index m_elements = 0;
};

}  // namespace vqscope::language
