// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/language/compile/tensor/tensor_call.h"

#include "core/base/text.h"
#include "core/mask/language/compile/tensor/tensor_values.h"

namespace vqscope::language {

TensorPtr object_of(Compilation& c, const TensorCall& call) {
  const Argument* object = call.at(0, "input");
  if (!object) return c.fail(call.range, call.name + " takes an array"), nullptr;
  const TensorPtr tensor = array_at(c, *object);
  return tensor && c.spend(tensor->size(), call.range) ? tensor : nullptr;
}

TensorPtr known_object_of(Compilation& c, const TensorCall& call) {
  TensorPtr tensor = object_of(c, call);
  if (tensor && tensor->is_known()) return tensor;
  if (tensor) c.fail(call.range, call.name + " takes an array of known numbers");
  return nullptr;
}

std::optional<std::size_t> side_given(Compilation& c, const TensorCall& call, std::size_t place, Index otherwise,
                                      Index sides) {
  const Argument* given = call.at(place, "dim", "axis");
  const auto side = given ? known_number(c, *given) : std::optional(otherwise);
  const auto found = side ? side_of(*side, sides) : std::nullopt;
  if (side && !found) c.fail(call.range, "an array of {} sides has no side {}", sides, *side);
  return found;
}

}  // namespace vqscope::language
