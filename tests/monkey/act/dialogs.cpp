// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/monkey/act/dialogs.h"

#include "widgets/figure/figure_editor.h"

#include <QAbstractButton>
#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QFileDialog>
#include <QLineEdit>
#include <QListWidget>
#include <QMessageBox>
#include <QProgressDialog>

namespace vqscope::monkey {
namespace {

void answer(QFileDialog& dialog, Hands& hands) {
  if (hands.chance.in(25)) {
    hands.log(QStringLiteral("file dialog: cancel"));
    return dialog.reject();
  }
  const bool saves = dialog.acceptMode() == QFileDialog::AcceptSave;
  const QString path = saves ? hands.files.toSave(hands.chance) : hands.files.toOpen(hands.chance);
  hands.log(QStringLiteral("file dialog: %1").arg(path));
  auto* name = dialog.findChild<QLineEdit*>(QStringLiteral("fileNameEdit"));
  if (!name) return dialog.reject();
  name->setText(path);
  const QPointer<QFileDialog> stays = &dialog;
  static_cast<QDialog&>(dialog).accept();
  // A folder is entered and a file that is not there refused: a person gives up.
  if (stays && stays->isVisible() && hands.chance.in(50)) stays->reject();
}

void answer(QMessageBox& box, Hands& hands) {
  const auto buttons = box.buttons();
  QAbstractButton* button = hands.chance.of(buttons);
  hands.log(QStringLiteral("answer %1 to %2").arg(shown(button->text()), shown(box.text())));
  button->click();
}

/// With some views and formats, and some look.
void answer(FigureEditor& editor, Hands& hands) {
  for (auto* box : editor.findChildren<QComboBox*>())
    if (box->count() > 0) box->setCurrentIndex(hands.chance.below(box->count()));
  for (auto* box : editor.findChildren<QCheckBox*>()) box->setChecked(hands.chance.in(50));
  auto* views = editor.findChild<QListWidget*>();
  for (int row = 0; views && row < views->count(); ++row)
    views->item(row)->setCheckState(hands.chance.in(50) ? Qt::Checked : Qt::Unchecked);
  hands.log(QStringLiteral("export as %1").arg(editor.formats().join(QLatin1Char(' '))));
  if (editor.request() && !editor.formats().isEmpty())
    editor.accept();
  else
    editor.reject();
}

}  // namespace

bool answerDialog(Hands& hands) {
  QWidget* modal = QApplication::activeModalWidget();
  if (auto* exported = qobject_cast<FigureEditor*>(modal); exported && hands.chance.in(30)) {
    answer(*exported, hands);
    return true;
  }
  if (auto* progress = qobject_cast<QProgressDialog*>(modal); progress && hands.chance.in(20)) {
    hands.log(QStringLiteral("cancel"));
    progress->cancel();
    return true;
  }
  if (auto* files = qobject_cast<QFileDialog*>(modal)) {
    answer(*files, hands);
    return true;
  }
  // The question whether a file may be replaced is a file dialog's own.
  auto* box = qobject_cast<QMessageBox*>(modal);
  const bool ofFiles = box && qobject_cast<QFileDialog*>(box->parentWidget());
  if (!box || box->buttons().isEmpty() || !(ofFiles || hands.chance.in(50))) return false;
  answer(*box, hands);
  return true;
}

bool unwind(Hands& hands) {
  if (hands.input.isPressed()) {
    hands.input.release();
    return true;
  }
  if (QWidget* popup = QApplication::activePopupWidget()) {
    popup->close();
    return true;
  }
  if (QWidget* modal = QApplication::activeModalWidget()) {
    auto* box = qobject_cast<QMessageBox*>(modal);
    if (box && !box->buttons().isEmpty())
      box->buttons().constLast()->click();
    else if (auto* progress = qobject_cast<QProgressDialog*>(modal))
      progress->cancel();  // its reject() hides it, and the work goes on
    else if (auto* dialog = qobject_cast<QDialog*>(modal))
      dialog->reject();
    else
      modal->close();
    return true;
  }
  return false;
}

}  // namespace vqscope::monkey
