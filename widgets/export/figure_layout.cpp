// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/export/figure_layout.h"

#include "widgets/export/distinct_titles.h"
#include "widgets/paint/shared_scale.h"
#include "widgets/plot/legend_element.h"

#include <qcustomplot.h>

#include <algorithm>
#include <cmath>

namespace vqscope {
namespace {

constexpr int widestBar = 420;
constexpr double narrowPanel = 40;  // mm

/// "(a)", "(b)"; there are at most 36 panels.
QString letterOf(std::size_t panel) {
  constexpr std::size_t letters = 26;
  const QString last(QChar(static_cast<char16_t>(u'a' + panel % letters)));
  return QStringLiteral("(%1%2)").arg(panel < letters ? QString() : QStringLiteral("a"), last);
}

int part(int whole, int index, int count) {
  return static_cast<int>(std::lround(static_cast<double>(whole) * index / count));
}

}  // namespace

QSize FigureLayout::size() const {
  return {static_cast<int>(std::ceil(m_spec.width / m_scale)), static_cast<int>(std::ceil(m_spec.height / m_scale))};
}

/// With the legends below its row.
QRect FigureLayout::cellOf(std::size_t panel) const {
  const int row = static_cast<int>(rowOf(panel));
  const int col = static_cast<int>(panel) % m_grid.cols;
  const QSize all = size() - QSize(0, m_below);
  const QPoint from(part(all.width(), col, m_grid.cols), part(all.height(), row, m_grid.rows));
  const QPoint to(part(all.width(), col + 1, m_grid.cols), part(all.height(), row + 1, m_grid.rows));
  return {from, to - QPoint(1, 1)};
}

/// Titles that were typed stay as they are.
QStringList FigureLayout::titlesOf(const std::vector<PanelPlot>& panels) const {
  QStringList titles;
  for (const PanelPlot& panel : panels) titles << panel.ownTitle();
  const bool narrow = figure_millimetres(m_spec.width / m_grid.cols) < narrowPanel;
  const bool typed = std::ranges::any_of(panels, &PanelPlot::isTitleTyped);
  return narrow && !typed && panels.size() > 1 ? distinctTitles(titles) : titles;
}

void FigureLayout::begin(std::vector<PanelPlot>& panels) {
  const QStringList titles = titlesOf(panels);
  for (std::size_t i = 0; i < panels.size(); ++i)
    panels[i].fill(cellOf(i).size(), titles[static_cast<qsizetype>(i)], panels.size() == 1 ? QString() : letterOf(i));
  arrange(panels);
}

void FigureLayout::arrange(std::vector<PanelPlot>& panels) {
  if (panels.size() == 1) return;
  m_legends = legendsOf(panels);
  for (Legend& legend : m_legends) makeLegend(legend, panels);
  const bool ofAll = isOfAll(panels);
  m_below = ofAll ? m_legends.front().place.height() : 0;
  m_belowRows.assign(static_cast<std::size_t>(m_grid.rows), 0);
  for (const Legend& legend : m_legends)
    if (int& below = m_belowRows[rowOf(legend.first)]; !ofAll) below = std::max(below, legend.place.height());
  alignTitles(panels);
  for (std::size_t i = 0; i < panels.size(); ++i)
    panels[i].resize(cellOf(i).size() - QSize(0, panels[i].scale() ? m_belowRows[rowOf(i)] : 0));
  placeLegends(panels);
}

std::vector<FigureLayout::Legend> FigureLayout::legendsOf(const std::vector<PanelPlot>& panels) const {
  const auto grouped = [&](bool acrossRows) {
    std::vector<Legend> legends;
    for (std::size_t i = 0; i < panels.size(); ++i) {
      const ColourScale* scale = panels[i].scale();
      if (!scale) continue;
      Legend* before = legends.empty() ? nullptr : &legends.back();
      const bool isNext = before && before->last + 1 == i && (acrossRows || rowOf(i) == rowOf(before->last));
      const auto both = isNext ? sharedScale(before->scale, *scale) : std::nullopt;
      if (both) {
        before->scale = *both;
        before->last = i;
        before->hasNotANumber |= panels[i].hasNotANumber();
      } else {
        legends.push_back({i, i, *scale, panels[i].hasNotANumber()});
      }
    }
    return legends;
  };
  if (!m_spec.legend && !m_spec.colour_bar) return {};
  auto all = grouped(true);
  const bool one = all.size() == 1 && all.front().first == 0 && all.front().last + 1 == panels.size();
  return one ? all : grouped(false);
}

bool FigureLayout::isOfAll(const std::vector<PanelPlot>& panels) const {
  return m_legends.size() == 1 && m_legends.front().first == 0 && m_legends.front().last + 1 == panels.size();
}

/// As wide as its maps are now; a bar of numbers is not wider than needed to read it.
void FigureLayout::makeLegend(Legend& legend, const std::vector<PanelPlot>& panels) const {
  const bool acrossRows = rowOf(legend.first) != rowOf(legend.last);
  const std::size_t rightmost = acrossRows ? static_cast<std::size_t>(m_grid.cols) - 1 : legend.last;
  int left = cellOf(legend.first).left() + panels[legend.first].mapPlace().left();
  int width = cellOf(rightmost).left() + panels[rightmost].mapPlace().right() + 1 - left;
  const bool isBar = legend.scale.kind != ValueScale::visibility && legend.scale.categories.empty();
  if (isBar && width > widestBar) {
    left += (width - widestBar) / 2;
    width = widestBar;
  }
  legend.plot = makeFigurePlot({width, 1});
  legend.plot->plotLayout()->clear();
  auto* element = new LegendElement(legend.plot.get());  // the plot owns it
  element->setStyle(figureStyle(m_spec));
  element->setParts(m_spec.legend, m_spec.colour_bar);
  element->setScale(legend.scale, legend.hasNotANumber);
  legend.plot->plotLayout()->addElement(0, 0, element);
  // The last tick labels of the maps reach below them, to where it stands.
  legend.plot->setBackground(QBrush(Qt::NoBrush));
  constexpr int high = 1000;
  layOutPlot(*legend.plot, {width, high});  // names are broken into lines by the width
  legend.place = QRect(left, 0, width, element->minimumOuterSizeHint().height());
  layOutPlot(*legend.plot, legend.place.size());
}

/// Maps beside each other begin at one height.
void FigureLayout::alignTitles(std::vector<PanelPlot>& panels) const {
  std::vector<int> highest(static_cast<std::size_t>(m_grid.rows), 0);
  for (std::size_t i = 0; i < panels.size(); ++i)
    highest[rowOf(i)] = std::max(highest[rowOf(i)], panels[i].titleHeight());
  for (std::size_t i = 0; i < panels.size(); ++i) panels[i].setTitleHeight(highest[rowOf(i)]);
}

/// Right below the lowest of their maps.
void FigureLayout::placeLegends(const std::vector<PanelPlot>& panels) {
  for (Legend& legend : m_legends) {
    int bottom = 0;
    for (std::size_t i = legend.first; i <= legend.last; ++i)
      bottom = std::max(bottom, cellOf(i).top() + panels[i].mapPlace().bottom() + 1);
    legend.place.moveTop(bottom);
  }
}

std::vector<PlacedPlot> FigureLayout::plots(const std::vector<PanelPlot>& panels) const {
  std::vector<PlacedPlot> placed;
  for (std::size_t i = 0; i < panels.size(); ++i)
    placed.push_back({panels[i].plot(), QRect(cellOf(i).topLeft(), panels[i].size())});
  for (const Legend& legend : m_legends) placed.push_back({legend.plot, legend.place});
  return placed;
}

}  // namespace vqscope
