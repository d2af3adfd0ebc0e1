// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/export/figure.h"

#include "core/curve/curve_set.h"
#include "core/field/difference_field.h"
#include "widgets/plot/curve_plot.h"
#include "widgets/plot/matrix_plot.h"
#include "widgets/plot/value_summary.h"
#include "widgets/theme/fonts.h"
#include "widgets/theme/palette.h"

#include <qcustomplot.h>

#include <QBuffer>
#include <QPageSize>
#include <QPdfWriter>
#include <QRegularExpression>
#include <QSvgGenerator>

namespace vqscope {
namespace {

constexpr double pointsPerInch = 96;
constexpr Index figureBudget = Index{1} << 27;  // cells visited for a field without a closed form

/// A title line above the plot, as the view's header has it.
void addTitle(QCustomPlot& plot, const Method& method, const ParameterValues& values, const QString& note) {
  const Palette& colours = palette(Theme::light);
  plot.plotLayout()->insertRow(0);
  auto* title = new QCPTextElement(
      &plot, QString::fromStdString(method.title) + QStringLiteral("   ") + valueSummary(method, values) + note);
  title->setFont(uiFont());
  title->setTextColor(colours.text);
  title->setTextFlags(Qt::AlignLeft | Qt::AlignVCenter);
  title->setMargins(QMargins(12, 8, 12, 0));
  plot.plotLayout()->addElement(0, 0, title);
}

ViewRange shownRange(const Field& field, const std::optional<Rect>& cells, const WorkspaceState& look) {
  if (cells)
    return {static_cast<double>(cells->rows.begin), static_cast<double>(cells->rows.end),
            static_cast<double>(cells->cols.begin), static_cast<double>(cells->cols.end)};
  return look.view ? *look.view : wholeRange(field);
}

/// Margins depend on tick labels and the number of ticks on the room that margins leave: known after two layouts.
void layOut(QCustomPlot& plot, const FigureOptions& options) {
  plot.setViewport(QRect(0, 0, options.width, options.height));
  for (int pass = 0; pass < 2; ++pass) plot.replot(QCustomPlot::rpImmediateRefresh);
}

Result<void> fillMatrix(QCustomPlot& plot, const Method& method, const ParameterValues& values,
                        const std::optional<Rect>& cells, const WorkspaceState& look, const FigureOptions& options,
                        std::stop_token stop) {
  const auto minus = subtrahend(method, look);
  auto field = make_compared_field(method, values, minus);
  if (!field) return field.error();
  MatrixPlot map(plot);
  map.setColours(palette(Theme::light));
  map.setTitles(QString::fromStdString(method.field()->row_title), QString::fromStdString(method.field()->col_title));
  PictureRequest request{*field,
                         shownRange(**field, cells, look),
                         {1, 1},
                         look.aggregate,
                         minus ? differenceScale(false) : colourScale(method, **field, values, look.colour_map, false)};
  map.setRange(request.range);
  auto picture = renderPicture(request, figureBudget, 1, stop);
  if (picture) {
    map.setPicture(picture, values);  // for the legend's height
    QString note = minus ? QCustomPlot::tr("   minus   %1").arg(valueSummary(method, *minus)) : QString();
    if (!picture->exact) note += QCustomPlot::tr("   sampled");
    addTitle(plot, method, values, note);
    layOut(plot, options);
    request.pixels = map.mapSize() * (options.dpi / pointsPerInch);
    picture = renderPicture(request, figureBudget, 2, stop);
  }
  if (!picture) return stop.stop_requested() ? cancelled() : invalid("nothing of the matrix is in the chosen range");
  map.setPicture(picture, values);
  return {};
}

Result<void> fillCurves(QCustomPlot& plot, const Method& method, const ParameterValues& values,
                        const FigureOptions& options, std::stop_token stop) {
  auto curves = make_curves(method, values, std::move(stop));
  if (!curves) return curves.error();
  auto* curvePlot = new CurvePlot(plot);
  curvePlot->setColours(palette(Theme::light));
  curvePlot->setCurves(*curves);
  addTitle(plot, method, values, {});
  layOut(plot, options);
  return {};
}

void paint(QCustomPlot& plot, QPaintDevice& device, const FigureOptions& options, QCPPainter::PainterModes modes) {
  QCPPainter painter(&device);
  painter.setRenderHint(QPainter::LosslessImageRendering);
  painter.setModes(modes);
  plot.toPainter(&painter, options.width, options.height);
}

constexpr auto vectorModes = QCPPainter::pmVectorized | QCPPainter::pmNoCaching | QCPPainter::pmNonCosmetic;

QByteArray paintPng(QCustomPlot& plot, const FigureOptions& options) {
  const double scale = options.dpi / pointsPerInch;
  QImage image((QSizeF(options.width, options.height) * scale).toSize(), QImage::Format_RGB32);
  image.fill(palette(Theme::light).panel);
  image.setDevicePixelRatio(scale);
  const int dotsPerMetre = qRound(options.dpi / 0.0254);
  paint(plot, image, options, QCPPainter::pmNoCaching);
  image.setDotsPerMeterX(dotsPerMetre);
  image.setDotsPerMeterY(dotsPerMetre);
  QBuffer buffer;
  buffer.open(QIODevice::WriteOnly);
  image.save(&buffer, "PNG");
  return buffer.data();
}

QByteArray paintSvg(QCustomPlot& plot, const Method& method, const FigureOptions& options) {
  QBuffer buffer;
  QSvgGenerator generator;
  generator.setOutputDevice(&buffer);
  generator.setSize({options.width, options.height});
  generator.setViewBox(QRect(0, 0, options.width, options.height));
  generator.setResolution(static_cast<int>(pointsPerInch));
  generator.setTitle(QString::fromStdString(method.title));
  generator.setDescription(QStringLiteral("VQScope"));
  paint(plot, generator, options, vectorModes);
  return buffer.data();
}

/// The writer stamps the time into the file; the same figure shall be the same bytes, so the stamp is made constant,
/// its length kept because offsets count it.
QByteArray withoutTime(const QByteArray& pdf) {
  static const QRegularExpression stamp(QStringLiteral("/CreationDate \\(D:([^)]*)\\)"));
  QString text = QString::fromLatin1(pdf);
  const auto match = stamp.match(text);
  if (match.hasMatch()) {
    QByteArray fixed = pdf;
    const QByteArray zero("20000101000000+00'00'");
    for (qsizetype i = 0; i < match.capturedLength(1); ++i)
      fixed[match.capturedStart(1) + i] = i < zero.size() ? zero[i] : '0';
    return fixed;
  }
  return pdf;
}

QByteArray paintPdf(QCustomPlot& plot, const Method& method, const FigureOptions& options) {
  QBuffer buffer;
  buffer.open(QIODevice::WriteOnly);
  {
    QPdfWriter writer(&buffer);
    writer.setTitle(QString::fromStdString(method.title));
    writer.setCreator(QStringLiteral("VQScope"));
    writer.setResolution(static_cast<int>(pointsPerInch));
    const QSizeF page = QSizeF(options.width, options.height) * (72 / pointsPerInch);
    writer.setPageSize(QPageSize(page, QPageSize::Point, QString(), QPageSize::ExactMatch));
    writer.setPageMargins(QMarginsF());
    paint(plot, writer, options, vectorModes);
  }
  return withoutTime(buffer.data());
}

}  // namespace

Result<QByteArray> renderFigure(const Method& method, const ParameterValues& values, const std::optional<Rect>& cells,
                                const WorkspaceState& look, const FigureOptions& options, const QString& format,
                                std::stop_token stop) {
  QCustomPlot plot;
  plot.resize(options.width, options.height);
  const auto filled = method.field() ? fillMatrix(plot, method, values, cells, look, options, stop)
                                     : fillCurves(plot, method, values, options, stop);
  if (!filled) return filled.error();
  if (stop.stop_requested()) return cancelled();
  if (format == QLatin1String("png")) return paintPng(plot, options);
  if (format == QLatin1String("svg")) return paintSvg(plot, method, options);
  return paintPdf(plot, method, options);
}

}  // namespace vqscope
