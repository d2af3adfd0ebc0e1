// SPDX-License-Identifier: GPL-3.0-or-later
// What comes of the elements along a side: sums, extremes, running sums, orders.
#include "core/mask/language/tensor_call.h"

#include "core/base/text.h"
#include "core/mask/language/arithmetic.h"
#include "core/mask/language/number_kernels.h"

#include <map>
#include <numeric>

namespace vqscope::language {

std::optional<Value> TensorWriter::reduced(const std::string& name, Call& call) {
  struct Fold {
    const char* kernel;
    Op op;
    std::optional<Index> of_none;
    bool is_truth = false;
  };
  static const std::map<std::string, Fold> folds{{"sum", {"+", Op::add, 0}},
                                                 {"prod", {"*", Op::multiply, 1}},
                                                 {"any", {"logical_or", Op::logical_or, 0, true}},
                                                 {"all", {"logical_and", Op::logical_and, 1, true}},
                                                 {"max", {"maximum", Op::maximum, {}}},
                                                 {"amax", {"maximum", Op::maximum, {}}},
                                                 {"min", {"minimum", Op::minimum, {}}},
                                                 {"amin", {"minimum", Op::minimum, {}}},
                                                 {"count_nonzero", {"+", Op::add, 0}},
                                                 {"argmax", {"maximum", Op::maximum, {}}},
                                                 {"argmin", {"minimum", Op::minimum, {}}}};
  const auto found = folds.find(name);
  if (found == folds.end()) return std::nullopt;
  const Fold& fold = found->second;
  const Argument* object = call.at(0, "input");
  const TensorPtr from = object ? array_at(*object) : nullptr;
  if (!from) return Value{};
  const Argument* along = call.at(1, "dim", "axis");
  const Argument* keeps = call.at(2, "keepdim", "keepdims");
  auto sides = along ? integers({*along}) : std::optional(std::vector<Index>());
  const bool keeps_sides = keeps && number(*keeps).value_or(0) != 0;
  if (!sides || failed()) return Value{};
  std::vector<bool> folded(from->shape.size(), sides->empty());
  for (const Index side : *sides) {
    const auto known = side_of(side, from->sides());
    if (!known && from->sides() > 0)
      return fail(call.range, "an array of shape " + shape_text(from->shape) + " has no side " + to_text(side));
    if (known) folded[*known] = true;
  }
  std::vector<Index> shape, kept;
  for (std::size_t i = 0; i < folded.size(); ++i) {
    kept.push_back(folded[i] ? 1 : from->shape[i]);
    if (!folded[i] || keeps_sides) shape.push_back(kept.back());
  }
  const auto count = counted(kept, call.range);
  if (!count || !spend(from->size(), call.range)) return Value{};
  std::vector<std::vector<Index>> groups(static_cast<std::size_t>(*count));
  const auto group_of = broadcast_places(kept, from->shape);
  for (std::size_t i = 0; i < group_of.size(); ++i)
    groups[static_cast<std::size_t>(group_of[i])].push_back(static_cast<Index>(i));
  const bool is_place = name.starts_with("arg");
  Tensor made{.shape = shape, .is_bool = fold.is_truth || (from->is_bool && !fold.of_none && !is_place)};
  Tensor where{.shape = shape};
  if (is_place && !from->is_known()) return fail(call.range, name + " takes an array of known numbers");
  for (const auto& group : groups) {
    if (group.empty() && !fold.of_none) return fail(call.range, name + " of nothing has no value");
    if (from->is_known()) {
      Index total = fold.of_none.value_or(0);
      Index best = 0;
      for (std::size_t i = 0; i < group.size(); ++i) {
        Index next = from->numbers[static_cast<std::size_t>(group[i])];
        if (name == "count_nonzero") next = next != 0 ? 1 : 0;
        if (i == 0 && !fold.of_none) {
          total = next;
          continue;
        }
        const auto sum = number_kernel(fold.kernel)->of({total, next, 0});
        if (!sum) return fail(call.range, "this " + name + " does not fit in 64 bits");
        if (!fold.of_none && *sum != total) best = static_cast<Index>(i);
        total = *sum;
      }
      made.numbers.push_back(is_place ? best : total);
      where.numbers.push_back(best);
      continue;
    }
    // Pairs of pairs: what is joined one by one would be too deep.
    std::vector<NodeId> nodes;
    for (const Index place : group) {
      const NodeId id = as_node(item(*from, place, call.range), call.range);
      if (failed()) return Value{};
      const bool as_truth = fold.is_truth || name == "count_nonzero";
      nodes.push_back(as_truth ? as_bool(id) : as_int(id));
      if (name == "count_nonzero") nodes.back() = as_int(nodes.back());
    }
    if (nodes.empty()) nodes.push_back(m_build.constant(*fold.of_none, fold.is_truth, call.range));
    while (nodes.size() > 1 && !failed()) {
      std::vector<NodeId> next;
      for (std::size_t i = 0; i < nodes.size(); i += 2)
        next.push_back(i + 1 < nodes.size() ? make(fold.op, fold.is_truth, call.range, nodes[i], nodes[i + 1]).node
                                            : nodes[i]);
      nodes = std::move(next);
    }
    if (failed()) return Value{};
    made.values.push_back(of_node(nodes.front()));
  }
  const bool gives_places = (name == "max" || name == "min") && along && from->is_known();
  Value result = of_tensor(std::move(made), call.range);
  if (!gives_places) return result;
  // torch gives the values and where they stand.
  auto both = std::make_shared<std::vector<Value>>();
  both->push_back(std::move(result));
  both->push_back(of_tensor(std::move(where), call.range));
  return Value{.kind = Value::Kind::tuple, .items = std::move(both)};
}

std::optional<Value> TensorWriter::scanned(const std::string& name, Call& call) {
  static const std::set<std::string> names{"cumsum", "cumprod", "cummax",  "cummin",
                                           "diff",   "sort",    "argsort", "bincount"};
  if (!names.contains(name)) return std::nullopt;
  const Argument* object = call.at(0, "input");
  const TensorPtr from = object ? array_at(*object) : nullptr;
  if (!from) return Value{};
  if (!from->is_known()) return fail(call.range, name + " takes an array of known numbers");
  if (name == "bincount") {
    const Argument* least = call.at(2, "minlength");
    const auto length = least ? number(*least) : std::optional<Index>(0);
    if (!length) return Value{};
    Index most = std::max<Index>(*length, 0);
    for (const Index value : from->numbers) {
      if (value < 0) return fail(call.range, "bincount counts integers of 0 and more, found " + to_text(value));
      most = std::max(most, add(value, 1).value_or(highest));
    }
    auto made = filled({most}, 0, false, call.range);
    if (!made) return Value{};
    for (const Index value : from->numbers) ++made->numbers[static_cast<std::size_t>(value)];
    return of_tensor(std::move(*made), call.range);
  }
  const bool by_order = name == "diff" || name.ends_with("sort");
  const Argument* along = name == "diff" ? call.at(2, "dim", "axis") : call.at(1, "dim", "axis");
  const auto given = along ? number(*along) : std::optional<Index>(by_order ? -1 : 0);
  const bool is_flat = !along && !by_order && from->sides() > 1;  // NumPy's cumsum without an axis
  const auto side = given ? side_of(*given, std::max<Index>(from->sides(), 1)) : std::nullopt;
  if (!side) return failed() ? Value{} : fail(call.range, "the array has no such side");
  if (!spend(from->size(), call.range)) return Value{};
  const std::vector<Index> shape = is_flat ? std::vector<Index>{from->size()} : from->shape;
  const auto strides = strides_of(shape);
  const Index size = shape.empty() ? 1 : shape[*side], stride = shape.empty() ? 1 : strides[*side];
  Tensor made{.shape = shape, .is_bool = from->is_bool && !name.starts_with("cum"), .numbers = from->numbers};
  Tensor order{.shape = shape, .numbers = from->numbers};
  for (Index start = 0; start < from->size(); ++start) {
    if (start / stride % size != 0) continue;
    const auto place = [&](Index i) { return static_cast<std::size_t>(start + i * stride); };
    if (name.ends_with("sort")) {
      const Argument* turned = call.at(2, "descending");
      const bool descends = turned && number(*turned).value_or(0) != 0;
      std::vector<Index> ranks(static_cast<std::size_t>(size));
      std::iota(ranks.begin(), ranks.end(), Index{0});
      std::ranges::stable_sort(ranks, [&](Index a, Index b) {
        const Index x = from->numbers[place(a)], y = from->numbers[place(b)];
        return descends ? x > y : x < y;
      });
      for (Index i = 0; i < size; ++i) {
        order.numbers[place(i)] = ranks[static_cast<std::size_t>(i)];
        made.numbers[place(i)] = from->numbers[place(ranks[static_cast<std::size_t>(i)])];
      }
      continue;
    }
    for (Index i = size; i-- > 1 && name == "diff";) {
      const auto step = subtract(from->numbers[place(i)], from->numbers[place(i - 1)]);
      if (!step) return fail(call.range, "this diff does not fit in 64 bits");
      made.numbers[place(i)] = *step;
    }
    for (Index i = 1; i < size && name != "diff"; ++i) {
      const Index before = made.numbers[place(i - 1)], own = made.numbers[place(i)];
      const auto next = name == "cumsum"    ? add(before, own)
                        : name == "cumprod" ? multiply(before, own)
                        : name == "cummax"  ? std::optional(std::max(before, own))
                                            : std::optional(std::min(before, own));
      if (!next) return fail(call.range, "the running sum leaves 64 bits at index " + to_text(i));
      made.numbers[place(i)] = *next;
    }
  }
  if (name == "argsort") return of_tensor(std::move(order), call.range);
  Value result = of_tensor(std::move(made), call.range);
  if (name == "diff" && !failed() && result.kind == Value::Kind::tensor) {
    std::vector<Subscript> behind(*side, {.kind = Subscript::Kind::slice});
    behind.push_back({.kind = Subscript::Kind::slice, .first = 1});
    return read(result.tensor, behind, call.range);
  }
  const bool gives_places = name == "sort" || name == "cummax" || name == "cummin";
  if (!gives_places) return result;
  auto both = std::make_shared<std::vector<Value>>();
  both->push_back(std::move(result));
  both->push_back(of_tensor(std::move(order), call.range));
  return Value{.kind = Value::Kind::tuple, .items = std::move(both)};
}

}  // namespace vqscope::language
