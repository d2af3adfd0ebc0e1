// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/preset/presets.h"

#include <string>

namespace vqscope {

/// The file of a preset, and behind it, so that lines keep their numbers, a mask that joins it with those of `terms`
/// that come from the sequence and the page: key_valid, same_document and sliding_window. The file alone where there
/// are none.
///
/// It compares indices, as FlexAttention does: within a document they order tokens as positions do, and padding queries
/// have no position but their token.
std::string preset_text(const MaskPreset& preset, const PresetTerms& terms);

/// The mask of make_preset_mask for the same values, as a text over the same sequence.
std::string preset_text(const ParameterValues& values);

}  // namespace vqscope
