// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/language/solve/query_key_sum.h"
#include "core/mask/language/solve/region_work.h"

#include <optional>
#include <vector>

namespace vqscope::language {

/// Maximum depth of nodes; deeper ones are not solved.
inline constexpr int deepest_node = 400;

/// Integers of a program as sums f(query) + g(key), if they are one sum everywhere.
class NodeSums {
 public:
  /// `row`: the only row that is needed.
  NodeSums(const BoundProgram& program, const std::vector<PiecesPtr>& pieces, std::optional<Index> row,
           RegionWork& work)
      : m_program(program), m_pieces(pieces), m_row(row), m_work(work) {}

  /// The function for a node that depends only on the query, only on the key, or on neither.
  std::optional<Part> part_of(NodeId id) const;

  /// A node that is one sum everywhere, independent of any region.
  std::optional<Sum> plain_sum(NodeId id, int depth);

  /// sum += other; false if the result cannot be written as a sum.
  bool add(Sum& sum, const Sum& other);
  std::optional<Sum> difference_of(const Sum& a, Sum b);

 private:
  bool add_part(Part& sum, const Part& other);

  const BoundProgram& m_program;
  const std::vector<PiecesPtr>& m_pieces;
  std::optional<Index> m_row;
  RegionWork& m_work;
};

}  // namespace vqscope::language
