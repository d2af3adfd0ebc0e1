// SPDX-License-Identifier: GPL-3.0-or-later
// Arrays that change in place: x.fill_(1), x.masked_fill_(mask, 1), x.scatter_(0, index, source).
#include "core/mask/language/compile/tensor/tensor_operations.h"

#include "core/base/text.h"
#include "core/mask/language/compile/tensor/tensor_access.h"
#include "core/mask/language/compile/tensor/tensor_call.h"
#include "core/mask/language/compile/tensor/tensor_values.h"

namespace vqscope::language {

Value fill(Compilation& c, const TensorCall& call) {
  const TensorPtr to = object_of(c, call);
  const Argument zero{c.number_value(0, call.range), "", call.range};
  const Argument* value = call.name == "zero_" ? &zero : call.at(1, "value", "src");
  if (!to) return {};
  if (!value) return c.fail(call.range, call.name + " is given a value");
  write_elements(c, to, {{.kind = Subscript::Kind::every}}, *value, call.range);
  return {.kind = Value::Kind::tensor, .tensor = to};
}

Value fill_diagonal(Compilation& c, const TensorCall& call) {
  const TensorPtr to = object_of(c, call);
  const Argument* value = call.at(1, "fill_value", "value");
  if (!to) return {};
  if (to->sides() != 2 || !value)
    return c.fail(call.range, call.name + " takes an array of two dimensions and a value");
  Tensor line;
  for (Index i = 0; i < std::min(to->shape[0], to->shape[1]); ++i) line.numbers.push_back(i);
  line.shape = {line.size()};
  const Subscript along{.value = {of_tensor(c, std::move(line), call.range), "", call.range}};
  write_elements(c, to, {along, along}, *value, call.range);
  return {.kind = Value::Kind::tensor, .tensor = to};
}

Value masked_fill(Compilation& c, const TensorCall& call) {
  const TensorPtr to = object_of(c, call);
  const Argument* mask = call.at(1, "mask");
  const Argument* value = call.at(2, "value");
  const TensorPtr where = to && mask ? as_tensor(c, *mask) : nullptr;
  if (c.failed()) return {};
  if (!where || !value) return c.fail(call.range, call.name + " takes a mask and a value");
  const auto common = broadcast(where->shape, to->shape);
  if (!common || *common != to->shape) return c.fail(call.range, "the mask does not fit the array's shape");
  Tensor whole = rearranged(*where, to->shape, broadcast_places(where->shape, to->shape));
  whole.is_bool = true;
  whole.memory = Tensor().memory;
  write_elements(c, to, {{.value = {of_tensor(c, std::move(whole), call.range), "", call.range}}}, *value, call.range);
  return {.kind = Value::Kind::tensor, .tensor = to};
}

/// to[index[i][j]][j] = source[i][j], along a dimension.
Value scatter(Compilation& c, const TensorCall& call) {
  TensorPtr to = object_of(c, call);
  const Argument* index = call.at(2, "index");
  const Argument* value = call.at(3, "src", "value");
  const TensorPtr indices = to && index ? as_tensor(c, *index) : nullptr;
  if (c.failed()) return {};
  if (!indices || !value || !indices->is_known() || indices->sides() != to->sides())
    return c.fail(call.range,
                  call.name + " takes a dimension, known indices with as many dimensions as the array, and values");
  const auto side = side_given(c, call, 1, 0, to->sides());
  if (!side) return {};
  if (call.name == "scatter") {
    to = std::make_shared<Tensor>(*to);
    to->memory = Tensor().memory;
    to->choices = c.choices;
  }
  const auto subscripts = moved_to(c, *indices, *side, call.range);
  write_elements(c, to, subscripts, *value, call.range);
  return {.kind = Value::Kind::tensor, .tensor = to};
}

}  // namespace vqscope::language
