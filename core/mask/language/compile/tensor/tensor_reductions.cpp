// SPDX-License-Identifier: GPL-3.0-or-later
// Reductions along dimensions: sums, extremes, any and all.
#include "core/mask/language/compile/tensor/tensor_operations.h"

#include "core/base/text.h"
#include "core/mask/language/compile/tensor/tensor.h"
#include "core/mask/language/compile/tensor/tensor_call.h"
#include "core/mask/language/compile/tensor/tensor_values.h"

#include <algorithm>

namespace vqscope::language {
namespace {

/// How a function joins two elements.
struct Fold {
  const char* kernel;
  Op op;
  std::optional<Index> of_none;  ///< result for no elements
  bool is_truth = false;
};

/// Joins pairs of pairs, because joining one by one would be too deep.
NodeId folded_nodes(Compilation& c, std::vector<NodeId> nodes, const Fold& fold, Range range) {
  if (nodes.empty()) return c.build.constant(*fold.of_none, fold.is_truth, range);
  while (nodes.size() > 1 && !c.failed()) {
    std::vector<NodeId> next;
    for (std::size_t i = 0; i < nodes.size(); i += 2)
      next.push_back(i + 1 < nodes.size() ? c.make(fold.op, fold.is_truth, range, nodes[i], nodes[i + 1]).node
                                          : nodes[i]);
    nodes = std::move(next);
  }
  return c.failed() ? no_node : nodes.front();
}

bool fold_numbers(Compilation& c, const Tensor& from, std::span<const Index> group, const Fold& fold,
                  const TensorCall& call, Tensor& made, Tensor& places) {
  const NumberKernel& kernel = *number_kernel(fold.kernel);
  std::optional<Index> total = fold.of_none;
  Index place = 0;
  for (std::size_t i = 0; i < group.size(); ++i) {
    Index next = from.numbers[static_cast<std::size_t>(group[i])];
    if (call.name == "count_nonzero") next = next != 0 ? 1 : 0;
    const auto joined = total ? kernel.of({*total, next, 0}) : std::optional(next);
    if (!joined) return c.fail(call.range, "this {} does not fit in 64 bits", call.name), false;
    if (joined != total) place = static_cast<Index>(i);
    total = joined;
  }
  made.numbers.push_back(*total);
  places.numbers.push_back(place);
  return true;
}

bool fold_values(Compilation& c, const Tensor& from, std::span<const Index> group, const Fold& fold,
                 const TensorCall& call, Tensor& made) {
  std::vector<NodeId> nodes;
  for (const Index place : group) {
    const NodeId id = c.as_node(element_at(c, from, place, call.range), call.range);
    if (c.failed()) return false;
    const bool counts = call.name == "count_nonzero";
    const NodeId operand = counts || fold.is_truth ? c.as_bool(id) : id;
    nodes.push_back(fold.is_truth ? operand : c.as_int(operand));
  }
  const NodeId result = folded_nodes(c, std::move(nodes), fold, call.range);
  if (!c.failed()) made.values.push_back(c.of_node(result));
  return !c.failed();
}

}  // namespace

Value reduce(Compilation& c, const TensorCall& call) {
  static const std::map<std::string, Fold> folds{{"sum", {"+", Op::add, 0}},
                                                 {"prod", {"*", Op::multiply, 1}},
                                                 {"any", {"logical_or", Op::logical_or, 0, true}},
                                                 {"all", {"logical_and", Op::logical_and, 1, true}},
                                                 {"max", {"maximum", Op::maximum, {}}},
                                                 {"min", {"minimum", Op::minimum, {}}},
                                                 {"count_nonzero", {"+", Op::add, 0}},
                                                 {"amax", {"maximum", Op::maximum, {}}},
                                                 {"amin", {"minimum", Op::minimum, {}}},
                                                 {"argmax", {"maximum", Op::maximum, {}}},
                                                 {"argmin", {"minimum", Op::minimum, {}}}};
  const Fold& fold = folds.at(call.name);
  const bool is_place = call.name.starts_with("arg");
  const TensorPtr from = is_place ? known_object_of(c, call) : object_of(c, call);
  const Argument* along = call.at(1, "dim", "axis");
  const Argument* keeps = call.at(2, "keepdim", "keepdims");
  const auto sides = from && along ? known_integers(c, {*along}) : std::optional(std::vector<Index>());
  const bool keeps_sides = keeps && known_number(c, *keeps).value_or(0) != 0;
  if (!from || !sides || c.failed()) return {};
  std::vector<bool> folded(from->shape.size(), sides->empty());
  for (const Index side : *sides) {
    const auto known = side_of(side, from->sides());
    if (!known) return c.fail(call.range, "an array of shape {} has no dimension {}", shape_text(from->shape), side);
    folded[*known] = true;
  }
  std::vector<Index> shape, kept;
  for (std::size_t i = 0; i < folded.size(); ++i) {
    kept.push_back(folded[i] ? 1 : from->shape[i]);
    if (!folded[i] || keeps_sides) shape.push_back(kept.back());
  }
  const auto count = counted(c, kept, call.range);
  if (!count) return {};
  std::vector<std::vector<Index>> groups(static_cast<std::size_t>(*count));
  const auto group_of = broadcast_places(kept, from->shape);
  for (std::size_t i = 0; i < group_of.size(); ++i)
    groups[static_cast<std::size_t>(group_of[i])].push_back(static_cast<Index>(i));
  if (!fold.of_none && std::ranges::any_of(groups, [](const auto& group) { return group.empty(); }))
    return c.fail(call.range, call.name + " of an empty array has no value");
  Tensor made{.shape = shape, .is_bool = fold.is_truth || (from->is_bool && !fold.of_none && !is_place)};
  Tensor places{.shape = shape};
  for (const auto& group : groups)
    if (!(from->is_known() ? fold_numbers(c, *from, group, fold, call, made, places)
                           : fold_values(c, *from, group, fold, call, made)))
      return {};
  if (is_place) return of_tensor(c, std::move(places), call.range);
  Value result = of_tensor(c, std::move(made), call.range);
  // torch returns the values and their indices, which are not known for values that differ by cell.
  const bool gives_places = (call.name == "max" || call.name == "min") && along;
  if (!gives_places || c.failed()) return result;
  if (!from->is_known()) return c.list_value({std::move(result)});
  return c.list_value({std::move(result), of_tensor(c, std::move(places), call.range)});
}

}  // namespace vqscope::language
