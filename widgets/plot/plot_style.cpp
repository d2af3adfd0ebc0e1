// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot/plot_style.h"

#include "widgets/theme/fonts.h"

#include <qcustomplot.h>

#include <array>

namespace vqscope {
namespace {

void styleAxis(QCPAxis& axis, const PlotStyle& style) {
  const Palette& colours = style.colours;
  const QPen pen(colours.line);
  axis.setBasePen(pen);
  axis.setTickPen(pen);
  axis.setSubTickPen(pen);
  axis.setTickLabelColor(colours.secondary);
  axis.setLabelColor(colours.secondary);
  axis.setTickLabelFont(scaledFont(style.numbers, 0.86));
  axis.setLabelFont(scaledFont(style.text, 0.92));
  axis.grid()->setPen(QPen(colours.line, 0, Qt::SolidLine));
  axis.grid()->setZeroLinePen(QPen(colours.secondary, 0, Qt::SolidLine));
  axis.setTickLabelPadding(4);
  axis.setLabelPadding(4);
  axis.setTickLengthIn(0);
  axis.setTickLengthOut(4);
  axis.setSubTickLength(0, 0);
}

}  // namespace

PlotStyle screenStyle() { return {currentPalette(), uiFont(), monospaceFont(), true}; }

PlotStyle figureStyle(const FigureSpec& spec) {
  const QString family = QString::fromStdString(spec.font);
  QFont text(family.isEmpty() ? QStringLiteral("DejaVu Sans") : family);
  QFont numbers(family.isEmpty() ? QStringLiteral("DejaVu Sans Mono") : family);
  for (QFont* font : {&text, &numbers}) {
    font->setPixelSize(13);
    font->setHintingPreference(QFont::PreferNoHinting);
  }
  return {palette(spec.dark ? Theme::dark : Theme::light), text, numbers};
}

void stylePlot(QCustomPlot& plot, const PlotStyle& style) {
  const Palette& colours = style.colours;
  plot.setBackground(QBrush(colours.panel));
  for (QCPAxisRect* rect : plot.axisRects())
    for (QCPAxis* axis : rect->axes()) styleAxis(*axis, style);
  plot.legend->setBrush(Qt::NoBrush);
  plot.legend->setBorderPen(Qt::NoPen);
  plot.legend->setTextColor(colours.text);
  plot.legend->setFont(scaledFont(style.text, 0.92));
}

namespace {

/// Twelve hues: those of the palette, then those between them.
QColor hueOf(std::size_t i, const Palette& colours) {
  const std::array own{colours.accent, colours.warning, colours.good, colours.error, colours.violet, colours.teal};
  constexpr std::array between{320, 75, 20, 235, 100, 45};
  if (i < own.size()) return own[i];
  return QColor::fromHsl(between[i - own.size()], 150, colours.dark ? 160 : 95);
}

}  // namespace

/// After each round of hues, darker ones, then lighter ones; beyond, hues by the golden angle.
CurveStyle curveStyle(int index, const Palette& colours) {
  constexpr std::size_t hues = 12;
  constexpr std::array dashes{Qt::SolidLine, Qt::DashLine, Qt::DotLine, Qt::DashDotLine};
  const auto i = static_cast<std::size_t>(index);
  if (index >= mostCurveColours)
    return {QColor::fromHsl(index * 137 % 360, 90 + index % 3 * 50, (colours.dark ? 120 : 70) + index % 4 * 25),
            dashes[i % dashes.size()]};
  const QColor hue = hueOf(i % hues, colours);
  const std::size_t round = i / hues % 3;
  const QColor colour = round == 0 ? hue : round == 1 ? mixed(hue, colours.text, 0.5) : mixed(hue, colours.panel, 0.42);
  // The dash changes with every curve, and the pairing of colours and dashes shifts after each
  // round of colours.
  return {colour, dashes[(i + i / hues) % dashes.size()]};
}

}  // namespace vqscope
