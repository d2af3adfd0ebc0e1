// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/page/page_widget.h"

namespace vqscope {

/// A page of a kind that a part of this build adds; null for a page that makePage makes. Defined in
/// app/window_parts.cpp, which is linked with the window.
PageWidget* makeAddedPage(Workbench& workbench, const PageInfo& info, QWidget* parent);

}  // namespace vqscope
