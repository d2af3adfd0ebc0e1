// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/method.h"

namespace vqscope {

/// `t5_bucket_error`: [q_length, kv_length], T5's bucket computed in a number type minus the one of real numbers.
Method t5_bucket_error_method();

/// `t5_error_by_distance`: the same against distance, by number type.
Method t5_error_by_distance_method();

}  // namespace vqscope
