// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/field/field.h"

#include <memory>

namespace vqscope {

/// a - b, [rows, cols] of both; reports call them A and B, as the window does. Two fields of
/// different extents are refused with both extents named.
Result<std::shared_ptr<const Field>> make_difference(std::shared_ptr<const Field> a, std::shared_ptr<const Field> b,
                                                     DifferenceKind kind = DifferenceKind::plain);

/// a - b for angles, in (-π, π].
double angular_difference(double a, double b);

}  // namespace vqscope
