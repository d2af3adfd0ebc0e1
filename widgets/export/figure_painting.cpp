// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/export/figure_painting.h"

#include "core/io/embed/embedded_in_figure.h"
#include "widgets/export/pdf_time.h"
#include "widgets/parts/spare_memory.h"
#include "widgets/theme/palette.h"

#include <qcustomplot.h>

#include <QBuffer>
#include <QHash>
#include <QImage>
#include <QPageSize>
#include <QPdfWriter>
#include <QSvgGenerator>

namespace vqscope {
namespace {

constexpr auto vectorModes = QCPPainter::pmVectorized | QCPPainter::pmNoCaching | QCPPainter::pmNonCosmetic;

constexpr QSizeF roundedUp(2, 2);  // pages have whole points

QSizeF sizeOf(const FigurePainting& figure) { return {figure.spec.width, figure.spec.height}; }

QColor backgroundOf(const FigurePainting& figure) {
  return palette(figure.spec.dark ? Theme::dark : Theme::light).panel;
}

/// On a device whose unit is a CSS pixel, apart from the painter's own scale. Whether it takes it.
bool paint(const FigurePainting& figure, QPaintDevice& device, QCPPainter::PainterModes modes, double scale) {
  QCPPainter painter(&device);
  if (!painter.isActive()) return false;
  painter.setRenderHint(QPainter::LosslessImageRendering);
  painter.setModes(modes);
  if (scale != 1) painter.scale(scale, scale);
  // Several plots do not cover all of the figure.
  if (figure.plots.size() > 1)
    painter.fillRect(QRectF(QPointF(), sizeOf(figure) / figure.scale + roundedUp), backgroundOf(figure));
  for (const PlacedPlot& each : figure.plots) {
    painter.save();
    if (!each.place.topLeft().isNull()) painter.translate(each.place.topLeft());
    each.plot->toPainter(&painter, each.place.width(), each.place.height());
    painter.restore();
  }
  return true;
}

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

QSize pixelsOf(const FigurePainting& figure) {
  return (sizeOf(figure) * (figure.spec.dpi / figure_points_per_inch)).toSize();
}

/// The generator knows sizes of whole pixels only.
QByteArray withSize(QByteArray svg, const QSizeF& size) {
  const auto millimetres = [](double points) { return QByteArray::number(figure_millimetres(points), 'g', 8) + "mm"; };
  for (const auto& [name, side] : {std::pair{" width=\"", size.width()}, {" height=\"", size.height()}}) {
    const qsizetype from = svg.indexOf(name) + static_cast<qsizetype>(qstrlen(name));
    const qsizetype end = svg.indexOf('"', from);
    if (svg.indexOf(name) < 0 || end < 0) return svg;
    svg.replace(from, end - from, millimetres(side));
  }
  return svg;
}

QByteArray paintSvg(const FigurePainting& figure) {
  const QSizeF size = sizeOf(figure);
  QBuffer buffer;
  QSvgGenerator generator;
  generator.setOutputDevice(&buffer);
  generator.setSize(size.toSize());
  generator.setViewBox(QRectF(QPointF(), size / figure.scale));
  generator.setResolution(static_cast<int>(figure_points_per_inch));
  generator.setTitle(figure.title);
  generator.setDescription(QStringLiteral("VQScope"));
  paint(figure, generator, vectorModes, 1);
  const QByteArray svg = size == QSizeF(size.toSize()) ? buffer.data() : withSize(buffer.data(), size);
  if (figure.embedded.empty()) return svg;
  return QByteArray::fromStdString(svg_with_text(svg.toStdString(), figure.embedded));
}

/// The document's metadata in XMP, which the writer leaves uncompressed.
QByteArray metadataOf(const FigurePainting& figure) {
  return QStringLiteral(
             "<?xpacket begin=\"\" id=\"W5M0MpCehiHzreSzNTczkc9d\"?>\n"
             "<x:xmpmeta xmlns:x=\"adobe:ns:meta/\">"
             "<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\">"
             "<rdf:Description rdf:about=\"\" xmlns:dc=\"http://purl.org/dc/elements/1.1/\" "
             "xmlns:vqscope=\"urn:vqscope:session\">"
             "<dc:title><rdf:Alt><rdf:li xml:lang=\"x-default\">%1</rdf:li></rdf:Alt></dc:title>"
             "<vqscope:session>%2</vqscope:session>"
             "</rdf:Description></rdf:RDF></x:xmpmeta>\n<?xpacket end=\"w\"?>\n")
      .arg(figure.title.toHtmlEscaped(), QString::fromStdString(figure.embedded))
      .toUtf8();
}

/// The writer lists fonts in hash order, which differs between processes. While this object exists,
/// the hash seed is fixed.
class SameHashes {
 public:
  SameHashes() { QHashSeed::setDeterministicGlobalSeed(); }
  ~SameHashes() { QHashSeed::resetRandomGlobalSeed(); }
  Q_DISABLE_COPY_MOVE(SameHashes)
};

QByteArray paintPdf(const FigurePainting& figure) {
  const SameHashes hashes;
  QBuffer buffer;
  buffer.open(QIODevice::WriteOnly);
  {
    QPdfWriter writer(&buffer);
    writer.setTitle(figure.title);
    writer.setCreator(QStringLiteral("VQScope"));
    if (!figure.embedded.empty()) writer.setDocumentXmpMetadata(metadataOf(figure));
    writer.setResolution(static_cast<int>(figure_points_per_inch));
    const QSizeF page = sizeOf(figure) * (72 / figure_points_per_inch);
    writer.setPageSize(QPageSize(page, QPageSize::Point, QString(), QPageSize::ExactMatch));
    writer.setPageMargins(QMarginsF());
    paint(figure, writer, vectorModes, figure.scale);
  }
  return withoutTime(buffer.data());
}

/// Memory that Qt needs besides the map: a copy in another format, its bytes, and the compressed
/// bytes.
constexpr double copiesOfPixels = 3;

}  // namespace

bool paintOn(QPaintDevice& page, const FigurePainting& figure) {
  return paint(figure, page, vectorModes, figure.scale * page.logicalDpiX() / figure_points_per_inch);
}

QImage paintPixels(const FigurePainting& figure) {
  const SpareMemory spare;
  const QSize pixels = pixelsOf(figure);
  if (!isMemoryFor(copiesOfPixels * 4.0 * pixels.width() * pixels.height())) return {};
  QImage image(pixels, QImage::Format_RGB32);
  if (image.isNull()) return {};
  image.fill(backgroundOf(figure));
  image.setDevicePixelRatio(figure.spec.dpi / figure_points_per_inch * figure.scale);
  const int dotsPerMetre = qRound(figure.spec.dpi / 0.0254);
  paint(figure, image, QCPPainter::pmNoCaching, 1);
  image.setDevicePixelRatio(1);
  image.setDotsPerMeterX(dotsPerMetre);
  image.setDotsPerMeterY(dotsPerMetre);
  return spare.wasNeeded() || figure.stop.stop_requested() ? QImage() : image;
}

QByteArray pngOfPixels(const QImage& pixels, const std::string& embedded, std::stop_token stop) {
  const SpareMemory spare;
  StoppableBuffer buffer(std::move(stop));
  if (pixels.isNull() || !pixels.save(&buffer, "PNG") || spare.wasNeeded()) return {};
  if (embedded.empty()) return buffer.bytes();
  return QByteArray::fromStdString(png_with_text(buffer.bytes().toStdString(), embedded));
}

QByteArray paintFigure(const FigurePainting& figure) {
  if (figure.format == QLatin1String("png")) return pngOfPixels(paintPixels(figure), figure.embedded, figure.stop);
  const SpareMemory spare;
  const QSize pixels = pixelsOf(figure);
  if (!isMemoryFor(copiesOfPixels * 4.0 * pixels.width() * pixels.height())) return {};
  const QByteArray bytes = figure.format == QLatin1String("svg") ? paintSvg(figure) : paintPdf(figure);
  return spare.wasNeeded() ? QByteArray() : bytes;
}

}  // namespace vqscope
