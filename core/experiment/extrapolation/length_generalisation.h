// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/method.h"

namespace vqscope {

/// `length_generalisation`: how many problems of a task models answer right that are trained here, within and beyond
/// the sizes that they are trained on.
Method length_generalisation_method();

}  // namespace vqscope
