// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/mask/source/sample_strip.h"

#include "core/base/text.h"
#include "widgets/parts/text.h"
#include "widgets/theme/palette.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>

namespace vqscope {
namespace {

constexpr int largestCell = 14;
constexpr int smallestCell = 3;
constexpr int mostHeight = 120;

bool hasErrors(const BatchLook& look) {
  return std::ranges::any_of(look.findings, [](const Finding& each) { return each.severity == Severity::error; });
}

}  // namespace

SampleStrip::SampleStrip(QWidget* parent) : QWidget(parent) {
  setFocusPolicy(Qt::StrongFocus);
  setObjectName(QStringLiteral("sampleStrip"));
  setAccessibleName(tr("Samples and heads of the file"));
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void SampleStrip::setSamples(Index samples, Index heads, std::vector<BatchLook> looks) {
  m_samples = std::max<Index>(1, samples);
  m_heads = std::max<Index>(1, heads);
  m_looks = std::move(looks);
  updateGeometry();
  update();
}

void SampleStrip::setCurrent(Index sample, Index head) {
  m_sample = std::clamp<Index>(sample, 0, m_samples - 1);
  m_head = std::clamp<Index>(head, 0, m_heads - 1);
  setAccessibleDescription(describe(m_sample, m_head));
  update();
}

const BatchLook* SampleStrip::lookOf(Index sample, Index head) const {
  const auto at = static_cast<std::size_t>(sample * m_heads + head);
  return at < m_looks.size() ? &m_looks[at] : nullptr;
}

QString SampleStrip::describe(Index sample, Index head) const {
  QString said = m_samples > 1 ? tr("Sample %1 of %2").arg(sample).arg(m_samples) : QString();
  if (m_heads > 1) said += (said.isEmpty() ? tr("Head %1 of %2") : tr(", head %1 of %2")).arg(head).arg(m_heads);
  if (sample < m_names.size()) said = m_names[sample];
  const BatchLook* look = lookOf(sample, head);
  if (!look) return said;
  if (sample + head > 0 && m_names.isEmpty())
    said += look->differs == 0 ? tr(": as the first") : tr(": %1 cells differ from the first").arg(look->differs);
  for (const Finding& finding : look->findings) said += QLatin1Char('\n') + text(finding.sentence);
  return said;
}

int SampleStrip::side() const {
  const Index fits = std::min<Index>(width() / m_samples, mostHeight / m_heads);
  return static_cast<int>(std::clamp<Index>(fits, smallestCell, largestCell));
}

QSize SampleStrip::sizeHint() const {
  const Index rows = std::min<Index>(m_heads, mostHeight / smallestCell);
  return {static_cast<int>(std::min<Index>(m_samples * largestCell, 240)), static_cast<int>(rows) * side() + 2};
}

QRect SampleStrip::cellOf(Index sample, Index head) const {
  const int size = side();
  return {static_cast<int>(sample) * size, static_cast<int>(head) * size, size - 1, size - 1};
}

QColor SampleStrip::colourOf(const BatchLook& look) const {
  const Palette& colours = currentPalette();
  if (hasErrors(look)) return colours.error;
  if (!look.findings.empty()) return colours.warning;
  return mixed(colours.raised, colours.secondary, look.group == 0 ? 0.25 : 0.7);
}

std::optional<std::pair<Index, Index>> SampleStrip::cellAt(const QPoint& point) const {
  const int size = side();
  const Index sample = point.x() / size;
  const Index head = point.y() / size;
  if (point.x() < 0 || point.y() < 0 || sample >= m_samples || head >= m_heads) return std::nullopt;
  return std::pair(sample, head);
}

bool SampleStrip::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QWidget::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  const auto cell = cellAt(help->pos());
  if (cell)
    QToolTip::showText(help->globalPos(), describe(cell->first, cell->second), this);
  else
    QToolTip::hideText();
  return true;
}

void SampleStrip::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  const Palette& colours = currentPalette();
  for (Index sample = 0; sample < m_samples; ++sample) {
    if (cellOf(sample, 0).left() > width()) break;
    for (Index head = 0; head < m_heads; ++head) {
      const QRect cell = cellOf(sample, head);
      if (cell.top() > height()) break;
      const BatchLook* look = lookOf(sample, head);
      painter.fillRect(cell, look ? colourOf(*look) : colours.raised);
    }
  }
  painter.setPen(hasFocus() ? colours.accent : colours.text);
  painter.drawRect(cellOf(m_sample, m_head).adjusted(0, 0, -1, -1));
}

void SampleStrip::mousePressEvent(QMouseEvent* event) {
  QWidget::mousePressEvent(event);
  const auto cell = cellAt(event->position().toPoint());
  if (cell && event->button() == Qt::LeftButton) emit picked(cell->first, cell->second);
}

void SampleStrip::keyPressEvent(QKeyEvent* event) {
  Index sample = m_sample;
  Index head = m_head;
  switch (event->key()) {
    case Qt::Key_Left: --sample; break;
    case Qt::Key_Right: ++sample; break;
    case Qt::Key_Up: --head; break;
    case Qt::Key_Down: ++head; break;
    default: return QWidget::keyPressEvent(event);
  }
  if (sample >= 0 && sample < m_samples && head >= 0 && head < m_heads) emit picked(sample, head);
}

QString placeOf(const Finding& finding) {
  if (!finding.batch) return SampleStrip::tr("Head %1").arg(finding.head.value_or(0));
  const QString sample = SampleStrip::tr("Sample %1").arg(*finding.batch);
  return finding.head ? SampleStrip::tr("%1, head %2").arg(sample).arg(*finding.head) : sample;
}

}  // namespace vqscope
