// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/capture/parity/recipe/recipe.h"

namespace vqscope {

/// `recipe` with the rotation that A's vectors show before and after it: at the positions of the
/// inputs, where there is one axis, and at those that the vectors show. Empty: A does not hold both, or
/// no rotation of pairs makes one from the other.
std::vector<Recipe> with_shown_rope(const Capture& a, const LayerSample& sample, const Recipe& recipe);

/// The formula by which A's vectors turn as `law`, where nobody told it; nothing: they show none that is known.
std::optional<ToldRope> shown_formula(const Capture& a, const LayerSample& sample, const RopeLaw& law);

}  // namespace vqscope
