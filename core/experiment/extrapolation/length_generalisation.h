// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/method.h"

namespace vqscope {

/// `length_generalisation`: fraction of problems of a task that models, trained here, answer
/// correctly, within and beyond the sizes of their training.
Method length_generalisation_method();

}  // namespace vqscope
