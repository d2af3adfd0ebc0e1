// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/start/start_parts.h"

#include "widgets/theme/icons.h"
#include "widgets/theme/palette.h"

#include <QFile>
#include <QPainter>
#include <QWidget>

#include <algorithm>

namespace vqscope {
namespace {

constexpr int padding = 7;  ///< above and below the text
constexpr int apart = 12;   ///< between text and detail
constexpr int inset = 4;

std::string configText(const std::string& name) {
  ensureResources();
  QFile file(QStringLiteral(":/configs/%1.json").arg(QString::fromStdString(name)));
  return file.open(QIODevice::ReadOnly) ? file.readAll().toStdString() : std::string();
}

}  // namespace

WrapGrid::WrapGrid(int leastWidth, int gap, bool balanced, QWidget* parent)
    : QLayout(parent), m_leastWidth(leastWidth), m_gap(gap), m_balanced(balanced) {
  setContentsMargins(0, 0, 0, 0);
}

WrapGrid::~WrapGrid() = default;

void WrapGrid::addItem(QLayoutItem* item) { m_items.emplace_back(item); }

QLayoutItem* WrapGrid::itemAt(int index) const {
  return index >= 0 && index < count() ? m_items[static_cast<std::size_t>(index)].get() : nullptr;
}

QLayoutItem* WrapGrid::takeAt(int index) {
  if (index < 0 || index >= count()) return nullptr;
  QLayoutItem* item = m_items[static_cast<std::size_t>(index)].release();
  m_items.erase(m_items.begin() + index);
  return item;
}

int WrapGrid::columnsFor(int width) const {
  const int fit = std::clamp((width + m_gap) / (m_leastWidth + m_gap), 1, m_mostColumns);
  if (!m_balanced || count() == 0) return fit;
  const int rows = (count() + fit - 1) / fit;
  return (count() + rows - 1) / rows;
}

QSize WrapGrid::minimumSize() const {
  int height = 0;
  for (const auto& item : m_items) height = std::max(height, item->minimumSize().height());
  return {m_leastWidth, height};
}

void WrapGrid::setGeometry(const QRect& place) {
  QLayout::setGeometry(place);
  arrange(place, true);
}

int WrapGrid::arrange(const QRect& place, bool move) const {
  const int columns = columnsFor(place.width());
  const int width = (place.width() - (columns - 1) * m_gap) / columns;
  int y = place.y();
  for (int first = 0; first < count(); first += columns) {
    const int end = std::min(count(), first + columns);
    int height = 0;
    for (int i = first; i < end; ++i) {
      const QLayoutItem& item = *itemAt(i);
      height = std::max(height, item.hasHeightForWidth() ? item.heightForWidth(width) : item.sizeHint().height());
    }
    for (int i = first; move && i < end; ++i)
      itemAt(i)->setGeometry(QRect(place.x() + (i - first) * (width + m_gap), y, width, height));
    y += height + m_gap;
  }
  return std::max(0, y - place.y() - m_gap);
}

LinkRow::LinkRow(const QString& words, const QString& detail, QWidget* parent)
    : QAbstractButton(parent), m_detail(detail) {
  setText(words);
  setAccessibleName(detail.isEmpty() ? words : QStringLiteral("%1, %2").arg(words, detail));
  setFocusPolicy(Qt::StrongFocus);
  setCursor(Qt::PointingHandCursor);
  setAttribute(Qt::WA_Hover);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

QSize LinkRow::sizeHint() const { return {220, fontMetrics().height() + 2 * padding}; }

void LinkRow::paintEvent(QPaintEvent*) {
  const Palette& colours = currentPalette();
  QPainter painter(this);
  if (underMouse()) painter.fillRect(rect(), colours.raised);
  painter.setPen(colours.line);
  painter.drawLine(rect().bottomLeft(), rect().bottomRight());
  const QRect inner = rect().adjusted(inset, 0, -inset, -1);
  const int details = m_detail.isEmpty() ? 0 : fontMetrics().horizontalAdvance(m_detail) + apart;
  painter.setPen(colours.secondary);
  painter.drawText(inner, Qt::AlignRight | Qt::AlignVCenter, m_detail);
  painter.setPen(underMouse() || hasFocus() ? colours.accent : colours.text);
  painter.drawText(inner.adjusted(0, 0, -details, 0), Qt::AlignLeft | Qt::AlignVCenter,
                   fontMetrics().elidedText(text(), Qt::ElideMiddle, inner.width() - details));
  if (!hasFocus()) return;
  painter.setPen(QPen(colours.accent, 2));
  painter.drawRect(rect().adjusted(1, 1, -1, -1));
}

ThumbnailRequest galleryThumbnail(const GalleryEntry& entry, const QSize& pixels, double pixelRatio) {
  ThumbnailRequest request;
  request.pixels = pixels;
  request.pixelRatio = pixelRatio;
  request.theme = currentTheme();
  request.kept = entry.kept;
  const GalleryPicture& shown = entry.picture.method ? entry.picture : entry.shown;
  request.method = shown.method;
  request.values = shown.complete();
  if (!shown.method)
    for (const std::string& config : entry.configs) request.configs.push_back(configText(config));
  if (shown.method == entry.shown.method && entry.compare != GalleryCompare::none) {
    request.other = entry.other_values();
    request.difference = entry.compare == GalleryCompare::difference;
  }
  return request;
}

}  // namespace vqscope
