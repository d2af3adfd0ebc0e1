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

/// Names of the two sides of a difference, such as the files that they were read from; empty: what differs.
struct FigureSides {
  QString a;
  QString b;
};

/// Size of a figure: `width` x `height` points of the page at 96 to the inch (CSS pixels), painted with `dpi` dots per
/// inch.
struct FigureOptions {
  int width = 800;
  int height = 640;
  int dpi = 192;
  FigureSides sides = {};
  TokenTexts tokens = {};  ///< on the axes of tokens
};
constexpr int minFigureSide = 240;  ///< below, titles, numbers and legend leave no space for the picture
constexpr int maxFigureSide = 4096;
constexpr double figurePointsPerInch = 96;
constexpr int minFigureDpi = 36;
constexpr int maxFigureDpi = 1200;

/// After a stop: wait for the work, or let it end by itself. In the second case it must own everything that it uses.
enum class WhenStopped { wait, leave };

/// Runs long work and returns when it is done or abandoned. A window passes a function that runs it on another thread
/// and keeps the window responsive; steps that need the caller's thread, such as making a plot, stay there. Empty: runs
/// the work directly. An exception of the work is rethrown to the caller.
using Offload = std::function<void(const std::function<void()>& work, WhenStopped)>;
void runOffloaded(const Offload& offload, const std::function<void()>& work, WhenStopped = WhenStopped::wait);

/// The title line of a figure: the method, what differs in a difference, and the values.
QString figureTitle(const Method& method, const ParameterValues& values, const std::optional<ParameterValues>& minus,
                    const FigureSides& sides);

/// Results of a method that exist already; for a matrix, with the subtracted field of the look.
struct MadeBefore {
  std::shared_ptr<const Field> field = nullptr;
  const CurveSet* curves = nullptr;
};

/// A figure for a paper: light theme, text as text in SVG and PDF, maps embedded losslessly, equal bytes for equal
/// requests. Needs a QApplication (any platform) and its thread. `format`: png, svg or pdf. `cells`: the part of a
/// matrix to show; nothing: `look.view`, or all of it.
Result<QByteArray> renderFigure(const Method& method, const ParameterValues& values, const std::optional<Rect>& cells,
                                const WorkspaceState& look, const FigureOptions& options, const QString& format,
                                std::stop_token stop, const Offload& offload = {}, const MadeBefore& made = {});

}  // namespace vqscope
