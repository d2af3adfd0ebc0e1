// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/recognise/recognise.h"
#include "core/method/parameter.h"

namespace vqscope {

/// For a mask that fits: a text with the recognised cells, also if the shape is of the masked cells.
std::string mask_text_of(const Recognition& found);

/// `visibility`'s values with that text as the mask and the arrays that it looks into, over a sequence of the mask's
/// lengths. The exceptions are not in it.
ParameterValues recognised_as_text(const ParameterValues& values, const Recognition& found);

}  // namespace vqscope
