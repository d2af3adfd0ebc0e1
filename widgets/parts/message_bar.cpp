// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/parts/message_bar.h"

#include "core/base/text.h"
#include "widgets/parts/text.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QStyle>
#include <QToolButton>

#include <algorithm>

namespace vqscope {
namespace {

constexpr int leastMilliseconds = 4000;
constexpr int mostMilliseconds = 20000;
constexpr int millisecondsOfCharacter = 60;  // slow reading
constexpr int barMargin = 12;                // pixels
constexpr int widestBar = 760;
constexpr std::size_t mostCharacters = 400;

}  // namespace

MessageBar::MessageBar(QWidget* parent) : QFrame(parent), m_label(new QLabel(this)) {
  setProperty("class", "message");
  m_label->setWordWrap(true);
  m_label->setTextFormat(Qt::PlainText);
  m_label->setTextInteractionFlags(Qt::TextSelectableByMouse);
  // A long word, such as a list of numbers, must not widen the window.
  m_label->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  auto* close = new QToolButton(this);
  close->setText(QStringLiteral("×"));
  close->setAutoRaise(true);
  close->setToolTip(tr("Dismiss"));
  close->setAccessibleName(tr("Dismiss"));
  connect(close, &QToolButton::clicked, this, &MessageBar::hide);
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(12, 5, 6, 5);
  row->addWidget(m_label, 1);
  row->addWidget(close, 0, Qt::AlignTop);
  m_timer.setSingleShot(true);
  connect(&m_timer, &QTimer::timeout, this, [this] {
    if (underMouse())
      m_timer.start(leastMilliseconds);
    else
      hide();
  });
  hide();
}

void MessageBar::showMessage(const QString& sentence, bool bad) {
  m_label->setText(text(shortened(sentence.toStdString(), mostCharacters)));
  m_bad = bad;
  setProperty("bad", bad);
  style()->unpolish(this);
  style()->polish(this);
  if (bad)
    m_timer.stop();
  else
    m_timer.start(readingMilliseconds(m_label->text().size()));
  setVisible(!sentence.isEmpty());
  place();
}

int MessageBar::readingMilliseconds(qsizetype characters) {
  return static_cast<int>(
      std::clamp<qsizetype>(millisecondsOfCharacter * characters, leastMilliseconds, mostMilliseconds));
}

void MessageBar::floatOver(QWidget* host) {
  const bool shown = !isHidden();
  setParent(host);
  m_floats = true;
  host->installEventFilter(this);
  setVisible(shown);
  place();
}

/// As wide as its text needs, at the lower edge.
void MessageBar::place() {
  if (!m_floats || isHidden()) return;
  const QWidget& host = *parentWidget();
  const QMargins inside = layout()->contentsMargins();
  const int button = layout()->itemAt(1)->sizeHint().width() + layout()->spacing();
  const int text = m_label->fontMetrics().horizontalAdvance(m_label->text()) + 8;
  const int room = std::max(80, host.width() - 2 * barMargin);
  const int width = std::min({room, widestBar, text + button + inside.left() + inside.right()});
  const int lines = m_label->heightForWidth(width - button - inside.left() - inside.right());
  const int height = std::max(lines, layout()->itemAt(1)->sizeHint().height()) + inside.top() + inside.bottom();
  setGeometry((host.width() - width) / 2, host.height() - height - barMargin, width, height);
  raise();
}

bool MessageBar::eventFilter(QObject* watched, QEvent* event) {
  if (watched == parentWidget() && event->type() == QEvent::Resize) place();
  return QFrame::eventFilter(watched, event);
}

void MessageBar::keyPressEvent(QKeyEvent* event) {
  if (event->key() != Qt::Key_Escape) return QFrame::keyPressEvent(event);
  hide();
}

QString MessageBar::sentence() const { return isHidden() ? QString() : m_label->text(); }

}  // namespace vqscope
