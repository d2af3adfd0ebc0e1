// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/page/field/note_dialog.h"

#include "core/session/note/cell_note.h"

#include <QDialogButtonBox>
#include <QKeyEvent>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace vqscope {

NoteDialog::NoteDialog(const QString& place, const QString& text, QWidget* parent)
    : QDialog(parent), m_text(new QPlainTextEdit(text, this)), m_error(new QLabel(this)) {
  setWindowTitle(tr("Note on %1").arg(place));
  setMinimumWidth(380);
  auto* layout = new QVBoxLayout(this);
  auto* about = new QLabel(tr("Kept in the session, and part of its report. Ctrl+Enter keeps the note."), this);
  about->setWordWrap(true);
  about->setProperty("class", "secondary");
  m_text->setAccessibleName(windowTitle());
  m_text->setTabChangesFocus(true);
  m_text->selectAll();
  layout->addWidget(m_text);
  layout->addWidget(about);
  m_error->setProperty("class", "error");
  m_error->setWordWrap(true);
  m_error->hide();
  layout->addWidget(m_error);
  connect(m_text, &QPlainTextEdit::textChanged, m_error, &QLabel::hide);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this);
  if (!text.isEmpty()) {
    auto* remove = buttons->addButton(tr("Remove note"), QDialogButtonBox::DestructiveRole);
    connect(remove, &QPushButton::clicked, this, [this] {
      m_text->clear();
      accept();
    });
  }
  connect(buttons, &QDialogButtonBox::accepted, this, &NoteDialog::accept);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  layout->addWidget(buttons);
  m_text->setFocus();
}

QString NoteDialog::text() const { return m_text->toPlainText(); }

void NoteDialog::accept() {
  const auto size = text().toUtf8().size();
  if (size <= static_cast<qsizetype>(longest_cell_note)) return QDialog::accept();
  m_error->setText(tr("This note has %1 bytes; a note has at most %2.").arg(size).arg(longest_cell_note));
  m_error->show();
}

/// The text takes Enter alone for itself.
void NoteDialog::keyPressEvent(QKeyEvent* event) {
  const bool isEnter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
  if (isEnter && event->modifiers().testFlag(Qt::ControlModifier)) return accept();
  QDialog::keyPressEvent(event);
}

}  // namespace vqscope
