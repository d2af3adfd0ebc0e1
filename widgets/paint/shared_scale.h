// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/paint/colour_scale.h"

#include <optional>

namespace vqscope {

/// One scale for the legend of two pictures, if every colour means the same in both: equal ranges
/// and labels; of masks also terms that only one has, in a colour of their own. It has the remarks
/// of both.
std::optional<ColourScale> sharedScale(const ColourScale& a, const ColourScale& b);

}  // namespace vqscope
