// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/shared/number_type.h"

namespace vqscope {

/// How many whole numbers are rounded to the same number as `position`; none has the same where it is infinite.
Index positions_sharing(Index position, const NumberType& type);

}  // namespace vqscope
