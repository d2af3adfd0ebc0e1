// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/method.h"
#include "core/method/shared/number_type.h"

namespace vqscope {

/// How many whole numbers are rounded to the same number as `position`; none has the same where it is infinite.
Index positions_sharing(Index position, const NumberType& type);

/// `rope_error_by_position`: largest |angle_error| of any pair against position, by number type.
Method rope_error_by_position_method();

/// `position_collisions`: positions_sharing against position, by number type.
Method position_collisions_method();

}  // namespace vqscope
