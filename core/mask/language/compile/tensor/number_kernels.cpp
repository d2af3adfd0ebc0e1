// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/language/compile/tensor/number_kernels.h"

#include "core/mask/language/parse/arithmetic.h"
#include "core/mask/language/parse/operators.h"

#include <algorithm>
#include <map>

namespace vqscope::language {
namespace {

using Numbers = const std::array<Index, 3>&;
using Known = std::optional<Index>;

Known negated(Numbers x) { return subtract(0, x[0]); }
Known absolute_number(Numbers x) { return x[0] < 0 ? subtract(0, x[0]) : Known(x[0]); }

}  // namespace

const NumberKernel* number_kernel(std::string_view name) {
  using Result = NumberKernel::Result;
  static const auto all = [] {
    std::map<std::string_view, NumberKernel> kernels{
        {"minimum", {nullptr, [](Numbers x) { return Known(std::min(x[0], x[1])); }, Result::as_operands}},
        {"maximum", {nullptr, [](Numbers x) { return Known(std::max(x[0], x[1])); }, Result::as_operands}},
        {"logical_and", {nullptr, [](Numbers x) { return Known(x[0] != 0 && x[1] != 0); }, Result::truth}},
        {"logical_or", {nullptr, [](Numbers x) { return Known(x[0] != 0 || x[1] != 0); }, Result::truth}},
        {"logical_xor", {nullptr, [](Numbers x) { return Known((x[0] != 0) != (x[1] != 0)); }, Result::truth}},
        {"logical_not", {nullptr, [](Numbers x) { return Known(x[0] == 0); }, Result::truth}},
        {"bool", {nullptr, [](Numbers x) { return Known(x[0] != 0); }, Result::truth}},
        {"int", {nullptr, [](Numbers x) { return Known(x[0]); }, Result::integer}},
        {"bit_not", {nullptr, [](Numbers x) { return Known(~x[0]); }, Result::integer}},
        {"neg", {nullptr, negated, Result::integer}},
        {"abs", {nullptr, absolute_number, Result::integer}},
        {"where", {nullptr, [](Numbers x) { return Known(x[0] != 0 ? x[1] : x[2]); }, Result::as_operands}}};
    for (const Operator& row : operators())
      if (row.value)
        kernels[row.symbol] = {row.value, nullptr,
                               row.is_kept_bool            ? Result::as_operands
                               : is_comparison(row.symbol) ? Result::truth
                                                           : Result::integer};
    return kernels;
  }();
  const auto found = all.find(name);
  return found == all.end() ? nullptr : &found->second;
}

}  // namespace vqscope::language
