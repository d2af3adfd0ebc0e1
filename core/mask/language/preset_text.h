// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/presets.h"

#include <string>

namespace vqscope {

/// What make_preset_mask makes of the same values, as a text of the mask language over the same sequence: one def a
/// term, joined by and_masks; the window and the prefix are integers at the top.
///
/// It compares indices, as FlexAttention does, where the preset compares positions: the two agree on every query that
/// is no padding. A preset hides every key from a padding query; the text lets it see what its index allows.
std::string preset_text(const ParameterValues& values);

}  // namespace vqscope
