// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/methods.h"
#include "core/method/method_list.h"

namespace vqscope::test {

inline const Method& visibility() { return *find_method(mask_methods(), "visibility"); }

}  // namespace vqscope::test
