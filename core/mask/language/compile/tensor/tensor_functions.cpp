// SPDX-License-Identifier: GPL-3.0-or-later
// Which function of arrays is which, and those that make one of nothing.
#include "core/mask/language/compile/tensor/tensor_functions.h"

#include "core/base/text.h"
#include "core/mask/language/compile/dictionary.h"
#include "core/mask/language/compile/tensor/tensor_call.h"
#include "core/mask/language/compile/tensor/tensor_operations.h"
#include "core/mask/language/compile/tensor/tensor_values.h"
#include "core/mask/language/parse/arithmetic.h"

namespace vqscope::language {
namespace {

Value arange(Compilation& c, const TensorCall& call) {
  std::vector<Index> ends;
  const std::array<const Argument*, 3> given{call.at(0, "start"), call.at(1, "end", "stop"), call.at(2, "step")};
  for (const Argument* one : given) {
    if (!one) continue;
    const auto known = known_number(c, *one);
    if (!known) return {};
    ends.push_back(*known);
  }
  if (ends.empty()) return c.fail(call.range, "arange takes one to three integers");
  const Index first = ends.size() == 1 ? 0 : ends[0], end = ends.size() == 1 ? ends[0] : ends[1];
  const Index step = ends.size() == 3 ? ends[2] : 1;
  if (step == 0) return c.fail(call.range, "the step of arange is not 0");
  const auto span = step > 0 ? subtract(end, first) : subtract(first, end);
  const Index by = step > 0 ? step : step == lowest ? highest : -step;
  const Index size = !span ? highest : *span <= 0 ? 0 : (*span - 1) / by + 1;
  Tensor made{.shape = {size}};
  if (!counted(c, made.shape, call.range)) return {};
  for (Index i = 0; i < size; ++i) made.numbers.push_back(first + i * step);
  return of_tensor(c, std::move(made), call.range);
}

Value eye(Compilation& c, const TensorCall& call) {
  const Argument* given_rows = call.at(0, "n", "N");
  const Argument* given_columns = call.at(1, "m", "M");
  const Argument* moved = call.is_numpy ? call.at(2, "k") : nullptr;
  if (!given_rows) return c.fail(call.range, "eye takes how many rows there are");
  const auto rows = known_number(c, *given_rows);
  const auto columns = given_columns ? known_number(c, *given_columns) : rows;
  const auto offset = moved ? known_number(c, *moved) : std::optional<Index>(0);
  if (!rows || !columns || !offset || c.failed()) return {};
  auto made = filled(c, {*rows, *columns}, 0, call.is_bool(), call.range);
  if (!made) return {};
  for (Index i = 0; i < *rows; ++i)
    if (const auto column = add(i, *offset); column && *column >= 0 && *column < *columns)
      made->numbers[static_cast<std::size_t>(i * *columns + *column)] = 1;
  return of_tensor(c, std::move(*made), call.range);
}

/// tril keeps what lies on and below a diagonal, triu what lies on and above it.
Value triangle(Compilation& c, const TensorCall& call) {
  const TensorPtr from = object_of(c, call);
  if (!from) return {};
  if (from->sides() < 2) return c.fail(call.range, call.name + " takes an array of two sides");
  const Argument* moved = call.at(1, "diagonal", "k");
  const auto diagonal = moved ? known_number(c, *moved) : std::optional<Index>(0);
  if (!diagonal) return {};
  Tensor made{.shape = from->shape, .is_bool = from->is_bool, .numbers = from->numbers, .values = from->values};
  const Index columns = from->shape.back(), rows = from->shape[from->shape.size() - 2];
  const Value none = c.of_node(c.build.constant(0, made.is_bool, call.range));
  for (Index i = 0; i < made.size(); ++i) {
    const Index edge = add(i / columns % rows, *diagonal).value_or(highest), column = i % columns;
    if (call.name == "tril" ? column <= edge : column >= edge) continue;
    if (made.is_known())
      made.numbers[static_cast<std::size_t>(i)] = 0;
    else
      made.values[static_cast<std::size_t>(i)] = none;
  }
  return of_tensor(c, std::move(made), call.range);
}

}  // namespace

std::optional<Value> apply_to_tensors(Compilation& c, TensorCall call) {
  using Operation = Value (*)(Compilation&, const TensorCall&);
  static const std::map<std::string, Operation> all{{"arange", arange},
                                                    {"eye", eye},
                                                    {"tril", triangle},
                                                    {"triu", triangle},
                                                    {"cat", cat},
                                                    {"stack", cat},
                                                    {"meshgrid", meshgrid},
                                                    {"fill_", fill},
                                                    {"zero_", fill},
                                                    {"copy_", fill},
                                                    {"fill_diagonal_", fill_diagonal},
                                                    {"masked_fill_", masked_fill},
                                                    {"scatter", scatter},
                                                    {"scatter_", scatter},
                                                    {"view", view},
                                                    {"reshape", view},
                                                    {"flatten", view},
                                                    {"unsqueeze", unsqueeze},
                                                    {"expand_dims", unsqueeze},
                                                    {"squeeze", squeeze},
                                                    {"expand", expand},
                                                    {"broadcast_to", expand},
                                                    {"repeat", repeat},
                                                    {"tile", repeat},
                                                    {"expand_as", shaped_as},
                                                    {"view_as", shaped_as},
                                                    {"transpose", transpose},
                                                    {"swapaxes", transpose},
                                                    {"t", transpose},
                                                    {"permute", transpose},
                                                    {"pad", pad},
                                                    {"flip", flip},
                                                    {"roll", roll},
                                                    {"tolist", tolist},
                                                    {"repeat_interleave", repeat_interleave},
                                                    {"index_select", index_select},
                                                    {"masked_select", masked_select},
                                                    {"split", split},
                                                    {"chunk", split},
                                                    {"unbind", unbind},
                                                    {"gather", gather},
                                                    {"take_along_dim", gather},
                                                    {"diag", diagonal},
                                                    {"diagonal", diagonal},
                                                    {"unique", unique},
                                                    {"unique_consecutive", unique},
                                                    {"nonzero", nonzero},
                                                    {"argwhere", nonzero},
                                                    {"sum", reduce},
                                                    {"prod", reduce},
                                                    {"any", reduce},
                                                    {"all", reduce},
                                                    {"max", reduce},
                                                    {"min", reduce},
                                                    {"amax", reduce},
                                                    {"amin", reduce},
                                                    {"argmax", reduce},
                                                    {"argmin", reduce},
                                                    {"count_nonzero", reduce},
                                                    {"cumsum", scan},
                                                    {"cumprod", scan},
                                                    {"cummax", scan},
                                                    {"cummin", scan},
                                                    {"diff", diff},
                                                    {"sort", sort},
                                                    {"argsort", sort},
                                                    {"bincount", bincount}};
  const auto found = all.find(call.name);
  if (found == all.end()) return std::nullopt;
  const Value made = found->second(c, call);
  if (!c.failed()) refuse_unread(c, call);
  return c.failed() ? Value{} : made;
}

}  // namespace vqscope::language
