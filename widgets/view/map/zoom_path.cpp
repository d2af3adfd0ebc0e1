// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/view/map/zoom_path.h"

#include "core/base/text.h"
#include "core/field/tile_grid.h"
#include "widgets/parts/text.h"
#include "widgets/theme/fonts.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>

namespace vqscope {
namespace {

constexpr double pathScale = 0.87;
constexpr int stepPadding = 12;  // of a button, both sides
constexpr int separatorWidth = 14;
constexpr int backWidth = 22;

/// "q" of "query position q"; the title itself if it does not end in a symbol.
QString symbolOf(const QString& title) {
  const QString last = title.section(QLatin1Char(' '), -1);
  return last.size() <= 2 ? last : title;
}

QString spanOf(double first, double last, Index extent) {
  const Range cells = cells_in(first, last, extent);
  if (cells.size() == 1) return text(grouped(cells.begin));
  return text(grouped(cells.begin)) + QStringLiteral("–") + text(grouped(cells.end - 1));
}

}  // namespace

ZoomPath::ZoomPath(QWidget* parent) : QWidget(parent), m_line(new QHBoxLayout(this)), m_back(new QToolButton(this)) {
  setFont(scaledFont(font(), pathScale));
  setProperty("class", "zoomPath");
  setAttribute(Qt::WA_StyledBackground);
  m_line->setContentsMargins(0, 0, 0, 0);
  m_line->setSpacing(0);
  m_back->setText(QStringLiteral("‹"));
  m_back->setAutoRaise(true);
  m_back->setFont(font());
  m_back->setToolTip(tr("Back to the previous range (Backspace)"));
  m_back->setAccessibleName(tr("Back to the previous range"));
  connect(m_back, &QToolButton::clicked, this, &ZoomPath::backRequested);
  m_line->addWidget(m_back);
  hide();
}

void ZoomPath::setTitles(const QString& rows, const QString& cols) {
  m_rows = symbolOf(rows);
  m_cols = symbolOf(cols);
}

QString ZoomPath::nameOf(const ViewRange& range, Extent extent) const {
  return tr("%1 %2, %3 %4")
      .arg(m_rows, spanOf(range.row_first, range.row_last, extent.rows), m_cols,
           spanOf(range.col_first, range.col_last, extent.cols));
}

int ZoomPath::widthOf(const QString& title) const { return fontMetrics().horizontalAdvance(title) + stepPadding; }

int ZoomPath::widthFor(const ZoomTrail& trail, Extent extent) const {
  if (!trail.here()) return 0;
  return backWidth + widthOf(tr("All")) + separatorWidth + widthOf(nameOf(*trail.here(), extent));
}

QToolButton* ZoomPath::addStep(const QString& title, const QString& tip, const std::optional<ViewRange>& range) {
  auto* step = new QToolButton(this);
  step->setText(title);
  step->setToolTip(tip);
  step->setAccessibleName(tip);
  step->setAutoRaise(true);
  step->setFont(font());
  connect(step, &QToolButton::clicked, this, [this, range] { emit rangeRequested(range); });
  m_line->addWidget(step);
  m_steps.push_back(step);
  return step;
}

void ZoomPath::show(const ZoomTrail& trail, Extent extent, int room) {
  // Deleted later, because a click on one of them may have caused the change.
  for (auto* step : m_steps) {
    step->hide();
    m_line->removeWidget(step);
    step->deleteLater();
  }
  m_steps.clear();
  setVisible(trail.here().has_value());
  if (!trail.here()) return;
  m_back->setEnabled(trail.canGoBack());
  const auto addSeparator = [this] {
    auto* mark = new QLabel(QStringLiteral("›"), this);
    mark->setProperty("class", "secondary");
    mark->setFixedWidth(separatorWidth);
    mark->setAlignment(Qt::AlignCenter);
    m_line->addWidget(mark);
    m_steps.push_back(mark);
  };
  addStep(tr("All"), tr("Show the whole matrix"), std::nullopt);
  const QString here = nameOf(*trail.here(), extent);
  int left = room - backWidth - widthOf(tr("All")) - separatorWidth - widthOf(here);
  std::vector<ViewRange> shown;
  const auto around = trail.around();
  for (auto stop = around.rbegin(); stop != around.rend(); ++stop) {
    left -= widthOf(nameOf(*stop, extent)) + separatorWidth;
    if (left < 0) break;
    shown.insert(shown.begin(), *stop);
  }
  for (const ViewRange& stop : shown) {
    addSeparator();
    addStep(nameOf(stop, extent), tr("Back to %1").arg(nameOf(stop, extent)), stop);
  }
  addSeparator();
  auto* last = new QLabel(this);
  const int space = std::max(20, left < 0 || shown.size() == around.size() ? room - backWidth - separatorWidth : room);
  last->setText(fontMetrics().elidedText(here, Qt::ElideRight, std::max(20, std::min(widthOf(here), space))));
  last->setToolTip(here);
  last->setFont(font());
  m_line->addWidget(last);
  m_steps.push_back(last);
  for (auto* step : m_steps) step->show();
  resize(std::min(room, m_line->sizeHint().width() + 6), sizeHint().height());
}

}  // namespace vqscope
