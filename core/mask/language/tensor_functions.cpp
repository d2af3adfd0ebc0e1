// SPDX-License-Identifier: GPL-3.0-or-later
// Arrays that are made of nothing, joined, or changed in place.
#include "core/mask/language/tensor_call.h"

#include "core/base/text.h"
#include "core/mask/language/arithmetic.h"

namespace vqscope::language {

std::optional<Value> TensorWriter::of_tensors(const std::string& name, std::vector<Argument> arguments, Range range) {
  Call call{std::move(arguments), range};
  for (const auto function :
       {&TensorWriter::created, &TensorWriter::reshaped, &TensorWriter::joined, &TensorWriter::selected,
        &TensorWriter::reduced, &TensorWriter::scanned, &TensorWriter::changed}) {
    if (auto made = (this->*function)(name, call)) return failed() ? Value{} : *made;
    if (failed()) return Value{};
  }
  return std::nullopt;
}

std::optional<Value> TensorWriter::created(const std::string& name, Call& call) {
  if (name == "arange") {
    std::vector<Index> ends;
    for (const auto& [place, keyword] : {std::pair{0, "start"}, {1, "end"}, {2, "step"}})
      if (const Argument* given = call.at(static_cast<std::size_t>(place), keyword, place == 1 ? "stop" : "")) {
        const auto known = number(*given);
        if (!known) return Value{};
        ends.push_back(*known);
      }
    if (ends.empty()) return fail(call.range, "arange takes one to three integers");
    const Index first = ends.size() == 1 ? 0 : ends[0], end = ends.size() == 1 ? ends[0] : ends[1];
    const Index step = ends.size() == 3 ? ends[2] : 1;
    if (step == 0) return fail(call.range, "the step of arange is not 0");
    const auto span = step > 0 ? subtract(end, first) : subtract(first, end);
    const Index by = step > 0 ? step : step == lowest ? highest : -step;
    const Index size = !span ? highest : *span <= 0 ? 0 : (*span - 1) / by + 1;
    const std::vector<Index> shape{size};
    if (!counted(shape, call.range)) return Value{};
    Tensor made{.shape = shape};
    for (Index i = 0; i < size; ++i) made.numbers.push_back(first + i * step);
    return of_tensor(std::move(made), call.range);
  }
  if (name == "eye") {
    const auto sides = integers(call.from(0));
    if (!sides || sides->empty()) return Value{};
    auto made = filled({sides->front(), sides->back()}, 0, call.is_bool(), call.range);
    if (!made) return Value{};
    for (Index i = 0; i < std::min(sides->front(), sides->back()); ++i)
      made->numbers[static_cast<std::size_t>(i * sides->back() + i)] = 1;
    return of_tensor(std::move(*made), call.range);
  }
  if (name != "tril" && name != "triu") return std::nullopt;
  const Argument* of = call.at(0, "input");
  const TensorPtr from = of ? array_at(*of) : nullptr;
  if (!from) return Value{};
  if (from->sides() < 2) return fail(call.range, name + " takes an array of two sides");
  const Argument* moved = call.at(1, "diagonal", "k");
  const auto diagonal = moved ? number(*moved) : std::optional<Index>(0);
  if (!diagonal || !counted(from->shape, call.range)) return Value{};
  Tensor made{.shape = from->shape, .is_bool = from->is_bool, .numbers = from->numbers, .values = from->values};
  const Index columns = from->shape.back(), rows = from->shape[from->shape.size() - 2];
  for (Index i = 0; i < made.size(); ++i) {
    const Index row = i / columns % rows, column = i % columns;
    const bool kept = name == "tril" ? column <= add(row, *diagonal).value_or(highest)
                                     : column >= add(row, *diagonal).value_or(highest);
    if (kept) continue;
    if (made.is_known())
      made.numbers[static_cast<std::size_t>(i)] = 0;
    else
      made.values[static_cast<std::size_t>(i)] = of_node(m_build.constant(0, made.is_bool, call.range));
  }
  return of_tensor(std::move(made), call.range);
}

/// cat, stack, meshgrid
std::optional<Value> TensorWriter::joined(const std::string& name, Call& call) {
  const bool stacks = name == "stack";
  if (name == "meshgrid") {
    std::vector<Argument> all = call.from(0);
    if (all.size() == 1 && all[0].value.kind == Value::Kind::tuple) {
      const auto items = *all[0].value.items;
      all.clear();
      for (const Value& item : items) all.push_back({item, "", call.range});
    }
    const Argument* order = call.at(all.size(), "indexing");
    std::vector<TensorPtr> lines;
    std::vector<Index> shape;
    for (const Argument& one : all) {
      lines.push_back(as_tensor(one));
      if (!lines.back()) return Value{};
      shape.push_back(lines.back()->size());
    }
    const bool turned = order && order->value.name == "xy" && lines.size() > 1;
    if (turned) std::swap(shape[0], shape[1]);
    auto grids = std::make_shared<std::vector<Value>>();
    for (std::size_t i = 0; i < lines.size(); ++i) {
      std::vector<Index> own(lines.size(), 1);
      own[turned && i < 2 ? 1 - i : i] = lines[i]->size();
      if (!counted(shape, call.range)) return Value{};
      grids->push_back(of_tensor(rearranged(*lines[i], shape, broadcast_places(own, shape)), call.range));
    }
    return Value{.kind = Value::Kind::tuple, .items = std::move(grids)};
  }
  if (!stacks && name != "cat") return std::nullopt;
  const Argument* list = call.at(0, "tensors");
  if (!list) return fail(call.range, name + " takes a list of arrays");
  std::vector<Value> items =
      list->value.kind == Value::Kind::tuple ? *list->value.items : rows_of(as_tensor(*list), call.range);
  const Argument* along = call.at(1, "dim", "axis");
  const auto given = along ? number(*along) : std::optional<Index>(0);
  if (failed() || !given) return Value{};
  std::vector<TensorPtr> parts;
  for (const Value& one : items) {
    parts.push_back(as_tensor({one, "", list->range}));
    if (!parts.back()) return Value{};
    // torch leaves out what is empty, of whatever shape.
    if (!stacks && parts.back()->size() == 0 && parts.back()->sides() == 1) parts.pop_back();
  }
  if (parts.empty())
    return items.empty() ? fail(call.range, "there is nothing to join here")
                         : of_tensor(Tensor{.shape = {0}}, call.range);
  const auto sides = static_cast<Index>(parts.front()->shape.size()) + (stacks ? 1 : 0);
  const auto side = side_of(*given, sides);
  if (!side) return fail(call.range, "these arrays have no side " + to_text(*given));
  Tensor made{.shape = parts.front()->shape, .is_bool = true};
  if (stacks) made.shape.insert(made.shape.begin() + static_cast<std::ptrdiff_t>(*side), 0);
  made.shape[*side] = 0;
  bool all_known = true;
  Tensor all;
  std::vector<Index> starts;
  for (const TensorPtr& part : parts) {
    auto shape = part->shape;
    if (stacks) shape.insert(shape.begin() + static_cast<std::ptrdiff_t>(std::min(*side, shape.size())), 1);
    for (std::size_t i = 0; i < std::max(shape.size(), made.shape.size()); ++i)
      if (shape.size() != made.shape.size() || (i != *side && shape[i] != made.shape[i]))
        return fail(call.range, "arrays of shapes " + shape_text(parts.front()->shape) + " and " +
                                    shape_text(part->shape) + " do not fit together");
    made.shape[*side] += shape[*side];
    made.is_bool = made.is_bool && part->is_bool;
    all_known = all_known && part->is_known();
  }
  if (!counted(made.shape, call.range)) return Value{};
  // Part by part what stands before the side, and behind it.
  Index before = 1, behind = 1;
  for (std::size_t i = 0; i < *side; ++i) before *= made.shape[i];
  for (std::size_t i = *side + 1; i < made.shape.size(); ++i) behind *= made.shape[i];
  for (Index row = 0; row < before; ++row)
    for (const TensorPtr& part : parts) {
      const Index width = before == 0 ? 0 : part->size() / before;
      for (Index i = row * width; i < (row + 1) * width; ++i) {
        if (all_known)
          made.numbers.push_back(part->numbers[static_cast<std::size_t>(i)]);
        else
          made.values.push_back(item(*part, i, call.range));
      }
    }
  return of_tensor(std::move(made), call.range);
}

/// x.fill_(1), x.masked_fill_(mask, 1), x.scatter_(0, index, source), x.fill_diagonal_(True)
std::optional<Value> TensorWriter::changed(const std::string& name, Call& call) {
  const bool is_scatter = name == "scatter_" || name == "scatter";
  if (!is_scatter && name != "fill_" && name != "zero_" && name != "masked_fill_" && name != "fill_diagonal_" &&
      name != "index_fill_" && name != "copy_")
    return std::nullopt;
  const Argument* object = call.at(0);
  TensorPtr to = object ? array_at(*object) : nullptr;
  if (!to) return Value{};
  const auto value_at = [&](std::size_t place) -> Argument {
    const Argument* given = call.at(place, "value", "src");
    if (given) return *given;
    fail(call.range, name + " is given a value");
    return {};
  };
  if (name == "scatter") {
    Tensor copy = *to;
    copy.memory = Tensor().memory;
    to = std::make_shared<Tensor>(std::move(copy));
  }
  const Value result{.kind = Value::Kind::tensor, .tensor = to};
  if (name == "fill_" || name == "copy_" || name == "zero_") {
    const Argument value =
        name == "zero_" ? Argument{of_node(m_build.constant(0, false, call.range)), "", call.range} : value_at(1);
    if (!failed()) write(to, {{.kind = Subscript::Kind::every}}, value, call.range);
    return result;
  }
  if (name == "fill_diagonal_") {
    if (to->sides() != 2) return fail(call.range, "fill_diagonal_ takes an array of two sides");
    Tensor line;
    for (Index i = 0; i < std::min(to->shape[0], to->shape[1]); ++i) line.numbers.push_back(i);
    line.shape = {line.size()};
    const Subscript along{.value = {of_tensor(std::move(line), call.range), "", call.range}};
    const Argument value = value_at(1);
    if (!failed()) write(to, {along, along}, value, call.range);
    return result;
  }
  if (name == "masked_fill_") {
    const Argument* mask = call.at(1, "mask");
    const TensorPtr where = mask ? as_tensor(*mask) : nullptr;
    const Argument value = value_at(2);
    if (!where || failed()) return Value{};
    const auto common = broadcast(where->shape, to->shape);
    if (!common || *common != to->shape) return fail(call.range, "the mask does not fit the array's shape");
    Tensor whole = rearranged(*where, to->shape, broadcast_places(where->shape, to->shape));
    whole.is_bool = true;
    write(to, {{.value = {of_tensor(std::move(whole), call.range), "", call.range}}}, value, call.range);
    return result;
  }
  const Argument* along = call.at(1, "dim");
  const Argument* index = call.at(2, "index");
  const auto given = along ? number(*along) : std::nullopt;
  const TensorPtr indices = index ? as_tensor(*index) : nullptr;
  const Argument value = value_at(3);
  if (failed() || !given || !indices) return Value{};
  const auto side = side_of(*given, to->sides());
  if (!side || indices->sides() != to->sides() || !indices->is_known())
    return fail(call.range, name + " takes a side, indices and values of the same number of sides");
  // to[i][index[i][j]] = source[i][j]: of the other sides each element stays where it is.
  std::vector<Subscript> subscripts;
  const auto strides = strides_of(indices->shape);
  for (std::size_t i = 0; i < to->shape.size(); ++i) {
    Tensor own{.shape = indices->shape};
    for (Index k = 0; k < indices->size(); ++k)
      own.numbers.push_back(i == *side ? indices->numbers[static_cast<std::size_t>(k)]
                                       : k / strides[i] % indices->shape[i]);
    subscripts.push_back({.value = {of_tensor(std::move(own), call.range), "", call.range}});
  }
  write(to, subscripts, value, call.range);
  return result;
}

}  // namespace vqscope::language
