// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"
#include "core/base/method.h"
#include "widgets/session/session.h"

#include <QByteArray>
#include <QString>

#include <optional>
#include <stop_token>

namespace vqscope {

/// Size of a figure: `width` x `height` points of the page at 96 to the inch, drawn with `dpi` dots to the inch.
struct FigureOptions {
  int width = 800;
  int height = 640;
  int dpi = 192;
};

/// A figure for a paper: always light, text stays text in SVG and PDF, maps embedded losslessly, the same bytes for the
/// same request. Needs a QApplication (any platform) and its thread. `format`: png, svg or pdf. `cells`: the part of a
/// matrix to show; nothing: `look.view`, else all of it.
Result<QByteArray> renderFigure(const Method& method, const ParameterValues& values, const std::optional<Rect>& cells,
                                const WorkspaceState& look, const FigureOptions& options, const QString& format,
                                std::stop_token stop);

}  // namespace vqscope
