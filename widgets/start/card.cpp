// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/start/card.h"

#include "widgets/theme/fonts.h"
#include "widgets/theme/palette.h"

#include <QEnterEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QPainterPath>
#include <QScrollArea>

#include <algorithm>

namespace vqscope {
namespace {

constexpr int margin = 12;
constexpr int radius = 8;
constexpr int gap = 3;
constexpr int mostResultLines = 3;
constexpr int mostFooterLines = 2;
constexpr double pictureFraction = 0.52;  ///< height of a picture, of its width
constexpr int wrapped = static_cast<int>(Qt::AlignLeft) | static_cast<int>(Qt::AlignTop) | Qt::TextWordWrap;

int textHeight(const QFont& font, const QString& words, int width) {
  return words.isEmpty() ? 0 : QFontMetrics(font).boundingRect(QRect(0, 0, width, 1 << 14), wrapped, words).height();
}

/// The beginning of the words that fits into a height, with "…" if it is not all.
QString fitted(const QFont& font, const QString& words, int width, int height) {
  if (textHeight(font, words, width) <= height) return words;
  const QStringList all = words.split(QLatin1Char(' '));
  const auto beginning = [&](qsizetype count) { return all.first(count).join(QLatin1Char(' ')) + QChar(0x2026); };
  qsizetype fits = 0, beyond = all.size();
  while (beyond - fits > 1) {
    const qsizetype middle = (fits + beyond) / 2;
    (textHeight(font, beginning(middle), width) <= height ? fits : beyond) = middle;
  }
  return beginning(fits);
}

}  // namespace

Card::Card(const QString& title, const QString& words, QWidget* parent) : QAbstractButton(parent), m_words(words) {
  setText(title);
  setAccessibleName(title);
  setAccessibleDescription(words);
  setFocusPolicy(Qt::StrongFocus);
  setCursor(Qt::PointingHandCursor);
  setAttribute(Qt::WA_Hover);
  QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Preferred);
  policy.setHeightForWidth(true);
  setSizePolicy(policy);
}

void Card::setPicture(const QImage& image) {
  m_picture = image;
  m_hasPicture = true;
  update();
}

void Card::setFooter(const QString& footer) {
  m_footer = footer;
  updateGeometry();
  update();
}

void Card::setResult(const QString& result) {
  m_result = result;
  updateGeometry();
  update();
}

void Card::setFooterInset(const QSize& size) {
  if (m_inset == size) return;
  m_inset = size;
  updateGeometry();
  update();
}

QSize Card::picturePixels() const {
  const QSize place(width() - 2, pictureHeight(width()) - 1);
  return place.width() < 16 ? QSize() : place * devicePixelRatioF();
}

QFont Card::titleFont() const {
  QFont font = uiFont();
  font.setWeight(QFont::DemiBold);
  return scaledFont(font, m_hasPicture ? 1 : 1.08);
}

QFont Card::smallFont() const { return scaledFont(uiFont(), 0.9); }

int Card::pictureHeight(int width) const { return m_hasPicture ? qRound(width * pictureFraction) : 0; }

int Card::wordsHeight(int width) const {
  const QFont font = smallFont();
  const int whole = textHeight(font, m_words, width);
  return m_mostLines > 0 ? std::min(whole, m_mostLines * QFontMetrics(font).lineSpacing()) : whole;
}

bool Card::isCut(int width) const {
  const int inner = width - 2 * margin;
  return textHeight(smallFont(), m_words, inner) > wordsHeight(inner);
}

int Card::resultHeight(int width) const {
  const QFont font = smallFont();
  return std::min(textHeight(font, m_result, width), mostResultLines * QFontMetrics(font).lineSpacing());
}

/// Beside a button it has one line, else as many as it needs, up to two.
int Card::footerHeight(int width) const {
  const QFont font = smallFont();
  const int line = QFontMetrics(font).lineSpacing();
  if (!m_inset.isEmpty()) return std::max(line, m_inset.height());
  return std::min(textHeight(font, m_footer, width), mostFooterLines * line);
}

QSize Card::sizeHint() const { return {240, heightForWidth(240)}; }

int Card::heightForWidth(int width) const {
  const int inner = std::max(40, width - 2 * margin);
  int height = pictureHeight(width) + 2 * margin - (m_hasPicture ? gap : 0);
  height += textHeight(titleFont(), text(), inner) + gap + wordsHeight(inner);
  if (!m_result.isEmpty()) height += gap + resultHeight(inner);
  if (!m_footer.isEmpty()) height += gap + footerHeight(inner);
  return height;
}

