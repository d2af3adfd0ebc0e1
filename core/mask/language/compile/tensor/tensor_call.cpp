// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/language/compile/tensor/tensor_call.h"

#include "core/base/text.h"
#include "core/mask/language/compile/tensor/tensor_values.h"

#include <algorithm>
#include <array>

namespace vqscope::language {
namespace {

/// Where an array lies, and how: nothing that its elements depend on.
bool is_of_storage(std::string_view keyword) {
  static constexpr std::array<std::string_view, 12> names{"dtype",  "device",        "requires_grad", "pin_memory",
                                                          "layout", "memory_format", "order",         "copy",
                                                          "stable", "kind",          "sorted",        "non_blocking"};
  return std::ranges::find(names, keyword) != names.end();
}

}  // namespace

void refuse_unread(Compilation& c, const TensorCall& call) {
  call.read.resize(call.arguments.size());
  for (std::size_t i = 0; i < call.arguments.size(); ++i) {
    const Argument& argument = call.arguments[i];
    if (call.read[i] || is_of_storage(argument.keyword) || argument.value.kind == Value::Kind::nothing) continue;
    if (argument.keyword.empty())
      c.fail(argument.range, "{} takes fewer arguments than these", call.name);
    else
      c.fail(argument.range, "{} has no argument {} here", call.name, shortened(argument.keyword));
    return;
  }
}

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
