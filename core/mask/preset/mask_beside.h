// SPDX-License-Identifier: GPL-3.0-or-later
// The mask that lies in a file beside q, k and v.
#pragma once

#include "core/base/work.h"

#include <string>

namespace vqscope {

/// What causal attention over `tensor`, FILE or FILE:NAME, leaves out: "the mask capture.npz:mask is
/// not applied; it hides keys that causal attention sees". Empty: its file has no mask, one that
/// cannot be read, or a causal one.
std::string unapplied_mask(const std::string& tensor, const Work& work = {});

}  // namespace vqscope
