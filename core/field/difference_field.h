// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/field/field.h"

#include <memory>

namespace vqscope {

/// How two values are subtracted.
enum class DifferenceKind {
  plain,   ///< a - b
  angular  ///< radians, wrapped to (-π, π]; means are directions
};

/// A field that knows a closed form of its difference from some others.
class Subtractable {
 public:
  virtual ~Subtractable() = default;

  /// This minus `other`, cell by cell, or nothing when there is no closed form. Of the same extent.
  virtual std::shared_ptr<const Field> minus(const Field& other, DifferenceKind kind) const = 0;
};

/// a - b, [rows, cols] of both; reports call them A and B, as the window does. Two fields of different extents are
/// refused with both extents named.
Result<std::shared_ptr<const Field>> make_difference(std::shared_ptr<const Field> a, std::shared_ptr<const Field> b,
                                                     DifferenceKind kind = DifferenceKind::plain);

/// a - b for angles, in (-π, π].
double angular_difference(double a, double b);

}  // namespace vqscope
