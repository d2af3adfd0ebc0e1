// SPDX-License-Identifier: GPL-3.0-or-later
// Several arrays as one.
#include "core/mask/language/compile/tensor/tensor_operations.h"

#include "core/base/text.h"
#include "core/mask/language/compile/tensor/tensor_call.h"
#include "core/mask/language/compile/tensor/tensor_values.h"

namespace vqscope::language {

Value meshgrid(Compilation& c, const TensorCall& call) {
  std::vector<Argument> all = call.from(0);
  if (all.size() == 1 && all[0].value.kind == Value::Kind::tuple) {
    const auto items = all[0].value.items;
    all.clear();
    for (const Value& item : *items) all.push_back({item, "", call.range});
  }
  std::vector<TensorPtr> lines;
  std::vector<Index> shape;
  for (const Argument& one : all) {
    lines.push_back(as_tensor(c, one));
    if (!lines.back()) return {};
    shape.push_back(lines.back()->size());
  }
  const Argument* order = call.at(all.size(), "indexing");
  const bool turned = order && order->value.name == "xy" && lines.size() > 1;
  if (turned) std::swap(shape[0], shape[1]);
  std::vector<Value> grids;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    std::vector<Index> own(lines.size(), 1);
    own[turned && i < 2 ? 1 - i : i] = lines[i]->size();
    if (!counted(c, shape, call.range)) return {};
    grids.push_back(of_tensor(c, rearranged(*lines[i], shape, broadcast_places(own, shape)), call.range));
  }
  return c.list_value(std::move(grids));
}

/// cat joins along an existing dimension, stack along a new one.
Value cat(Compilation& c, const TensorCall& call) {
  const bool stacks = call.name == "stack";
  const Argument* list = call.at(0, "tensors");
  if (!list) return c.fail(call.range, call.name + " takes a list of arrays");
  const bool is_list = list->value.kind == Value::Kind::tuple;
  const TensorPtr whole = is_list ? nullptr : array_at(c, *list);
  const std::vector<Value> items = is_list ? *list->value.items : rows_of(c, whole, call.range);
  std::vector<TensorPtr> parts;
  for (const Value& one : items) {
    parts.push_back(as_tensor(c, {one, "", list->range}));
    if (!parts.back()) return {};
    // torch ignores empty arrays, whatever their shape.
    if (!stacks && parts.back()->size() == 0 && parts.back()->sides() == 1) parts.pop_back();
  }
  if (c.failed()) return {};
  if (parts.empty())
    return items.empty() ? c.fail(call.range, "there is nothing to join here")
                         : of_tensor(c, {.shape = {0}}, call.range);
  if (!stacks && parts.front()->sides() == 0)
    return c.fail(call.range, call.name + " joins arrays, these are numbers; write stack");
  const auto side = side_given(c, call, 1, 0, parts.front()->sides() + (stacks ? 1 : 0));
  if (!side) return {};
  Tensor made{.shape = parts.front()->shape, .is_bool = true};
  if (stacks) made.shape.insert(made.shape.begin() + static_cast<std::ptrdiff_t>(*side), 1);
  made.shape[*side] = 0;
  bool all_known = true;
  for (const TensorPtr& part : parts) {
    auto shape = part->shape;
    if (stacks) shape.insert(shape.begin() + static_cast<std::ptrdiff_t>(std::min(*side, shape.size())), 1);
    const bool has_side = *side < shape.size();
    const Index width = has_side ? std::exchange(shape[*side], made.shape[*side]) : 0;
    if (!has_side || shape != made.shape)
      return c.fail(call.range, "arrays of shapes {} and {} do not fit together", shape_text(parts.front()->shape),
                    shape_text(part->shape));
    made.shape[*side] += width;
    made.is_bool = made.is_bool && part->is_bool;
    all_known = all_known && part->is_known();
  }
  if (!counted(c, made.shape, call.range)) return {};
  // The dimensions before the joined one are copied part by part.
  Index before = 1;
  for (std::size_t i = 0; i < *side; ++i) before *= made.shape[i];
  for (Index row = 0; row < before; ++row)
    for (const TensorPtr& part : parts) {
      const Index width = part->size() / before;
      for (Index i = row * width; i < (row + 1) * width; ++i)
        if (all_known)
          made.numbers.push_back(part->numbers[static_cast<std::size_t>(i)]);
        else
          made.values.push_back(element_at(c, *part, i, call.range));
    }
  return of_tensor(c, std::move(made), call.range);
}

/// Matrices along the diagonal, 0 elsewhere.
Value block_diag(Compilation& c, const TensorCall& call) {
  std::vector<TensorPtr> blocks;
  Tensor made{.shape = {0, 0}, .is_bool = true};
  bool all_known = true;
  const auto width = [](const Tensor& block) { return block.sides() == 0 ? 1 : block.shape.back(); };
  const auto height = [](const Tensor& block) { return block.sides() < 2 ? 1 : block.shape.front(); };
  for (const Argument& one : call.from(0)) {
    blocks.push_back(as_tensor(c, one));
    if (!blocks.back()) return {};
    const Tensor& block = *blocks.back();
    if (block.sides() > 2)
      return c.fail(call.range, "block_diag joins matrices, found an array of shape {}", shape_text(block.shape));
    made.shape = {made.shape[0] + height(block), made.shape[1] + width(block)};
    made.is_bool = made.is_bool && block.is_bool;
    all_known = all_known && block.is_known();
  }
  if (!counted(c, made.shape, call.range)) return {};
  const Value none = c.of_node(c.build.constant(0, made.is_bool, call.range));
  Index first = 0;  // column of the block
  for (const TensorPtr& block : blocks) {
    for (Index row = 0; row < height(*block); ++row)
      for (Index column = 0; column < made.shape[1]; ++column) {
        const bool is_inside = first <= column && column < first + width(*block);
        const Index at = row * width(*block) + column - first;
        if (all_known)
          made.numbers.push_back(is_inside ? block->numbers[static_cast<std::size_t>(at)] : 0);
        else
          made.values.push_back(is_inside ? element_at(c, *block, at, call.range) : none);
      }
    first += width(*block);
  }
  return of_tensor(c, std::move(made), call.range);
}

}  // namespace vqscope::language
