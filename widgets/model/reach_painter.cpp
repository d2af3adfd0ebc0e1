// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/model/reach_painter.h"

#include "core/base/text.h"
#include "widgets/parts/text.h"
#include "widgets/theme/fonts.h"

#include <QPainter>
#include <QWidget>

#include <algorithm>
#include <cmath>

namespace vqscope {
namespace {

constexpr double smallText = 0.87;
constexpr int mostBorders = 400;  ///< of documents that are drawn

QFont axisFont() { return scaledFont(monospaceFont(), smallText); }

/// A step of 1, 2 or 5 times a power of ten that leaves `space` units or more between ticks.
double roundStep(double space) {
  const double power = std::pow(10, std::floor(std::log10(std::max(space, 1e-9))));
  for (const double step : {1.0, 2.0, 5.0})
    if (step * power >= space) return step * power;
  return 10 * power;
}

void paintCrossing(QPainter& painter, const QRectF& bar, const QColor& colour, const Palette& p) {
  painter.fillRect(bar, colour);
  QColor hatch = p.panel;  // not by colour alone
  hatch.setAlpha(110);
  painter.fillRect(bar, QBrush(hatch, Qt::BDiagPattern));
}

/// Pixels of some tokens, at least `least` of them, and none beyond the picture; empty out of view.
QRectF barOf(const ReachFrame& frame, Range keys, int top, double height, double least) {
  const double begin = frame.picture.left(), end = frame.picture.right() + 1;
  const double left = frame.xOf(static_cast<double>(keys.begin)), right = frame.xOf(static_cast<double>(keys.end));
  if (right < begin || left > end) return {};
  const double last = std::clamp(right, begin, end), first = std::clamp(std::min(left, right - least), begin, end);
  return {first, static_cast<double>(top), last - first, height};
}

void paintLayers(QPainter& painter, const ReachFrame& frame, const ReachContent& content) {
  const Palette& p = currentPalette();
  const ReachColours colours = reachColours(p);
  for (Index layer = 0; layer < frame.layers; ++layer) {
    const int top = frame.topOf(layer), bottom = frame.topOf(layer + 1);
    const double gap = bottom - top >= 5 ? 1 : 0;
    const ModelLayer& each = content.sight.schedule().layers[static_cast<std::size_t>(layer)];
    const double height = bottom - top - gap;
    const auto spans = content.reach.spans(layer);
    for (const ReachSpan& span : spans)
      if (span.kind == ReachKind::indirect || span.kind == ReachKind::possible)
        painter.fillRect(barOf(frame, span.keys, top, height, 1), spanColour(colours, each, span.kind));
    for (const ReachSpan& span : spans) {
      if (span.kind == ReachKind::direct)  // a window may be less than a pixel
        painter.fillRect(barOf(frame, span.keys, top, height, 3), spanColour(colours, each, span.kind));
      if (span.kind != ReachKind::crossing) continue;
      paintCrossing(painter, barOf(frame, span.keys, top, height, 1), colours.carried, p);
      const Range seen = common(span.keys, content.reach.direct(layer));
      if (seen.size() > 0) paintCrossing(painter, barOf(frame, seen, top, height, 1), colours.crossing, p);
    }
  }
}

void paintLines(QPainter& painter, const ReachFrame& frame, const ReachContent& content) {
  const Palette& p = currentPalette();
  const QRect& picture = frame.picture;
  const auto vertical = [&](Index token, const QPen& pen) {
    const double x = std::round(frame.xOf(static_cast<double>(token))) + 0.5;
    if (x < picture.left() || x > picture.right() + 1) return;
    painter.setPen(pen);
    painter.drawLine(QPointF(x, picture.top()), QPointF(x, picture.bottom() + 1));
  };
  if (content.sight.documents() <= mostBorders)
    for (Index document = 1; document < content.sight.documents(); ++document)
      vertical(content.sight.document(document).begin, QPen(p.text, 1, Qt::DashLine));
  vertical(content.reach.query() + 1, QPen(p.secondary, 1));
  painter.setPen(p.line);
  painter.setBrush(Qt::NoBrush);
  painter.drawRect(picture.adjusted(-1, -1, 0, 0));
}

void paintTokenAxis(QPainter& painter, const ReachFrame& frame) {
  const QRect& picture = frame.picture;
  const QFontMetrics metrics(axisFont());
  const double width = frame.last - frame.first;
  const double step = std::max(1.0, roundStep(width * (metrics.horizontalAdvance(QStringLiteral("2 097 152")) + 24) /
                                              std::max(1, picture.width())));
  for (double token = std::ceil(frame.first / step) * step; token <= frame.last; token += step) {
    const double x = frame.xOf(token);
    const QString label = text(grouped(static_cast<Index>(token)));
    const int half = metrics.horizontalAdvance(label) / 2;
    painter.setPen(currentPalette().line);
    painter.drawLine(QPointF(x, picture.top() - 4), QPointF(x, picture.top() - 1));
    painter.setPen(currentPalette().secondary);
    const int left =
        std::clamp(static_cast<int>(x) - half, picture.left(), std::max(picture.left(), picture.right() - 2 * half));
    painter.drawText(left, picture.top() - 6, label);
  }
}

void paintLayerAxis(QPainter& painter, const ReachFrame& frame) {
  const QRect& picture = frame.picture;
  const QFontMetrics metrics(axisFont());
  const double height = static_cast<double>(picture.height()) / static_cast<double>(frame.layers);
  const auto step = static_cast<Index>(std::max(1.0, roundStep((metrics.height() + 2) / std::max(height, 1e-6))));
  painter.setPen(currentPalette().secondary);
  for (Index layer = 0; layer < frame.layers; layer += step) {
    const int middle = (frame.topOf(layer) + frame.topOf(layer + 1)) / 2;
    painter.drawText(QRect(0, middle - metrics.height() / 2, picture.left() - 7, metrics.height()),
                     Qt::AlignRight | Qt::AlignVCenter, QString::number(layer));
  }
}

}  // namespace

double ReachFrame::xOf(double token) const {
  return picture.left() + (token - first) / (last - first) * picture.width();
}

double ReachFrame::tokenAt(double x) const { return first + (x - picture.left()) / picture.width() * (last - first); }

int ReachFrame::topOf(Index layer) const {
  return picture.top() + static_cast<int>(static_cast<Index>(picture.height()) * layer / layers);
}

Index ReachFrame::layerAt(double y) const {
  const auto at = static_cast<Index>((y - picture.top()) * static_cast<double>(layers) / picture.height());
  Index layer = std::clamp<Index>(at, 0, layers - 1);
  while (layer + 1 < layers && topOf(layer + 1) <= y) ++layer;
  while (layer > 0 && topOf(layer) > y) --layer;
  return layer;
}

ReachFrame reachFrame(const QWidget& widget, const ReachContent& content, double first, double last) {
  const QFontMetrics metrics(axisFont());
  const int left = metrics.horizontalAdvance(QString::number(std::max<Index>(100, content.reach.layers()))) + 12;
  const int top = metrics.height() + 8;
  QRect picture(left, top, widget.width() - left - 2, widget.height() - top - 2);
  picture.setWidth(std::max(1, picture.width()));
  picture.setHeight(std::max(1, picture.height()));
  return {picture, content.reach.layers(), first, last};
}

void paintReach(QPainter& painter, const ReachFrame& frame, const ReachContent& content) {
  painter.fillRect(frame.picture, mixed(currentPalette().panel, currentPalette().window, 0.5));
  paintLayers(painter, frame, content);
  paintLines(painter, frame, content);
  painter.setFont(axisFont());
  paintTokenAxis(painter, frame);
  paintLayerAxis(painter, frame);
}

void paintMarks(QPainter& painter, const ReachFrame& frame, Index layer, const std::optional<ReachSpot>& spot) {
  const QRect& picture = frame.picture;
  const Palette& p = currentPalette();
  const auto band = [&](Index each) {
    const int top = frame.topOf(each);
    return QRectF(picture.left() - 0.5, top - 0.5, picture.width() + 1, std::max(3, frame.topOf(each + 1) - top));
  };
  painter.setBrush(Qt::NoBrush);
  if (layer >= 0 && layer < frame.layers) {
    painter.setPen(QPen(p.text, 1.5));
    painter.drawRect(band(layer));
  }
  if (!spot || spot->layer >= frame.layers) return;
  painter.setPen(QPen(p.text, 1));
  if (spot->layer != layer) painter.drawRect(band(spot->layer));
  const double x = frame.xOf(static_cast<double>(spot->token) + 0.5);
  if (x < picture.left() || x > picture.right() + 1) return;
  painter.drawLine(QPointF(x, picture.top()), QPointF(x, picture.bottom() + 1));
}

}  // namespace vqscope
