// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/form/control/row_parts.h"

#include "widgets/theme/palette.h"

#include <QApplication>
#include <QEvent>
#include <QPainter>
#include <QStyle>

#include <algorithm>

namespace vqscope {
namespace {

constexpr int gap = 5;
constexpr int leastLinesToWrap = 6;  ///< height of a row in lines
bool allNamesShown = false;

/// A button that keeps its place while it is hidden.
void makeSmall(QAbstractButton& button) {
  auto policy = QSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
  policy.setRetainSizeWhenHidden(true);
  button.setSizePolicy(policy);
  button.setFocusPolicy(Qt::TabFocus);
  button.setAttribute(Qt::WA_Hover);
  button.setCursor(Qt::PointingHandCursor);
  button.hide();
}

}  // namespace

RowLabel::RowLabel(const ParameterSpec& spec, QWidget* parent)
    : QWidget(parent), m_title(QString::fromStdString(spec.title())) {
  const QString name = QString::fromStdString(spec.name);
  if (m_title.compare(name, Qt::CaseInsensitive) != 0) m_name = name;
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
}

void RowLabel::setNamesShown(bool shown) {
  allNamesShown = shown;
  for (QWidget* widget : QApplication::allWidgets())
    if (qobject_cast<RowLabel*>(widget)) widget->update();
}

bool RowLabel::namesShown() { return allNamesShown; }

void RowLabel::setHovered(bool hovered) {
  m_hovered = hovered;
  update();
}

void RowLabel::hideTitle() { m_title.clear(); }

QSize RowLabel::sizeHint() const {
  const auto metrics = fontMetrics();
  return {metrics.horizontalAdvance(m_title) + gap + metrics.horizontalAdvance(m_name), metrics.height()};
}

QSize RowLabel::minimumSizeHint() const { return {30, fontMetrics().height()}; }

void RowLabel::paintEvent(QPaintEvent*) {
  const Palette& p = currentPalette();
  const auto metrics = fontMetrics();
  QPainter painter(this);
  const QString title = metrics.elidedText(m_title, Qt::ElideRight, width());
  painter.setPen(p.text);
  painter.drawText(rect(), Qt::AlignLeft | Qt::AlignVCenter, title);
  const int left = m_title.isEmpty() ? 0 : metrics.horizontalAdvance(title) + gap;
  const QRect rest = rect().adjusted(left, 0, 0, 0);
  if (!m_hovered && !allNamesShown) return;
  // Hide a name that does not fit; the tooltip has it.
  if (metrics.horizontalAdvance(m_name) > rest.width()) return;
  painter.setPen(p.secondary);
  painter.drawText(rest, Qt::AlignLeft | Qt::AlignVCenter, m_name);
}

ResetDot::ResetDot(QWidget* parent) : QAbstractButton(parent) { makeSmall(*this); }

void ResetDot::paintEvent(QPaintEvent*) {
  const Palette& p = currentPalette();
  const bool strong = underMouse() || hasFocus();
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const QPointF centre(room / 2.0, height() / 2.0);
  painter.setPen(Qt::NoPen);
  if (strong) {
    painter.setBrush(mixed(p.panel, p.accent, 0.35));
    painter.drawEllipse(centre, 5.5, 5.5);
  }
  painter.setBrush(p.accent);
  painter.drawEllipse(centre, 2.6, 2.6);
}

ChainButton::ChainButton(QWidget* parent) : QAbstractButton(parent) { makeSmall(*this); }

QSize ChainButton::sizeHint() const { return {ResetDot::room, ResetDot::room + 2}; }

void ChainButton::setState(State state) {
  m_state = state;
  setVisible(state != State::none);
  const bool linked = state == State::linked;
  setToolTip(linked ? tr("Shared by all pages. Click to give this page a value of its own")
                    : tr("This page has a value of its own. Click to use the shared value again"));
  setAccessibleName(linked ? tr("Shared by all pages") : tr("Own value of this page"));
  update();
}

/// Two links, one over the other; an open chain has a gap between them and the accent colour.
void ChainButton::paintEvent(QPaintEvent*) {
  const Palette& p = currentPalette();
  const bool strong = underMouse() || hasFocus();
  const bool open = m_state == State::own;
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(QPen(open || strong ? p.accent : mixed(p.panel, p.secondary, 0.6), 1.3));
  painter.setBrush(Qt::NoBrush);
  painter.translate(width() / 2.0, height() / 2.0);
  painter.rotate(-45);
  const double apart = open ? 4.6 : 3.0;
  for (const double x : {-apart, apart}) painter.drawRoundedRect(QRectF(x - 3.2, -2.0, 6.4, 4.0), 2.0, 2.0);
  if (hasFocus()) {
    painter.resetTransform();
    painter.setPen(QPen(p.accent, 1));
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 3, 3);
  }
}

