// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/method/compared.h"

#include "core/field/difference_field.h"

namespace vqscope {

Result<std::shared_ptr<const Field>> make_method_difference(const Method& method, std::shared_ptr<const Field> a,
                                                            std::shared_ptr<const Field> b) {
  const bool angles = method.field()->scale == ValueScale::cyclic;
  return make_difference(std::move(a), std::move(b), angles ? DifferenceKind::angular : DifferenceKind::plain);
}

Result<std::shared_ptr<const Field>> make_compared_field(const Method& method, const ParameterValues& values,
                                                         const std::optional<ParameterValues>& minus,
                                                         const Work& work) {
  auto a = make_field(method, values, work);
  if (!a || !minus) return a;
  auto b = make_field(method, *minus, work);
  if (!b) return b;
  return make_method_difference(method, *a, *b);
}

}  // namespace vqscope
