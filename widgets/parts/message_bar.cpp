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
constexpr std::size_t mostCharacters = 400;

}  // namespace

MessageBar::MessageBar(QWidget* parent) : QFrame(parent), m_label(new QLabel(this)), m_close(new QToolButton(this)) {
  setProperty("class", "message");
  m_label->setWordWrap(true);
  m_label->setTextFormat(Qt::PlainText);
  m_label->setTextInteractionFlags(Qt::TextSelectableByMouse);
  // A long word, such as a list of numbers, must not widen the window.
  m_label->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  m_close->setText(QStringLiteral("×"));
  m_close->setAutoRaise(true);
  m_close->setToolTip(tr("Dismiss"));
  m_close->setAccessibleName(tr("Dismiss"));
  connect(m_close, &QToolButton::clicked, this, &MessageBar::hide);
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(10, 1, 2, 1);
  row->setSpacing(4);
  row->addWidget(m_label, 1);
  row->addWidget(m_close, 0, Qt::AlignTop);
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
  emit changed();
}

int MessageBar::readingMilliseconds(qsizetype characters) {
  return static_cast<int>(
      std::clamp<qsizetype>(millisecondsOfCharacter * characters, leastMilliseconds, mostMilliseconds));
}

int MessageBar::widthOfText() const {
  const QMargins inside = layout()->contentsMargins();
  const int around = inside.left() + inside.right() + 2 * frameWidth() + layout()->spacing();
  constexpr int rounding = 8;  // a line that fits exactly is broken
  return m_label->fontMetrics().horizontalAdvance(m_label->text()) + m_close->sizeHint().width() + around + rounding;
}

void MessageBar::fit(int width) {
  const QMargins inside = layout()->contentsMargins();
  const int around = widthOfText() - m_label->fontMetrics().horizontalAdvance(m_label->text());
  const int lines = m_label->heightForWidth(std::max(1, width - around));
  const int height = std::max(lines, m_close->sizeHint().height()) + inside.top() + inside.bottom() + 2 * frameWidth();
  setFixedSize(width, height);
}

void MessageBar::hideEvent(QHideEvent* event) {
  QFrame::hideEvent(event);
  emit changed();
}

void MessageBar::keyPressEvent(QKeyEvent* event) {
  if (event->key() != Qt::Key_Escape) return QFrame::keyPressEvent(event);
  hide();
}

QString MessageBar::sentence() const { return isHidden() ? QString() : m_label->text(); }

}  // namespace vqscope
