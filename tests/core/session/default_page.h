// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/catalogue/registry.h"
#include "core/session/session.h"

namespace vqscope::test {

inline WorkspaceState default_page(const char* id) { return default_workspace(*find_workspace_info(id)); }

}  // namespace vqscope::test
