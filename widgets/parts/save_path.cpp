// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/parts/save_path.h"

#include <QFileDialog>

namespace vqscope {

QString chooseSavePath(QWidget* parent, const QString& title, const QString& suggested, const QString& filter,
                       const QString& suffix) {
  QFileDialog dialog(parent, title, {}, filter);
  dialog.setAcceptMode(QFileDialog::AcceptSave);
  dialog.setDefaultSuffix(suffix);
  dialog.selectFile(suggested);
  return dialog.exec() == QDialog::Accepted ? dialog.selectedFiles().value(0) : QString();
}

}  // namespace vqscope
