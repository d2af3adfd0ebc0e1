// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/export/figure.h"

#include "core/base/text.h"
#include "core/field/tile_grid.h"
#include "core/method/compared.h"
#include "core/method/curve_set.h"
#include "widgets/export/figure_title.h"
#include "widgets/export/pdf_time.h"
#include "widgets/parts/spare_memory.h"
#include "widgets/parts/text.h"
#include "widgets/plot/curve_plot.h"
#include "widgets/plot/matrix_plot.h"
#include "widgets/plot/row_marks.h"
#include "widgets/plot/title/compared_title.h"
#include "widgets/plot/value_summary.h"
#include "widgets/session/field_scheduler.h"
#include "widgets/theme/palette.h"

#include <qcustomplot.h>

#include <QBuffer>
#include <QHash>
#include <QPageSize>
#include <QPdfWriter>
#include <QSvgGenerator>
#include <QThread>

#include <memory>

namespace vqscope {
namespace {

constexpr Index figureCells = Index{1} << 27;  // cells visited for a field without a closed form

/// A title line above the plot, with the text of the view's header.
FigureTitle* addTitle(QCustomPlot& plot, const QString& text) {
  plot.plotLayout()->insertRow(0);
  auto* title = new FigureTitle(&plot, figureStyle());
  title->setText(text);
  plot.plotLayout()->addElement(0, 0, title);
  return title;
}

QString withSubtitle(const Method& method, const QString& subtitle) {
  const QString title = QString::fromStdString(method.title);
  return subtitle.isEmpty() ? title : title + QStringLiteral("   ") + subtitle;
}

ViewRange shownRange(const Field& field, const std::optional<Rect>& cells, const ShownPage& look) {
  if (cells)
    return {static_cast<double>(cells->rows.begin), static_cast<double>(cells->rows.end),
            static_cast<double>(cells->cols.begin), static_cast<double>(cells->cols.end)};
  ViewRange range = look.view.value_or(wholeRange(field));
  clamp_span(range.row_first, range.row_last, field.extent().rows);
  clamp_span(range.col_first, range.col_last, field.extent().cols);
  return range;
}

/// Margins depend on tick labels, and the number of ticks on the space between the margins: two
/// layouts are needed.
void layOut(QCustomPlot& plot, const FigureOptions& options) {
  plot.setViewport(QRect(0, 0, options.width, options.height));
  for (int pass = 0; pass < 2; ++pass) plot.replot(QCustomPlot::rpImmediateRefresh);
}

/// Square cells, as far as there is room. Repeats, because ticks depend on the size that they
/// change.
bool makeSquare(QCustomPlot& plot, MatrixPlot& map, const FigureOptions& options) {
  const ViewRange range = map.range();
  QSize before;
  bool square = true;
  for (int pass = 0; pass < 4 && before != map.mapSize(); ++pass) {
    before = map.mapSize();
    square = map.setAspect(QSizeF(range.col_last - range.col_first, range.row_last - range.row_first));
    layOut(plot, options);
  }
  return square;
}

/// For a vector format, Qt would convert the pixels on its own threads, and wait for ever for
/// threads that it could not start. Pixels are opaque or fully transparent, so premultiplied and
/// plain colours are equal.
std::shared_ptr<const MatrixPicture> withoutConversion(std::shared_ptr<const MatrixPicture> picture) {
  auto same = std::make_shared<MatrixPicture>(*picture);
  picture.reset();
  same->image.reinterpretAsFormat(QImage::Format_ARGB32);
  return same;
}

Result<void> fillMatrix(QCustomPlot& plot, const Method& method, const ParameterValues& values,
                        const std::optional<Rect>& cells, const ShownPage& look, const FigureOptions& options,
                        const QString& format, std::stop_token stop, const Offload& offload,
                        std::shared_ptr<const Field> field) {
  const auto minus = subtrahend(method, look);
  if (!field) {
    auto made = make_compared_field(method, values, minus, {.progress = {}, .stop = stop});
    if (!made) return made.error();
    field = std::move(*made);
  }
  const double scale = options.dpi / figure_points_per_inch;
  PictureRequest request{field,
                         shownRange(*field, cells, look),
                         {},
                         look.aggregate,
                         minus ? differenceScale(method, values, *minus, field, false)
                               : colourScale(method, field, values, look.colour_map, false),
                         scale};
  MatrixPlot map(plot);
  map.setStyle(figureStyle());
  map.setTitles(QString::fromStdString(method.field()->row_title), QString::fromStdString(method.field()->col_title));
  map.setTokens(options.tokens, token_axes(method, values));
  map.setRange(request.range);
  map.setScale(request.scale);
  map.setRowMarks(lossMarks(look, field->extent().rows));
  FigureTitle* title = addTitle(plot, figureTitle(method, values, minus, options.sides));
  layOut(plot, options);
  if (look.keep_aspect && !makeSquare(plot, map, options)) {
    title->setText(title->text() + QStringLiteral("   ") + notSquare());
    layOut(plot, options);
  }
  std::shared_ptr<const MatrixPicture> picture;
  // The legend of a picture may change the size of the map.
  for (int pass = 0; pass < 3; ++pass) {
    const QSize pixels = (QSizeF(map.mapSize()) * scale).toSize();
    if (pixels == request.pixels) break;
    request.pixels = pixels;
    std::optional<Error> why;
    run_offloaded(offload, [&] {
      picture = renderPicture(request, {figureCells, FieldScheduler::threads()}, stop, &why);
    });
    if (stop.stop_requested()) return cancelled();
    if (!picture) return why ? *why : invalid("the chosen range contains no cell of the matrix");
    map.setPicture(format == QLatin1String("png") ? picture : withoutConversion(picture));
    layOut(plot, options);
    if (look.keep_aspect) makeSquare(plot, map, options);
  }
  if (!picture->exact) title->setText(title->text() + QCustomPlot::tr("   sampled"));
  return {};
}

Result<void> fillCurves(QCustomPlot& plot, const Method& method, const ParameterValues& values, const ShownPage& look,
                        const FigureOptions& options, std::stop_token stop, const Offload& offload,
                        const CurveSet* curves) {
  std::optional<Result<CurveSet>> made;
  if (!curves) {
    run_offloaded(offload, [&] { made.emplace(make_curves(method, values, {{}, std::move(stop)})); });
    if (!*made) return made->error();
    curves = &**made;
  }
  auto* curvePlot = new CurvePlot(plot);
  curvePlot->setStyle(figureStyle());
  curvePlot->setCurves(*curves);
  if (const auto axes = look.axes.find(method.id); axes != look.axes.end())
    curvePlot->setLogAxes(axes->second.log_x, axes->second.log_y);
  addTitle(plot, figureTitle(method, values, std::nullopt, {}));
  layOut(plot, options);
  return {};
}

/// A figure that is laid out, with everything needed to paint it, so that painting can go on after
/// its caller has left.
struct Painting {
  std::shared_ptr<QCustomPlot> plot;
  QString title;
  FigureOptions options;
  QString format;
  std::stop_token stop;
  QByteArray bytes;  ///< of the file
};

/// Deletes a widget on the thread that made it.
std::shared_ptr<QCustomPlot> makePlot(const FigureOptions& options) {
  std::shared_ptr<QCustomPlot> plot(new QCustomPlot, [](QCustomPlot* gone) {
    if (gone->thread() == QThread::currentThread())
      delete gone;
    else
      gone->deleteLater();
  });
  plot->resize(options.width, options.height);
  return plot;
}

void paint(QCustomPlot& plot, QPaintDevice& device, const FigureOptions& options, QCPPainter::PainterModes modes) {
  QCPPainter painter(&device);
  painter.setRenderHint(QPainter::LosslessImageRendering);
  painter.setModes(modes);
  plot.toPainter(&painter, options.width, options.height);
}

constexpr auto vectorModes = QCPPainter::pmVectorized | QCPPainter::pmNoCaching | QCPPainter::pmNonCosmetic;

/// A buffer in memory that refuses bytes after a stop, which ends the writer.
class StoppableBuffer : public QIODevice {
 public:
  explicit StoppableBuffer(std::stop_token stop) : m_stop(std::move(stop)) { open(QIODevice::WriteOnly); }
  const QByteArray& bytes() const { return m_bytes; }

