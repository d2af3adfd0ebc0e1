// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/output/export_request.h"
#include "widgets/export/panel_plot.h"

#include <QByteArray>
#include <QImage>
#include <QString>

#include <functional>
#include <stop_token>
#include <vector>

class QPaintDevice;

namespace vqscope {

/// Where the parts of a figure are made.
struct FigureThreads {
  Offload away = {};  ///< long work; empty: on the thread that asks for the figure
  /// Steps that touch plots, on the thread of the application; empty: the thread that asks for the
  /// figure is that one. After a stop, a step may be left out.
  std::function<void(const std::function<void()>& step)> here = {};
};

/// A figure for a paper: text as text in SVG and PDF, maps embedded losslessly, equal bytes for
/// equal arguments, whatever the theme of the window. Needs a QApplication (any platform). `format`:
/// png, svg or pdf.
Result<QByteArray> renderFigure(const std::vector<FigurePanel>& panels, const FigureSpec& spec, const QString& format,
                                std::stop_token stop, const FigureThreads& threads = {});

/// The same in two steps, for those who show a figure before its file is there: the pixels of a PNG,
/// and its bytes.
Result<QImage> renderPixels(const std::vector<FigurePanel>& panels, const FigureSpec& spec, std::stop_token stop,
                            const FigureThreads& threads = {});
Result<QByteArray> pngFile(const QImage& pixels, const std::vector<FigurePanel>& panels, const FigureSpec& spec,
                           std::stop_token stop);

/// Paints the figure on a page within its margins, where text stays text. `page` is used on the
/// thread of long work.
Result<void> paintFigure(const std::vector<FigurePanel>& panels, const FigureSpec& spec, QPaintDevice& page,
                         std::stop_token stop, const FigureThreads& threads = {});

/// The maker of figures for exports of this program, with an existing QApplication.
FigureMaker qtFigureMaker();

}  // namespace vqscope
