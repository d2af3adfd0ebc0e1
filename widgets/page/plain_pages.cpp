// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/page/plain_pages.h"

#include "widgets/start/start_view.h"

#include <QVBoxLayout>

namespace vqscope {
StartPage::StartPage(Workbench& workbench, const PageInfo& info, QWidget* parent)
    : PageWidget(workbench, info, parent), m_view(new StartView(this)) {
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(m_view);
}

}  // namespace vqscope
