// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/field/field.h"
#include "core/method/curve_set.h"

#include <stop_token>

namespace vqscope {

/// How many keys each query of `rows` sees, counted. The field must show a mask with one cell a token; others are
/// refused. Stretches of queries show their mean, and then the set is not exact.
Result<CurveSet> visible_keys(const Field& field, Range rows, Index points, std::stop_token stop = {});

}  // namespace vqscope
