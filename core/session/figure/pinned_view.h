// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/session/figure/figure_spec.h"
#include "core/session/figure/view_look.h"
#include "core/session/subject/token_texts.h"

#include <optional>
#include <span>
#include <string>

namespace vqscope {

/// A view that a session keeps as a panel of a figure, by its values: pages that change leave it as
/// it is.
struct PinnedView {
  std::string method;  ///< id
  ParameterValues values;
  std::optional<ParameterValues> minus = {};  ///< of the matrix that is subtracted
  ParameterValues lint = {};                  ///< of a mask, as far as it was set: its labels stand beside it
  std::optional<ViewRange> view = {};         ///< of a matrix; nothing: the whole
  Aggregate aggregate = Aggregate::automatic;
  std::string colour_map = {};  ///< empty: the one that fits the method
  bool keep_aspect = false;
  std::optional<CurveAxes> axes = {};  ///< of curves, if they are not the method's own
  FigureSides sides = {};
  TokenTexts tokens = {};  ///< on the axes of tokens
  FigureLabels labels = {};
  friend bool operator==(const PinnedView&, const PinnedView&) = default;
};
constexpr std::size_t most_pinned_views = std::size_t{most_grid_side} * most_grid_side;

/// Whether the view can be kept and is the same when read back. Tensors that are lost are no error.
Result<void> check_pinned(const PinnedView& pin);

/// At most so many, each of them valid.
Result<void> check_pins(std::span<const PinnedView> pins);

}  // namespace vqscope
