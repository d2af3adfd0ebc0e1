// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/part.h"

namespace vqscope {

/// Attention, models and experiments: what the lab adds to the catalogue and to the window.
Part lab_part();

}  // namespace vqscope
