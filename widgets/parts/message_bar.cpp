// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/parts/message_bar.h"

#include "core/base/text.h"
#include "widgets/parts/text.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QStyle>
#include <QToolButton>

namespace vqscope {
namespace {

constexpr int newsMilliseconds = 8000;
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
  m_timer.setInterval(newsMilliseconds);
  connect(&m_timer, &QTimer::timeout, this, &MessageBar::hide);
  hide();
}

void MessageBar::say(const QString& sentence, bool bad) {
  m_label->setText(text(shortened(sentence.toStdString(), mostCharacters)));
  m_bad = bad;
  setProperty("bad", bad);
  style()->unpolish(this);
  style()->polish(this);
  if (bad)
    m_timer.stop();
  else
    m_timer.start();
  setVisible(!sentence.isEmpty());
}

QString MessageBar::sentence() const { return isHidden() ? QString() : m_label->text(); }

}  // namespace vqscope
