// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/page_print.h"

#include "widgets/dialog/export_run.h"
#include "widgets/export/figure.h"

#include <QCoreApplication>
#include <QPrinter>

#include <algorithm>

namespace vqscope {
namespace {

constexpr int printDpi = 300;

QString printText(const char* sentence) { return QCoreApplication::translate("printFigure", sentence); }

/// A figure of the size of the page within its margins.
FigureSpec specOf(const QPrinter& printer) {
  const QRectF page = printer.pageLayout().paintRect(QPageLayout::Inch);
  const auto side = [](double inches) {
    return std::clamp(inches * figure_points_per_inch, least_figure_side, most_figure_side);
  };
  return {.width = side(page.width()), .height = side(page.height()), .dpi = printDpi};
}

}  // namespace

Result<void> printFigure(const std::vector<FigurePanel>& panels, QPrinter& printer, QWidget* window) {
  printer.setResolution(static_cast<int>(figure_points_per_inch));  // of sizes of text; images have more
  ExportRun run(printText("to the printer"), window);
  auto printed = paintFigure(panels, specOf(printer), printer, run.token(), {.away = run.offload()});
  if (!printed && printed.error().code == Errc::io)
    return Error{Errc::io, printText("the printer cannot be used").toStdString()};
  return printed;
}

}  // namespace vqscope
