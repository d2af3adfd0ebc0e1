// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/output/export_request.h"
#include "widgets/page/page_widget.h"

#include <QString>

#include <optional>
#include <vector>

namespace vqscope {

enum class FigurePart { whole, visible, block };

/// A view that a figure can have as a panel, with what the editor has set for it.
struct FigureView {
  QString name;                      ///< in the list of views
  FigurePanel panel;                 ///< without cells
  std::optional<ViewRange> visible;  ///< for a matrix: the visible range, if it is not the whole
  bool isChosen = false;
  bool isPinned = false;  ///< the session keeps it
  FigurePart part = FigurePart::whole;
  QString rows = {};  ///< of a block, as typed; empty: not typed yet
  QString cols = {};
};

/// A view that the editor can add. `page`: its title; empty: the page in front.
struct FigureOffer {
  QString page;
  FigureView view;
};

/// Characters of 16 bits of a title, each of which has up to 3 bytes in a file.
constexpr int longestLabel = static_cast<int>(longest_figure_label / 3);

/// The views of a page for its targets: in a comparison also A, B and A − B. `asked`: the target
/// whose export was asked for, which is chosen with the other side of a comparison beside it.
std::vector<FigureView> figureViews(const std::vector<ExportTarget>& targets, std::size_t asked, const ShownPage& look,
                                    const TokenTexts& tokens);

/// A view that the session keeps, and the view as it is to be kept.
FigureView figureView(const PinnedView& pin);
PinnedView pinOf(const FigureView& view);

/// The cells that are in view, also in part.
Rect cellsIn(const ViewRange& view, Extent extent);

/// "12:40" as rows 12 to 39 of `count`; either side may be left out.
Result<Range> parseRange(const QString& text, Index count, const QString& name);

/// The cells of the chosen part, once the matrix exists; nothing: the whole.
Result<std::optional<Rect>> cellsOf(const FigureView& view);

/// The panel with its cells.
Result<FigurePanel> panelOf(const FigureView& view);

/// The title that the view has by itself.
QString ownTitleOf(const FigureView& view);

}  // namespace vqscope
