// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/language/code/bound_array.h"
#include "core/mask/language/code/code.h"

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace vqscope::language {

/// Values with which a program is evaluated. Arrays of variables are indexed by query or key.
struct Environment {
  Extent extent;
  Index b = 0;
  Index h = 0;
  Index past_len = 0;
  std::vector<Index> integers;   ///< in the order of Code::integers
  std::vector<ArrayPtr> arrays;  ///< in the order of Code::arrays
  ArrayPtr q_pos, kv_pos, q_doc, kv_doc, key_valid;
};

/// Why a cell has no value: bytes of the text, and a sentence.
struct CellError {
  Range range;
  std::string message;
};

/// Evaluates one cell node by node: the definition of what a program means. Each node is evaluated
/// at most once, and only if `and`, `or` and `if` reach it.
class PlainEvaluator {
 public:
  PlainEvaluator(const Code& code, const Environment& environment)
      : m_code(code), m_environment(environment), m_values(code.nodes.size()), m_done(code.nodes.size()) {}

  /// Forgets the last cell.
  void move_to(Index q, Index kv);

  Index q() const { return m_q; }
  Index kv() const { return m_kv; }
  const Environment& environment() const { return m_environment; }

  /// The value of a node at the cell; empty: error() has the reason.
  std::optional<Index> evaluate(NodeId id);
  const CellError& error() const { return m_error; }
  void clear_error() { m_failed = false; }

  /// The value of a node if evaluate() reached it.
  std::optional<Index> known(NodeId id) const;

 private:
  std::optional<Index> compute(const Node& node);
  std::optional<Index> variable(Variable variable) const;
  std::optional<Index> element(const Node& node, Index index);
  std::optional<Index> along(const Node& node, Index index);
  std::optional<Index> arithmetic(const Node& node, Index a, Index b);
  std::optional<Index> applied(const Node& node, const Operator& row, Index a, Index b);
  std::optional<Index> fail(const Node& node, std::string message);

  const Code& m_code;
  const Environment& m_environment;
  Index m_q = 0;
  Index m_kv = 0;
  std::vector<Index> m_values;
  std::vector<std::uint32_t> m_done;  ///< the cell for which a value holds
  std::uint32_t m_cell = 0;
  bool m_failed = false;
  CellError m_error;
};

}  // namespace vqscope::language
