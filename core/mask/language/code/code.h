// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"
#include "core/mask/language/parse/operators.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace vqscope::language {

enum class Variable : std::uint8_t {
  b,
  h,
  q_idx,
  kv_idx,
  q_pos,
  kv_pos,
  q_doc,
  kv_doc,
  key_valid,
  past_len,
  q_len,
  kv_len
};

/// The variable with this name, if any.
std::optional<Variable> variable_of(std::string_view name);

/// Into Code::nodes.
using NodeId = std::int32_t;
inline constexpr NodeId no_node = -1;

/// An integer or a truth value for each (q, kv).
struct Node {
  Op op = Op::constant;
  bool is_bool = false;
  NodeId a = no_node;
  NodeId b = no_node;
  NodeId c = no_node;
  Index value = 0;
  Range range;    ///< bytes of the text where it is first written
  int depth = 1;  ///< depth of its tree
};

/// A comparison as it is written: `left symbol right`, nodes[node].
struct Comparison {
  NodeId node = no_node;
  NodeId left = no_node;
  NodeId right = no_node;
  std::string symbol;
  Range range;
  Range left_range;
  Range right_range;
};

struct TermCode {
  std::string name;
  Range range;
  NodeId node = no_node;
  std::vector<std::size_t> guards;       ///< terms before it, joined by `and`: if one fails, this one is not evaluated
  std::vector<std::size_t> comparisons;  ///< into Code::comparisons
};

/// One side of an `or` at the top of a term, which can be turned off on its own.
struct BranchCode {
  std::string name;
  NodeId join = no_node;  ///< the `or`
  bool second = false;    ///< which of its operands
};

/// A free integer of a text. If it decides what the text means, as in `if causal:`, another value
/// makes another program.
struct IntegerUse {
  std::string name;
  std::optional<Index> default_value;
  Range range;            ///< where it is first used or assigned
  bool is_flag = false;   ///< True or False
  bool may_miss = false;  ///< None where it is not given
  bool decides = false;
  bool presence_decides = false;  ///< so does whether it is given, as in `if window is None:`
  bool is_truth = false;          ///< the text tests it as True or False: `if causal:`
};

/// A free name whose value is a text, or a fraction: it decides what the text of the mask means.
struct WordUse {
  std::string name;
  std::optional<std::string> default_value;
  std::vector<std::string> choices;  ///< what the text compares it with
  Range range;
};

/// Indices that a text uses for an array, which determine its length.
enum class IndexedBy { query, key, token /* both */, other };

/// Source of an array's values: given with the text, written in it, or computed from another array.
enum class ArraySource { given, literal, running_sum, count_below, count_up_to };

struct ArrayUse {
  std::string name;
  IndexedBy indexed_by = IndexedBy::other;
  Range range;
  bool may_miss = false;  ///< None where it is not given
  bool decides = false;   ///< other values of it make another program
  ArraySource source = ArraySource::given;
  std::vector<Index> values;  ///< of a literal
  std::vector<Index> shape;   ///< of a literal with several dimensions, row by row; empty: a list
  Index of = -1;              ///< earlier index into Code::arrays: the operand of a running sum or a count
};

/// `x[3]`, or `x[0, 3]` for a table: the element at an index that counts row by row.
std::string element_name(const ArrayUse& array, Index place);

/// A program with every name resolved and every function expanded. Each node occurs once, after its
/// operands.
struct Code {
  std::vector<Node> nodes;
  std::vector<Comparison> comparisons;
  std::vector<TermCode> terms;
  std::vector<BranchCode> branches;
  std::vector<IntegerUse> integers;
  std::vector<ArrayUse> arrays;
  std::vector<WordUse> words;
  std::vector<std::string> may_be_none;  ///< free names that the text compares with None
  std::vector<std::string> masks;  ///< candidates; the last is used unless the text ends in a mask or hands one over
  bool is_of_b = false, is_of_h = false;  ///< whether arrays were read for one sequence, or one head
  std::string mask;                       ///< the mask that is shown; empty: the text is a single expression
  std::vector<std::string> functions;     ///< names of the function that is the mask, and of those that return it
  std::vector<Index> shape;  ///< of a mask that is an array: [q, kv], [b, q, kv] or [b, h, q, kv]; empty: it is none

  const Node& at(NodeId id) const { return nodes[static_cast<std::size_t>(id)]; }
};

/// Removes the nodes that no term uses, and the names that only they use. Keeps what decides the
/// program.
void prune(Code& code);

/// Gives each term the comparisons that it uses.
void give_comparisons(Code& code);

/// Whether some term depends on that variable.
bool depends_on(const Code& code, Variable variable);

/// The same code in which branches that are not `on` let nothing through.
Code without_branches(Code code, const std::vector<bool>& on);

}  // namespace vqscope::language
