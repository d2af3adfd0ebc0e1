// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/session/session.h"

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
  /// The stops that contain here, from the largest, each within the one before it; not the whole, and not here.
  std::vector<ViewRange> around() const;
  void clear();

 private:
  std::vector<std::optional<ViewRange>> m_past;
  std::optional<ViewRange> m_here;
  std::optional<double> m_begin;  ///< cells of the range at the first step of the current stop; nothing: a jump
};

}  // namespace vqscope