 protected:
  qint64 readData(char*, qint64) override { return -1; }
  qint64 writeData(const char* data, qint64 size) override {
    if (m_stop.stop_requested()) return -1;
    m_bytes.append(data, size);
    return size;
  }

 private:
  std::stop_token m_stop;
  QByteArray m_bytes;
};

QSize pixelsOf(const FigureOptions& options) {
  return (QSizeF(options.width, options.height) * (options.dpi / figure_points_per_inch)).toSize();
}

QByteArray paintPng(const Painting& figure) {
  const FigureOptions& options = figure.options;
  QImage image(pixelsOf(options), QImage::Format_RGB32);
  if (image.isNull()) return {};
  image.fill(palette(Theme::light).panel);
  image.setDevicePixelRatio(options.dpi / figure_points_per_inch);
  const int dotsPerMetre = qRound(options.dpi / 0.0254);
  paint(*figure.plot, image, options, QCPPainter::pmNoCaching);
  image.setDotsPerMeterX(dotsPerMetre);
  image.setDotsPerMeterY(dotsPerMetre);
  if (figure.stop.stop_requested()) return {};
  StoppableBuffer buffer(figure.stop);
  return image.save(&buffer, "PNG") ? buffer.bytes() : QByteArray();
}

QByteArray paintSvg(const Painting& figure) {
  const FigureOptions& options = figure.options;
  QBuffer buffer;
  QSvgGenerator generator;
  generator.setOutputDevice(&buffer);
  generator.setSize({options.width, options.height});
  generator.setViewBox(QRect(0, 0, options.width, options.height));
  generator.setResolution(static_cast<int>(figure_points_per_inch));
  generator.setTitle(figure.title);
  generator.setDescription(QStringLiteral("VQScope"));
  paint(*figure.plot, generator, options, vectorModes);
  return buffer.data();
}

/// The writer lists fonts in hash order, which differs between processes. While this object exists,
/// the hash seed is fixed.
class SameHashes {
 public:
  SameHashes() { QHashSeed::setDeterministicGlobalSeed(); }
  ~SameHashes() { QHashSeed::resetRandomGlobalSeed(); }
  Q_DISABLE_COPY_MOVE(SameHashes)
};

QByteArray paintPdf(const Painting& figure) {
  const FigureOptions& options = figure.options;
  const SameHashes hashes;
  QBuffer buffer;
  buffer.open(QIODevice::WriteOnly);
  {
    QPdfWriter writer(&buffer);
    writer.setTitle(figure.title);
    writer.setCreator(QStringLiteral("VQScope"));
    writer.setResolution(static_cast<int>(figure_points_per_inch));
    const QSizeF page = QSizeF(options.width, options.height) * (72 / figure_points_per_inch);
    writer.setPageSize(QPageSize(page, QPageSize::Point, QString(), QPageSize::ExactMatch));
    writer.setPageMargins(QMarginsF());
    paint(*figure.plot, writer, options, vectorModes);
  }
  return withoutTime(buffer.data());
}

/// Memory that Qt needs besides the map: a copy in another format, its bytes, and the compressed
/// bytes.
constexpr double copiesOfPixels = 3;

/// Returns an empty array if memory does not suffice or after a stop.
QByteArray paintFigure(const Painting& figure) {
  const SpareMemory spare;
  const QSize pixels = pixelsOf(figure.options);
  if (!isMemoryFor(copiesOfPixels * 4.0 * pixels.width() * pixels.height())) return {};
  const QByteArray bytes = figure.format == QLatin1String("png")   ? paintPng(figure)
                           : figure.format == QLatin1String("svg") ? paintSvg(figure)
                                                                   : paintPdf(figure);
  return spare.wasNeeded() ? QByteArray() : bytes;
}

Error noMemory(const FigureOptions& options) {
  return {Errc::too_large, "not enough memory for a figure of " + to_text(Index{options.dpi}) + " dots per inch"};
}

}  // namespace

QString figureTitle(const Method& method, const ParameterValues& values, const std::optional<ParameterValues>& minus,
                    const FigureSides& sides) {
  if (!method.field()) return withSubtitle(method, curveSubtitle(method, values));
  if (!minus) return withSubtitle(method, valueSummary(method, values));
  ComparedTitle title = comparedTitle(method, values, *minus);
  if (!sides.a.empty() && !sides.b.empty() && sides.a != sides.b)
    title.a = textOfBytes(sides.a), title.b = textOfBytes(sides.b);
  const QString common = title.common.isEmpty() ? QString() : QStringLiteral("   ") + title.common;
  return withSubtitle(method, title.difference() + common);
}

Result<QByteArray> renderFigure(const Method& method, const ParameterValues& values, const std::optional<Rect>& cells,
                                const ShownPage& look, const FigureOptions& options, const QString& format,
                                std::stop_token stop, const Offload& offload, const MadeBefore& made) {
  const SpareMemory spare;
  const auto plot = makePlot(options);
  const auto filled = method.field()
                          ? fillMatrix(*plot, method, values, cells, look, options, format, stop, offload, made.field)
                          : fillCurves(*plot, method, values, look, options, stop, offload, made.curves);
  if (!filled) return filled.error();
  if (stop.stop_requested()) return cancelled();
  if (spare.wasNeeded()) return noMemory(options);
  // At the highest dpi this takes seconds, mostly in Qt, which cannot be stopped. Painting the plot
  // on another thread is safe: it never had a window, its layout is done, and this thread does not
  // touch it until it is painted.
  plot->blockSignals(true);
  const auto figure = std::make_shared<Painting>(
      Painting{plot, QString::fromStdString(method.title), options, format, stop, QByteArray()});
  run_offloaded(
      offload, [figure] { figure->bytes = paintFigure(*figure); }, WhenStopped::leave);
  if (stop.stop_requested()) return cancelled();
  if (figure->bytes.isEmpty()) return noMemory(options);
  return figure->bytes;
}

FigureMaker qtFigureMaker() {
  return {.begin = {},
          .make = [](const ExportRequest& request, const MadeBefore& made, const std::string& format,
                     std::stop_token stop) -> Result<std::string> {
            const auto figure =
                renderFigure(*request.method, request.values, request.cells, request.look, request.figure,
                             QString::fromStdString(format), std::move(stop), request.offload, made);
            return figure ? Result<std::string>(figure->toStdString()) : figure.error();
          }};
}

}  // namespace vqscope
