// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/field/field.h"
#include "core/session/session.h"
#include "widgets/plot/matrix_cursor.h"

#include <QSize>

#include <optional>
#include <vector>

namespace vqscope {

/// The visited ranges of a map, to go back to. A range is one of the whole matrix, or nothing: the
/// whole. Wheel and drag move in small steps: they are one stop of the trail until the zoom is 16
/// times that of its beginning.
class ZoomTrail {
 public:
  enum class Move { step, jump };

  /// The map now shows `range`.
  void visit(const std::optional<ViewRange>& range, Move move);
  const std::optional<ViewRange>& here() const { return m_here; }
  bool canGoBack() const { return !m_past.empty(); }
  /// Leaves here for the stop before it, which is returned.
  std::optional<ViewRange> back();
  /// The stops that contain here, from the largest, each within the one before it; not the whole,
  /// and not here.
  std::vector<ViewRange> around() const;
  void clear();

 private:
  std::vector<std::optional<ViewRange>> m_past;
  std::optional<ViewRange> m_here;
  std::optional<double> m_begin;  ///< cells of the range at the first step of the current stop; nothing: a jump
};

/// The range within the matrix, as large as it was if the matrix is as large.
ViewRange fitted(ViewRange range, Extent extent);

/// The range made `factor` times as large: around the cell if it is in view, so that it stays in
/// place, else around the centre.
ViewRange scaled(ViewRange range, double factor, const std::optional<Cell>& around);

/// The range moved as little as shows the cell: not at all, or with the cell in its middle.
ViewRange revealing(ViewRange range, Cell cell);

/// A range with the cell in its middle, in which cells are `pixels` wide and high on a map of this
/// size, if the matrix is that large.
ViewRange rangeAround(Cell cell, double pixels, Extent extent, QSize map);

}  // namespace vqscope
