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

/// The variable of a name that means one.
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
  Range range;    ///< bytes of the text that say so first
  int depth = 1;  ///< of the tree below
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
  std::vector<std::size_t> guards;       ///< terms before it, joined by `and`: where one fails this one is not asked
  std::vector<std::size_t> comparisons;  ///< into Code::comparisons
};

/// One side of an `or` at the top of a term, which can be left out by itself.
struct BranchCode {
  std::string name;
  NodeId join = no_node;  ///< the `or`
  bool second = false;    ///< which of its operands
};

/// An integer that a text leaves free. Where it decides what the text means, as in `if causal:`, another value of it
/// makes another program.
struct IntegerUse {
  std::string name;
  std::optional<Index> fallback;
  Range range;            ///< where it is used or assigned first
  bool is_flag = false;   ///< True or False
  bool may_miss = false;  ///< None where it is not given
  bool decides = false;
  bool is_asked_for = false;  ///< so does whether it is given, as in `if window is None:`
};

/// What a text indexes an array with, to say how long it must be.
enum class IndexedBy { query, key, token /* both */, other };

/// What an array's values are: given beside the text, written in it, or made of another array's.
enum class ArraySource { given, literal, running_sum, count_below, count_up_to };

struct ArrayUse {
  std::string name;
  IndexedBy indexed_by = IndexedBy::other;
  Range range;
  bool may_miss = false;  ///< None where it is not given
  bool decides = false;   ///< other values of it make another program
  ArraySource source = ArraySource::given;
  std::vector<Index> values;  ///< of a literal
  std::vector<Index> shape;   ///< of a literal of several sides, row by row; empty: a list
  Index of = -1;              ///< into Code::arrays, before this one: what a running sum or a count is made of
};

/// `x[3]`, of a table `x[0, 3]`: the element at a place that counts row by row.
std::string element_name(const ArrayUse& array, Index place);

/// A program with every name resolved and every function put in place. Each node stands once, after its operands.
struct Code {
  std::vector<Node> nodes;
  std::vector<Comparison> comparisons;
  std::vector<TermCode> terms;
  std::vector<BranchCode> branches;
  std::vector<IntegerUse> integers;
  std::vector<ArrayUse> arrays;
  std::vector<std::string> masks;  ///< of which a reader would take the last, where the text hands over or ends in none
  bool is_of_b = false, is_of_h = false;  ///< whether arrays were read for one sequence of the batch, or one head
  std::string mask;                       ///< the one that is shown; empty: the text is a single expression

  const Node& at(NodeId id) const { return nodes[static_cast<std::size_t>(id)]; }
};

/// Leaves out the nodes that no term is made of, and the names that only they use; what decides the program stays.
void prune(Code& code);

/// Gives each term the comparisons that it is made of.
void give_comparisons(Code& code);

/// Whether a term is made of that variable, among others.
bool depends_on(const Code& code, Variable variable);

/// The same code where those of its branches that are not `on` let nothing through.
Code without_branches(Code code, const std::vector<bool>& on);

}  // namespace vqscope::language
