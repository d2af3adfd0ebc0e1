// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/session/workbench.h"

#include <functional>

namespace vqscope {

class LookMenus;

/// Makes the menus edit a page of the workbench, as the form does. `refused` receives the reason if
/// an edit is refused.
void connectLookEdits(LookMenus& menus, Workbench& workbench, const std::string& page,
                      const std::function<void(const QString& sentence)>& refused);

}  // namespace vqscope
