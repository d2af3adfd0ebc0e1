// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/form/control/error_line.h"

#include "widgets/form/control/reset_dot.h"

#include <QEvent>

namespace vqscope {

ErrorLine::ErrorLine(QWidget* row) : ElidingLabel(row->parentWidget() ? row->parentWidget() : row), m_row(row) {
  setProperty("class", "error");
  setAttribute(Qt::WA_TransparentForMouseEvents);
  setFocusPolicy(Qt::NoFocus);
  row->installEventFilter(this);
  hide();
}

void ErrorLine::showSentence(const QString& sentence) {
  setText(sentence);
  place();
}

/// "Must be 1 to 64." instead of "num_heads is 100, must be 1 to 64", which stands above.
QString ErrorLine::shownText() const {
  QString whole = text();
  if (fontMetrics().horizontalAdvance(whole) <= contentsRect().width()) return whole;
  const auto rule = whole.lastIndexOf(QLatin1String(", must "));
  if (rule < 0) return whole;
  QString rest = whole.mid(rule + 2);
  rest[0] = rest[0].toUpper();
  return rest;
}

void ErrorLine::place() {
  setVisible(!text().isEmpty() && m_row->isVisibleTo(parentWidget()));
  if (isHidden()) return;
  const QRect row = parentWidget() == m_row ? m_row->rect() : m_row->geometry();
  const int height = fontMetrics().height();
  // A row on its own has no gap below.
  const int top = parentWidget() == m_row ? row.bottom() + 1 - height : row.bottom() - 1;
  setGeometry(row.left() + ResetDot::room, top, row.width() - 2 * ResetDot::room, height);
  raise();
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
