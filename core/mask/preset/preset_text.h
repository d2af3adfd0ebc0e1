// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/preset/presets.h"

#include <string>

namespace vqscope {

/// What make_preset_mask makes of the same values, as a text of the mask language over the same sequence: one def a
/// term, joined by and_masks; the window and the prefix are integers at the top.
///
/// A preset that is a file is that file, joined with what masks padding and other documents where the sequence has
/// them.
///
/// It compares indices, as FlexAttention does, where the preset compares positions: within a document the two order
/// tokens alike, and padding queries have no position but their token.
std::string preset_text(const ParameterValues& values);

}  // namespace vqscope