ErrorLine::ErrorLine(QWidget* row) : ElidingLabel(row->parentWidget() ? row->parentWidget() : row), m_row(row) {
  setProperty("class", "error");
  setAttribute(Qt::WA_TransparentForMouseEvents);
  setFocusPolicy(Qt::NoFocus);
  row->installEventFilter(this);
  hide();
}

void ErrorLine::showSentence(const QString& sentence, bool isWarning) {
  const char* look = isWarning ? "row-warning" : "error";
  if (property("class").toString() != QLatin1String(look)) {
    setProperty("class", look);
    style()->unpolish(this);
    style()->polish(this);
  }
  setText(sentence);
  place();
}

/// "Must be 1 to 64." instead of "num_heads is 100, must be 1 to 64", which stands above.
QString ErrorLine::shownText() const {
  QString whole = text();
  if (fontMetrics().horizontalAdvance(whole) <= contentsRect().width()) return whole;
  constexpr QLatin1String must(" but must "), contradiction(", but ");
  auto rule = whole.lastIndexOf(must);
  if (rule >= 0) rule += 5;
  if (rule < 0) rule = whole.lastIndexOf(contradiction) + 2;
  if (rule < 2) return whole;
  QString rest = whole.mid(rule);
  rest[0] = rest[0].toUpper();
  return rest;
}

void ErrorLine::place() {
  setVisible(!text().isEmpty() && m_row->isVisibleTo(parentWidget()));
  if (isHidden()) return;
  const QRect row = parentWidget() == m_row ? m_row->rect() : m_row->geometry();
  const int line = fontMetrics().height();
  const int width = row.width() - 2 * ResetDot::room;
  // Over the end of a text there is space for the whole sentence.
  const bool wraps = row.height() > leastLinesToWrap * line;
  const QRect whole = fontMetrics().boundingRect(QRect(0, 0, width, row.height() / 2), Qt::TextWordWrap, text());
  const int height = wraps ? std::clamp(whole.height(), line, row.height() / 2) : line;
  // A row on its own has no gap below.
  const int top = parentWidget() == m_row ? row.bottom() + 1 - height : row.bottom() - 1 + line - height;
  setGeometry(row.left() + ResetDot::room, top, width, height);
  raise();
}

void ErrorLine::paintEvent(QPaintEvent* event) {
  if (!isWrapped()) return ElidingLabel::paintEvent(event);
  QPainter painter(this);
  painter.fillRect(rect(), currentPalette().panel);
  style()->drawItemText(&painter, rect(), Qt::TextWordWrap, palette(), isEnabled(), text(), foregroundRole());
}

bool ErrorLine::eventFilter(QObject* watched, QEvent* event) {
  switch (event->type()) {
    case QEvent::Move:
    case QEvent::Resize:
    case QEvent::ShowToParent:
    case QEvent::HideToParent: place(); break;
    default: break;
  }
  return ElidingLabel::eventFilter(watched, event);
}

}  // namespace vqscope
