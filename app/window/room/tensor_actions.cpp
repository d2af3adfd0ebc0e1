// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/room/tensor_actions.h"

#include "widgets/import/attention_dialog.h"

namespace vqscope {

TensorActions::TensorActions(QWidget* window) : QObject(window), m_window(window) {}

void TensorActions::open(const QStringList& paths) {
  AttentionDialog dialog(m_window);
  dialog.addFiles(paths);
  if (!dialog.isComplete() && dialog.exec() != QDialog::Accepted) return;
  if (const auto values = dialog.values()) emit viewAsked(QStringLiteral("vq_weights"), *values);
}

}  // namespace vqscope
