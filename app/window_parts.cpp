// SPDX-License-Identifier: GPL-3.0-or-later
// The only source of the window that knows which parts this build has.
#include "app/window/page_stack.h"

#if VQSCOPE_LAB
#include "widgets/experiment/experiment_page.h"
#endif

namespace vqscope {

PageWidget* makeAddedPage([[maybe_unused]] Workbench& workbench, [[maybe_unused]] const PageInfo& info,
                          [[maybe_unused]] QWidget* parent) {
#if VQSCOPE_LAB
  if (info.id == "experiments") return new ExperimentPage(workbench, info, parent);
#endif
  return nullptr;
}

}  // namespace vqscope
