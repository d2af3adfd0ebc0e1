// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/page/workspace_page.h"

namespace vqscope {

/// A page of a kind that a part of this build adds; null for a page that makeWorkspacePage makes. Defined in
/// app/window_parts.cpp, which is linked with the window.
WorkspacePage* makeAddedPage(Workbench& workbench, const WorkspaceInfo& info, QWidget* parent);

}  // namespace vqscope