void Card::paintEvent(QPaintEvent*) {
  const Palette& colours = currentPalette();
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const bool focused = hasFocus() && m_isByKeyboard;
  const double width = focused ? 2 : 1;
  const QRectF frame = QRectF(rect()).adjusted(width / 2, width / 2, -width / 2, -width / 2);
  QPainterPath path;
  path.addRoundedRect(frame, radius, radius);
  painter.fillPath(path, isDown()       ? colours.raised
                         : underMouse() ? mixed(colours.panel, colours.raised, 0.6)
                                        : colours.panel);
  painter.save();
  painter.setClipPath(path);
  if (m_hasPicture) paintPicture(painter);
  painter.restore();
  paintWords(painter);
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(focused        ? colours.accent
                      : underMouse() ? mixed(colours.line, colours.secondary, 0.6)
                                     : colours.line,
                      width));
  painter.drawPath(path);
}

void Card::paintPicture(QPainter& painter) const {
  const Palette& colours = currentPalette();
  const QRect place(0, 0, width(), pictureHeight(width()));
  painter.fillRect(place, colours.window);
  if (!m_picture.isNull()) {
    painter.setRenderHint(QPainter::SmoothPixmapTransform);
    painter.drawImage(place, m_picture);
  }
  painter.setPen(colours.line);
  painter.drawLine(place.bottomLeft(), place.bottomRight());
}

void Card::paintWords(QPainter& painter) const {
  const Palette& colours = currentPalette();
  const int inner = std::max(40, width() - 2 * margin);
  int y = pictureHeight(width()) + margin - (m_hasPicture ? gap : 0);
  const auto write = [&](const QFont& font, const QColor& colour, const QString& words, int height) {
    painter.setFont(font);
    painter.setPen(colour);
    painter.drawText(QRect(margin, y, inner, height), wrapped, words);
    y += height + gap;
  };
  const QFont title = titleFont(), small = smallFont();
  write(title, isEnabled() ? colours.text : colours.secondary, text(), textHeight(title, text(), inner));
  write(small, colours.secondary, fitted(small, m_words, inner, wordsHeight(inner)), wordsHeight(inner));
  if (!m_result.isEmpty())
    write(small, colours.text, fitted(small, m_result, inner, resultHeight(inner)), resultHeight(inner));
  if (m_footer.isEmpty()) return;
  const QFontMetrics metrics(small);
  const QColor quiet = mixed(colours.secondary, colours.panel, 0.15);
  const int high = footerHeight(inner);
  if (m_inset.isEmpty()) {
    y = height() - margin - high + gap;
    return write(small, quiet, fitted(small, m_footer, inner, high), high);
  }
  y = height() - margin - (high + metrics.height()) / 2;
  write(small, quiet, metrics.elidedText(m_footer, Qt::ElideRight, inner - m_inset.width()), metrics.height());
}

/// QAbstractButton would go to the next or previous widget, whatever the direction.
void Card::keyPressEvent(QKeyEvent* event) {
  const int key = event->key();
  if (key == Qt::Key_Left || key == Qt::Key_Right || key == Qt::Key_Up || key == Qt::Key_Down)
    emit arrowPressed(key);
  else
    QAbstractButton::keyPressEvent(event);
}

void Card::enterEvent(QEnterEvent*) { update(); }
void Card::leaveEvent(QEvent*) { update(); }

/// A card that is reached by the keyboard comes into view.
void Card::focusInEvent(QFocusEvent* event) {
  QAbstractButton::focusInEvent(event);
  // A window that is shown or activated gives the focus to its first card, which nobody has chosen.
  const auto reason = event->reason();
  if (reason != Qt::ActiveWindowFocusReason)
    m_isByKeyboard = reason == Qt::TabFocusReason || reason == Qt::BacktabFocusReason;
  if (reason == Qt::MouseFocusReason || reason == Qt::ActiveWindowFocusReason) return;
  for (QWidget* above = parentWidget(); above; above = above->parentWidget())
    if (auto* area = qobject_cast<QScrollArea*>(above)) return area->ensureWidgetVisible(this, 0, margin);
}

void Card::changeEvent(QEvent* event) {
  QAbstractButton::changeEvent(event);
  if (event->type() == QEvent::FontChange || event->type() == QEvent::PaletteChange) update();
}

}  // namespace vqscope
