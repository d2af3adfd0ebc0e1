// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"
#include "core/method/method.h"
#include "core/session/session.h"

#include <QByteArray>
#include <QString>

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>

namespace vqscope {

/// Size of a figure: `width` x `height` points of the page at 96 to the inch (CSS pixels), drawn with `dpi` dots to the
/// inch.
struct FigureOptions {
  int width = 800;
  int height = 640;
  int dpi = 192;
};
constexpr int minFigureSide = 240;  ///< smaller, and titles, numbers and a legend leave no room for the picture
constexpr int maxFigureSide = 4096;
constexpr double figurePointsPerInch = 96;
constexpr int minFigureDpi = 36;
constexpr int maxFigureDpi = 1200;

/// Whether work that was told to stop is waited for, or left to end by itself: it then owns all that it looks at.
enum class WhenStopped { wait, leave };

/// Runs work that may take long, and returns when it is done or left. A window gives a function that runs it on another
/// thread and stays alive meanwhile; what needs the caller's thread, as making a plot does, stays there. Empty: right
/// here. An exception of the work comes back to the caller.
using Offload = std::function<void(const std::function<void()>& work, WhenStopped)>;
void runOffloaded(const Offload& offload, const std::function<void()>& work, WhenStopped = WhenStopped::wait);

/// What a method has made, where that is there already: of a matrix with what the look subtracts.
struct MadeBefore {
  std::shared_ptr<const Field> field = nullptr;
  const CurveSet* curves = nullptr;
};

/// A figure for a paper: always light, text stays text in SVG and PDF, maps embedded losslessly, the same bytes for the
/// same request. Needs a QApplication (any platform) and its thread. `format`: png, svg or pdf. `cells`: the part of a
/// matrix to show; nothing: `look.view`, else all of it.
Result<QByteArray> renderFigure(const Method& method, const ParameterValues& values, const std::optional<Rect>& cells,
                                const WorkspaceState& look, const FigureOptions& options, const QString& format,
                                std::stop_token stop, const Offload& offload = {}, const MadeBefore& made = {});

}  // namespace vqscope
