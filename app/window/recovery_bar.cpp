// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/recovery_bar.h"

#include "widgets/parts/text.h"

#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QPushButton>
#include <QToolButton>

namespace vqscope {
namespace {

/// "29 Jun 12:03, in Masks, unsaved changes to a.vqscope".
QString describe(const Document& document) {
  const QString name = QFileInfo(document.path).fileName();
  QStringList parts;
  if (document.when.isValid()) parts << QLocale().toString(document.when, QStringLiteral("d MMM hh:mm"));
  parts << RecoveryBar::tr("in %1").arg(text(room_of(document.session.current).title));
  if (document.modified)
    parts << (name.isEmpty() ? RecoveryBar::tr("not saved to a file")
                             : RecoveryBar::tr("unsaved changes to %1").arg(name));
  else if (!name.isEmpty())
    parts << name;
  return parts.join(QStringLiteral(", "));
}

QString sentenceOf(const SessionKeeper::Offer& offer) {
  const QString what = describe(offer.opened.document);
  if (offer.endedAtStart)
    return RecoveryBar::tr(
               "VQScope ended while it opened the last session (%1). The session was not opened again; a copy is kept "
               "as %2.")
        .arg(what, offer.file);
  switch (offer.opened.document.kept) {
    case KeptAs::set_aside:
      return RecoveryBar::tr("The last session was set aside because a file was opened (%1).").arg(what);
    case KeptAs::other_window:
      return RecoveryBar::tr("The session of another window was kept when that window was closed (%1).").arg(what);
    case KeptAs::journal: break;
  }
  return RecoveryBar::tr("The last session ended unexpectedly (%1).").arg(what);
}

}  // namespace

RecoveryBar::RecoveryBar(QWidget* parent) : QFrame(parent), m_label(new QLabel(this)) {
  setProperty("class", "message");
  m_label->setWordWrap(true);
  m_label->setTextFormat(Qt::PlainText);
  m_label->setTextInteractionFlags(Qt::TextSelectableByMouse);
  m_label->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(12, 5, 6, 5);
  row->addWidget(m_label, 1);
  auto* restore = new QPushButton(tr("Restore"), this);
  restore->setObjectName(QStringLiteral("restore"));
  restore->setToolTip(tr("Replace this session with the recovered one"));
  connect(restore, &QPushButton::clicked, this, &RecoveryBar::restored);
  auto* discard = new QPushButton(tr("Discard"), this);
  discard->setObjectName(QStringLiteral("discard"));
  discard->setToolTip(tr("Delete the recovered session"));
  connect(discard, &QPushButton::clicked, this, &RecoveryBar::discarded);
  auto* later = new QToolButton(this);
  later->setObjectName(QStringLiteral("later"));
  later->setText(QStringLiteral("×"));
  later->setAutoRaise(true);
  later->setToolTip(tr("Hide this message; File > Restore last session still opens that session"));
  later->setAccessibleName(tr("Hide"));
  connect(later, &QToolButton::clicked, this, &RecoveryBar::hide);
  for (QWidget* button : {static_cast<QWidget*>(restore), static_cast<QWidget*>(discard), static_cast<QWidget*>(later)})
    row->addWidget(button, 0, Qt::AlignTop);
  hide();
}

void RecoveryBar::show(const std::optional<SessionKeeper::Offer>& offer) {
  m_label->setText(offer ? sentenceOf(*offer) : QString());
  setVisible(offer.has_value());
}

QString RecoveryBar::sentence() const { return m_label->text(); }

}  // namespace vqscope
