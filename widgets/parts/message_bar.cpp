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
  m_close->setFixedSize(24, 18);
  connect(m_close, &QToolButton::clicked, this, &MessageBar::dismiss);
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(10, 0, 2, 0);
  row->setSpacing(4);
  row->addWidget(m_label, 1);
  row->addWidget(m_close, 0, Qt::AlignTop);
  m_timer.setSingleShot(true);
  connect(&m_timer, &QTimer::timeout, this, [this] {
    if (underMouse())
      m_timer.start(leastMilliseconds);
    else
      clear();
  });
  hide();
}

void MessageBar::present(const QString& sentence, bool bad) {
  m_timer.stop();
  m_sentence = text(shortened(sentence.toStdString(), mostCharacters));
  m_label->setText(m_sentence);
  m_bad = bad;
  m_close->setToolTip(isWorkShown() ? tr("Stop") : tr("Dismiss"));
  m_close->setAccessibleName(m_close->toolTip());
  setProperty("bad", bad);
  style()->unpolish(this);
  style()->polish(this);
  show();
  emit changed();
}

void MessageBar::showMessage(const QString& sentence, bool bad) {
  if (sentence.isEmpty()) return clear();
  present(sentence, bad);
  if (!bad) m_timer.start(readingMilliseconds(m_sentence.size()));
}

void MessageBar::clear() { m_work.isEmpty() ? hide() : present(m_work, false); }

void MessageBar::showWork(const QString& sentence) {
  m_work = text(shortened(sentence.toStdString(), mostCharacters));
  present(m_work, false);
}

void MessageBar::endWork() {
  const bool wasShown = isWorkShown();
  m_work.clear();
  if (wasShown) hide();
}

void MessageBar::dismiss() {
  if (!isWorkShown()) return clear();
  endWork();
  emit workStopped();
}

int MessageBar::readingMilliseconds(qsizetype characters) {
  return static_cast<int>(
      std::clamp<qsizetype>(millisecondsOfCharacter * characters, leastMilliseconds, mostMilliseconds));
}

int MessageBar::around() const {
  const QMargins inside = layout()->contentsMargins();
  return inside.left() + inside.right() + 2 * frameWidth() + layout()->spacing() + m_close->width();
}

int MessageBar::widthOfText() const {
  constexpr int rounding = 8;  // a line that fits exactly is broken
  return m_label->fontMetrics().horizontalAdvance(m_sentence) + around() + rounding;
}

int MessageBar::fit(int width, int mostLines) {
  const int inner = std::max(1, width - around()), highest = mostLines * m_label->fontMetrics().lineSpacing() + 2;
  const auto fits = [&](const QString& words) {
    m_label->setText(words);
    return m_label->heightForWidth(inner) <= highest;
  };
  if (!fits(m_sentence)) {
    // Halving finds the longest beginning that fits.
    qsizetype least = 0, most = m_sentence.size();
    while (most - least > 1) {
      const qsizetype middle = (least + most) / 2;
      (fits(m_sentence.left(middle) + QStringLiteral("…")) ? least : most) = middle;
    }
    m_label->setText(m_sentence.left(least) + QStringLiteral("…"));
  }
  m_label->setToolTip(m_label->text() == m_sentence ? QString() : m_sentence);
  const QMargins inside = layout()->contentsMargins();
  const int lines = std::max(m_label->heightForWidth(inner), m_close->height());
  return lines + inside.top() + inside.bottom() + 2 * frameWidth();
}

void MessageBar::hideEvent(QHideEvent* event) {
  QFrame::hideEvent(event);
  emit changed();
}

void MessageBar::keyPressEvent(QKeyEvent* event) {
  if (event->key() != Qt::Key_Escape) return QFrame::keyPressEvent(event);
  dismiss();
}

QString MessageBar::sentence() const { return isHidden() ? QString() : m_sentence; }

}  // namespace vqscope
