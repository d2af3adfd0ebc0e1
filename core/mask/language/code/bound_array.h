// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"
#include "core/base/result.h"
#include "core/mask/language/code/code.h"

#include <memory>
#include <span>
#include <vector>

namespace vqscope::language {

/// Values over a range of indices: first + slope * (i - range.begin); slope is 0 or 1.
struct ArrayPiece {
  Range range;
  Index first = 0;
  Index slope = 0;
  Index at(Index i) const { return first + slope * (i - range.begin); }
  Index last() const { return at(range.end - 1); }
};

struct Bounds {
  Index low = 0;
  Index high = 0;
  friend bool operator==(const Bounds&, const Bounds&) = default;
};

/// An array, run-length encoded into runs that are constant or increase by one. An array that was
/// given value by value also keeps its values. Immutable.
class BoundArray {
 public:
  explicit BoundArray(std::vector<Index> values);
  /// Contiguous pieces from index 0.
  explicit BoundArray(std::vector<ArrayPiece> pieces);

  Index size() const { return m_pieces.empty() ? 0 : m_pieces.back().range.end; }
  Index at(Index i) const { return m_values.empty() ? piece_of(i).at(i) : m_values[static_cast<std::size_t>(i)]; }
  std::span<const ArrayPiece> pieces() const { return m_pieces; }
  /// The single values; empty if the array was made of pieces.
  std::span<const Index> values() const { return m_values; }

  /// Index into pieces() of the piece that holds i.
  std::size_t piece_index(Index i) const;

  /// Smallest and largest of the values in a range that is not empty and in [0, size()).
  Bounds bounds(Range range) const;

 private:
  const ArrayPiece& piece_of(Index i) const { return m_pieces[piece_index(i)]; }
  void index_bounds();
  Bounds piece_bounds(std::size_t first, std::size_t last) const;

  std::vector<Index> m_values;
  std::vector<ArrayPiece> m_pieces;
  std::vector<std::vector<Bounds>> m_blocks;  ///< [k][i]: bounds of 2^k blocks of pieces from block i on
};

using ArrayPtr = std::shared_ptr<const BoundArray>;

/// The values of an array that the text itself defines: a literal, or an array computed from one of
/// `before`, the arrays before it. A count has, for each i from 0, the number of values below i, or
/// up to i; the values must not decrease.
Result<ArrayPtr> array_of_text(const ArrayUse& use, std::span<const ArrayPtr> before);

}  // namespace vqscope::language
