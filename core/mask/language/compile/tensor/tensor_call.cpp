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
  return side ? known_side(c, *side, sides, call.range) : std::nullopt;
}

std::optional<std::size_t> known_side(Compilation& c, Index side, Index sides, Range range) {
  const auto found = side_of(side, sides);
  if (!found)
    c.fail(range, "an array of {} {} has no dimension {}", sides, sides == 1 ? "dimension" : "dimensions", side);
  return found;
}

}  // namespace vqscope::language
