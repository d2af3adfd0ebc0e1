// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/page_print.h"

#include "widgets/dialog/export_run.h"
#include "widgets/export/figure.h"

#include <QCoreApplication>
#include <QImage>
#include <QPainter>
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
  ExportRun run(printText("to the printer"), window);
  const auto bytes = renderFigure(panels, specOf(printer), QStringLiteral("png"), run.token(), {.away = run.offload()});
  if (!bytes) return bytes.error();
  const QImage figure = QImage::fromData(*bytes);
  QPainter painter;
  if (!painter.begin(&printer)) return Error{Errc::io, printText("the printer cannot be used").toStdString()};
  const QRectF page(painter.viewport());
  const QSizeF size = QSizeF(figure.size()).scaled(page.size(), Qt::KeepAspectRatio);
  painter.drawImage(QRectF(page.topLeft(), size), figure);
  painter.end();
  return {};
}

}  // namespace vqscope
