// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"
#include "core/method/method.h"
#include "core/output/export_request.h"
#include "core/session/session.h"

#include <QByteArray>
#include <QString>

#include <optional>
#include <stop_token>

namespace vqscope {

/// The title line of a figure: the method, what differs in a difference, and the values.
QString figureTitle(const Method& method, const ParameterValues& values, const std::optional<ParameterValues>& minus,
                    const FigureSides& sides);

/// A figure for a paper: light theme, text as text in SVG and PDF, maps embedded losslessly, equal
/// bytes for equal requests. Needs a QApplication (any platform) and its thread. `format`: png, svg
/// or pdf. `cells`: the part of a matrix to show; nothing: `look.view`, or all of it.
Result<QByteArray> renderFigure(const Method& method, const ParameterValues& values, const std::optional<Rect>& cells,
                                const ShownPage& look, const FigureOptions& options, const QString& format,
                                std::stop_token stop, const Offload& offload = {}, const MadeBefore& made = {});

/// The maker of figures for exports of this program, with an existing QApplication.
FigureMaker qtFigureMaker();

}  // namespace vqscope
