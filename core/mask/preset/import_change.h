// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/preset/mask_import.h"

#include <string>

namespace vqscope {

/// What differs between two contents of one file, in one line: "3 cells changed in rows 12 to 14",
/// "line 2 is now: return q_idx >= kv_idx". Empty: nothing does.
std::string import_change(const MaskImport& before, const MaskImport& after);

}  // namespace vqscope
