// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/room/capture_actions.h"

#include <QTimer>

namespace vqscope {

void CaptureActions::show(const Capture& capture, std::optional<Index> layer) {
  if (m_dialog) m_dialog->close();
  auto* dialog = new CaptureDialog(std::make_shared<const Capture>(capture), layer, m_window);
  m_dialog = dialog;
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &CaptureDialog::layerRequested, this, [this, dialog](const QStringList& files) {
    dialog->hide();
    emit layerRequested(files);
  });
  connect(dialog, &QObject::destroyed, this, [this] {
    if (!m_dialog) emit hasCaptureChanged(false);
  });
  emit hasCaptureChanged(true);
  QTimer::singleShot(0, dialog, &QDialog::show);
}

void CaptureActions::showAgain() {
  if (!m_dialog) return;
  m_dialog->show();
  m_dialog->raise();
  m_dialog->activateWindow();
}

}  // namespace vqscope
