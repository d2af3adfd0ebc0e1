// SPDX-License-Identifier: GPL-3.0-or-later
// Functions that name the dimensions of arrays: rearrange of einops, and einsum without sums.
#include "core/base/text.h"
#include "core/mask/language/compile/tensor/tensor_values.h"
#include "core/mask/language/compile/tree/function_call.h"

#include <algorithm>

namespace vqscope::language {
namespace {

constexpr std::string_view arrow = "->";

bool is_new(const std::string& axis) { return axis == "1" || axis == "()"; }

/// "b 1 n" of einops, "bij" of einsum.
std::vector<std::string> axes_of(std::string_view text, bool of_letters) {
  std::vector<std::string> axes;
  if (of_letters) {
    for (const char letter : text)
      if (letter != ' ') axes.emplace_back(1, letter);
    return axes;
  }
  for (const auto part : vqscope::split(text, ' '))
    if (!part.empty()) axes.emplace_back(part);
  return axes;
}

/// Whether each name stands for one dimension.
bool are_plain(const std::vector<std::string>& axes) {
  return std::ranges::all_of(axes, [&](const std::string& axis) {
    const bool is_group = !is_new(axis) && axis.find_first_of("(.)") != std::string::npos;
    return !is_group && (is_new(axis) || std::ranges::count(axes, axis) == 1);
  });
}

/// The array with its dimensions in the order `to`; those that it does not have are of size 1.
Value arranged(Compilation& c, const Expression& e, const Argument& argument, const std::vector<std::string>& from,
               const std::vector<std::string>& to) {
  const TensorPtr given = array_at(c, argument);
  if (!given) return {};
  if (static_cast<Index>(from.size()) != given->sides())
    return c.fail(e.range, "the pattern does not fit an array of shape {}", shape_text(given->shape));
  std::vector<Argument> order{argument};
  std::vector<Index> shape;
  const auto add = [&](std::size_t side) {
    order.push_back({c.number_value(static_cast<Index>(side), e.range), "", e.range});
  };
  for (const std::string& axis : to) {
    const auto side = static_cast<std::size_t>(std::ranges::find(from, axis) - from.begin());
    const bool has = !is_new(axis) && side < from.size();
    shape.push_back(has ? given->shape[side] : 1);
    if (has) add(side);
  }
  for (std::size_t side = 0; side < from.size(); ++side) {
    if (!is_new(from[side])) continue;
    if (given->shape[side] != 1) return c.fail(e.range, "a dimension named {} must be of size 1", from[side]);
    add(side);
  }
  const Value turned = from.size() > 1 ? apply_known(c, "permute", e, order) : argument.value;
  const TensorPtr tensor = c.failed() ? nullptr : as_tensor(c, {turned, "", e.range});
  if (!tensor) return {};
  Tensor made = *tensor;
  made.memory = Tensor().memory;
  made.shape = std::move(shape);
  return of_tensor(c, std::move(made), e.range);
}

bool has_all(const std::vector<std::string>& axes, const std::vector<std::string>& of) {
  return std::ranges::all_of(axes, [&](const auto& axis) { return is_new(axis) || std::ranges::count(of, axis) == 1; });
}

}  // namespace

/// rearrange(x, "b j -> b 1 1 j"), and einsum("bi,bj->bij", x, y) without a sum.
Value apply_by_axes(Compilation& c, const FunctionCall& call) {
  const auto& [row, written, name, e, arguments] = call;
  const bool sums = name == "einsum";
  const std::size_t place = sums ? 0 : 1;
  if (arguments.size() < 2 || (!sums && arguments.size() > 2)) return takes(c, name, 2, arguments.size(), e.range);
  if (arguments[place].value.kind != Value::Kind::text || arguments[place].value.is_flag)
    return c.fail(arguments[place].range, "{} takes a pattern as a text", name);
  const std::string& pattern = arguments[place].value.name;
  const auto middle = pattern.find(arrow);
  if (middle == std::string::npos) return c.fail(e.range, "the pattern of {} has no ->", name);
  const std::string_view left = std::string_view(pattern).substr(0, middle);
  const auto to = axes_of(std::string_view(pattern).substr(middle + arrow.size()), sums);
  const auto parts = sums ? vqscope::split(left, ',') : std::vector<std::string_view>{left};
  if (sums && parts.size() != arguments.size() - 1) return takes(c, name, parts.size() + 1, arguments.size(), e.range);
  Value product;
  for (std::size_t i = 0; i < parts.size() && !c.failed(); ++i) {
    const auto from = axes_of(parts[i], sums);
    if (!are_plain(from) || !are_plain(to) || !has_all(from, to) || (!sums && !has_all(to, from)))
      return c.fail(e.range, "{} here orders dimensions and adds ones of size 1: {} is not part of the mask language",
                    name, shortened(pattern));
    const Argument& array = arguments[sums ? i + 1 : 0];
    const Value one = arranged(c, e, array, from, to);
    product = i == 0 || c.failed() ? one : compile_operation(c, e, "*", {product, "", e.range}, {one, "", array.range});
  }
  return c.failed() ? Value{} : product;
}

}  // namespace vqscope::language
