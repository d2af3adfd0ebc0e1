// SPDX-License-Identifier: GPL-3.0-or-later
// Which function of arrays is which, and those that make one of nothing.
#include "core/base/text.h"
#include "core/mask/language/compile/dictionary.h"
#include "core/mask/language/compile/tensor/tensor_call.h"
#include "core/mask/language/parse/arithmetic.h"

namespace vqscope::language {

std::optional<Value> TensorWriter::of_tensors(const std::string& name, std::vector<Argument> arguments, Range range) {
  using Method = Value (TensorWriter::*)(const Call&);
  using W = TensorWriter;
  static const std::map<std::string, Method> all{{"arange", &W::arange},
                                                 {"eye", &W::eye},
                                                 {"tril", &W::triangle},
                                                 {"triu", &W::triangle},
                                                 {"cat", &W::cat},
                                                 {"stack", &W::cat},
                                                 {"meshgrid", &W::meshgrid},
                                                 {"fill_", &W::fill},
                                                 {"zero_", &W::fill},
                                                 {"copy_", &W::fill},
                                                 {"fill_diagonal_", &W::fill_diagonal},
                                                 {"masked_fill_", &W::masked_fill},
                                                 {"scatter", &W::scatter},
                                                 {"scatter_", &W::scatter},
                                                 {"view", &W::view},
                                                 {"reshape", &W::view},
                                                 {"flatten", &W::view},
                                                 {"unsqueeze", &W::unsqueeze},
                                                 {"expand_dims", &W::unsqueeze},
                                                 {"squeeze", &W::squeeze},
                                                 {"expand", &W::expand},
                                                 {"broadcast_to", &W::expand},
                                                 {"repeat", &W::repeat},
                                                 {"tile", &W::repeat},
                                                 {"expand_as", &W::shaped_as},
                                                 {"view_as", &W::shaped_as},
                                                 {"transpose", &W::transpose},
                                                 {"swapaxes", &W::transpose},
                                                 {"t", &W::transpose},
                                                 {"permute", &W::transpose},
                                                 {"pad", &W::pad},
                                                 {"flip", &W::flip},
                                                 {"roll", &W::roll},
                                                 {"tolist", &W::tolist},
                                                 {"repeat_interleave", &W::repeat_interleave},
                                                 {"index_select", &W::index_select},
                                                 {"masked_select", &W::masked_select},
                                                 {"split", &W::split},
                                                 {"chunk", &W::split},
                                                 {"unbind", &W::unbind},
                                                 {"gather", &W::gather},
                                                 {"take_along_dim", &W::gather},
                                                 {"diag", &W::diagonal},
                                                 {"diagonal", &W::diagonal},
                                                 {"unique", &W::unique},
                                                 {"unique_consecutive", &W::unique},
                                                 {"nonzero", &W::nonzero},
                                                 {"argwhere", &W::nonzero},
                                                 {"sum", &W::reduce},
                                                 {"prod", &W::reduce},
                                                 {"any", &W::reduce},
                                                 {"all", &W::reduce},
                                                 {"max", &W::reduce},
                                                 {"min", &W::reduce},
                                                 {"argmax", &W::reduce},
                                                 {"argmin", &W::reduce},
                                                 {"count_nonzero", &W::reduce},
                                                 {"cumsum", &W::scan},
                                                 {"cumprod", &W::scan},
                                                 {"cummax", &W::scan},
                                                 {"cummin", &W::scan},
                                                 {"diff", &W::diff},
                                                 {"sort", &W::sort},
                                                 {"argsort", &W::sort},
                                                 {"bincount", &W::bincount}};
  const auto found = all.find(name);
  if (found == all.end()) return std::nullopt;
  const Value made = (this->*found->second)({name, std::move(arguments), range});
  return failed() ? Value{} : made;
}

TensorPtr TensorWriter::object_of(const Call& call) {
  const Argument* object = call.at(0, "input");
  if (!object) return fail(call.range, call.name + " takes an array"), nullptr;
  const TensorPtr tensor = array_at(*object);
  return tensor && spend(tensor->size(), call.range) ? tensor : nullptr;
}

TensorPtr TensorWriter::known_object_of(const Call& call) {
  TensorPtr tensor = object_of(call);
  if (tensor && tensor->is_known()) return tensor;
  if (tensor) fail(call.range, call.name + " takes an array of known numbers");
  return nullptr;
}

std::optional<std::size_t> TensorWriter::side_given(const Call& call, std::size_t place, Index otherwise, Index sides) {
  const Argument* given = call.at(place, "dim", "axis");
  const auto side = given ? number(*given) : std::optional(otherwise);
  const auto found = side ? side_of(*side, sides) : std::nullopt;
  if (side && !found) fail(call.range, "an array of " + to_text(sides) + " sides has no side " + to_text(*side));
  return found;
}

TensorWriter::~TensorWriter() {
  for (const auto& each : m_lists)
    if (const auto list = each.lock()) list->clear();
  for (const auto& each : m_dictionaries)
    if (const auto dictionary = each.lock()) *dictionary = {};
}

Value TensorWriter::list_value(std::vector<Value> items) const {
  const auto made = std::make_shared<std::vector<Value>>(std::move(items));
  m_lists.emplace_back(made);
  return {.kind = Value::Kind::tuple, .items = made};
}

Value TensorWriter::dictionary_value() const {
  const auto made = std::make_shared<Dictionary>();
  m_dictionaries.emplace_back(made);
  return {.kind = Value::Kind::dictionary, .dictionary = made};
}

Value TensorWriter::arange(const Call& call) {
  std::vector<Index> ends;
  const std::array<const Argument*, 3> given{call.at(0, "start"), call.at(1, "end", "stop"), call.at(2, "step")};
  for (const Argument* one : given) {
    if (!one) continue;
    const auto known = number(*one);
    if (!known) return {};
    ends.push_back(*known);
  }
  if (ends.empty()) return fail(call.range, "arange takes one to three integers");
  const Index first = ends.size() == 1 ? 0 : ends[0], end = ends.size() == 1 ? ends[0] : ends[1];
  const Index step = ends.size() == 3 ? ends[2] : 1;
  if (step == 0) return fail(call.range, "the step of arange is not 0");
  const auto span = step > 0 ? subtract(end, first) : subtract(first, end);
  const Index by = step > 0 ? step : step == lowest ? highest : -step;
  const Index size = !span ? highest : *span <= 0 ? 0 : (*span - 1) / by + 1;
  Tensor made{.shape = {size}};
  if (!counted(made.shape, call.range)) return {};
  for (Index i = 0; i < size; ++i) made.numbers.push_back(first + i * step);
  return of_tensor(std::move(made), call.range);
}

Value TensorWriter::eye(const Call& call) {
  const auto sides = integers(call.from(0));
  if (!sides || sides->empty()) return fail(call.range, "eye takes how many rows there are");
  auto made = filled({sides->front(), sides->back()}, 0, call.is_bool(), call.range);
  if (!made) return {};
  for (Index i = 0; i < std::min(sides->front(), sides->back()); ++i)
    made->numbers[static_cast<std::size_t>(i * sides->back() + i)] = 1;
  return of_tensor(std::move(*made), call.range);
}

/// tril keeps what lies on and below a diagonal, triu what lies on and above it.
Value TensorWriter::triangle(const Call& call) {
  const TensorPtr from = object_of(call);
  if (!from) return {};
  if (from->sides() < 2) return fail(call.range, call.name + " takes an array of two sides");
  const Argument* moved = call.at(1, "diagonal", "k");
  const auto diagonal = moved ? number(*moved) : std::optional<Index>(0);
  if (!diagonal) return {};
  Tensor made{.shape = from->shape, .is_bool = from->is_bool, .numbers = from->numbers, .values = from->values};
  const Index columns = from->shape.back(), rows = from->shape[from->shape.size() - 2];
  const Value none = of_node(m_build.constant(0, made.is_bool, call.range));
  for (Index i = 0; i < made.size(); ++i) {
    const Index edge = add(i / columns % rows, *diagonal).value_or(highest), column = i % columns;
    if (call.name == "tril" ? column <= edge : column >= edge) continue;
    if (made.is_known())
      made.numbers[static_cast<std::size_t>(i)] = 0;
    else
      made.values[static_cast<std::size_t>(i)] = none;
  }
  return of_tensor(std::move(made), call.range);
}

}  // namespace vqscope::language
