// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/catalogue/registry.h"
#include "core/session/session.h"

namespace vqscope::test {

inline ShownPage default_page(const char* id) { return default_page(*find_page_info(id)); }

}  // namespace vqscope::test
