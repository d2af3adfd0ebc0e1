// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/room/tensor_actions.h"

#include "core/catalogue/parts.h"
#include "widgets/import/attention_dialog.h"
#include "widgets/parts/text.h"

namespace vqscope {

TensorActions::TensorActions(QWidget* window) : QObject(window), m_window(window) {}

void TensorActions::open(const QStringList& paths) {
  if (tensor_view().empty())
    return emit notified(tr("Views of queries, keys and values are part of the lab, which this build leaves out"),
                         true);
  AttentionDialog dialog(m_window);
  dialog.addFiles(paths);
  if (!dialog.isComplete() && dialog.exec() != QDialog::Accepted) return;
  if (const auto values = dialog.values()) emit viewRequested(text(std::string(tensor_view())), *values);
}

}  // namespace vqscope
