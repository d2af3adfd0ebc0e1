// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/language/parse/operators.h"

#include "core/mask/language/parse/arithmetic.h"

#include <algorithm>
#include <array>

namespace vqscope::language {
namespace {

using KnownNumber = std::optional<Index>;

KnownNumber floor_quotient(Index a, Index b) {
  if (b == 0 || (a == lowest && b == -1)) return std::nullopt;
  return floor_divide(a, b);
}

const char* refuse_zero(Index, Index b) { return b == 0 ? "division by zero" : nullptr; }
const char* refuse_exponent(Index, Index b) { return b < 0 ? "the exponent must not be negative" : nullptr; }
const char* refuse_count(Index, Index b) { return b < 0 || b > 63 ? "the count must be from 0 to 63" : nullptr; }

constexpr std::array table{
    Operator{.symbol = "|",
             .binding = Binding::bit_or,
             .op = Op::bit_or,
             .functions = "bitwise_or or_",
             .value = [](Index a, Index b) { return KnownNumber(a | b); },
             .of_truths = Op::logical_or,
             .is_kept_bool = true},
    Operator{.symbol = "^",
             .binding = Binding::bit_xor,
             .op = Op::bit_xor,
             .functions = "bitwise_xor xor",
             .value = [](Index a, Index b) { return KnownNumber(a ^ b); },
             .of_truths = Op::logical_xor,
             .is_kept_bool = true},
    Operator{.symbol = "&",
             .binding = Binding::bit_and,
             .op = Op::bit_and,
             .functions = "bitwise_and and_",
             .value = [](Index a, Index b) { return KnownNumber(a & b); },
             .of_truths = Op::logical_and,
             .is_kept_bool = true},
    Operator{.symbol = "<<",
             .binding = Binding::shift,
             .op = Op::shift_left,
             .value = [](Index a, Index b) { return refuse_count(a, b) ? std::nullopt : shift_left(a, b); },
             .refusal = refuse_count,
             .is_constant = true},
    Operator{.symbol = ">>",
             .binding = Binding::shift,
             .op = Op::shift_right,
             .value = [](Index a, Index b) { return refuse_count(a, b) ? std::nullopt : KnownNumber(a >> b); },
             .refusal = refuse_count},
    Operator{.symbol = "+",
             .binding = Binding::sum,
             .op = Op::add,
             .functions = "add",
             .value = add,
             .of_truths = Op::logical_or,
             .is_kept_bool = true,
             .folds = true,
             .is_constant = true},
    Operator{.symbol = "-",
             .binding = Binding::sum,
             .op = Op::subtract,
             .functions = "sub subtract",
             .value = subtract,
             .folds = true,
             .is_constant = true},
    Operator{.symbol = "*",
             .binding = Binding::product,
             .op = Op::multiply,
             .functions = "mul multiply",
             .value = multiply,
             .of_truths = Op::logical_and,
             .is_kept_bool = true,
             .folds = true,
             .is_constant = true},
    Operator{.symbol = "//",
             .binding = Binding::product,
             .op = Op::floor_divide,
             .functions = "floor_divide",
             .value = floor_quotient,
             .refusal = refuse_zero,
             .folds = true,
             .is_constant = true},
    Operator{.symbol = "/", .binding = Binding::product},
    Operator{.symbol = "%",
             .binding = Binding::product,
             .op = Op::modulo,
             .functions = "remainder mod",
             .value = [](Index a, Index b) { return b == 0 ? std::nullopt : KnownNumber(floor_modulo(a, b)); },
             .refusal = refuse_zero,
             .folds = true},
    Operator{.symbol = "**",
             .binding = Binding::power,
             .op = Op::power,
             .functions = "pow",
             .value = [](Index a, Index b) { return b < 0 ? std::nullopt : power(a, b); },
             .refusal = refuse_exponent,
             .is_constant = true},
    Operator{.symbol = "<",
             .binding = Binding::comparison,
             .op = Op::less,
             .functions = "lt less",
             .value = [](Index a, Index b) { return KnownNumber(a < b); }},
    Operator{.symbol = "<=",
             .binding = Binding::comparison,
             .op = Op::less_equal,
             .functions = "le less_equal",
             .value = [](Index a, Index b) { return KnownNumber(a <= b); }},
    Operator{.symbol = ">",
             .binding = Binding::comparison,
             .op = Op::greater,
             .functions = "gt greater",
             .value = [](Index a, Index b) { return KnownNumber(a > b); }},
    Operator{.symbol = ">=",
             .binding = Binding::comparison,
             .op = Op::greater_equal,
             .functions = "ge greater_equal",
             .value = [](Index a, Index b) { return KnownNumber(a >= b); }},
    Operator{.symbol = "==",
             .binding = Binding::comparison,
             .op = Op::equal,
             .functions = "eq equal",
             .value = [](Index a, Index b) { return KnownNumber(a == b); }},
    Operator{.symbol = "!=",
             .binding = Binding::comparison,
             .op = Op::not_equal,
             .functions = "ne not_equal",
             .value = [](Index a, Index b) { return KnownNumber(a != b); }}};

constexpr auto by_op = [] {
  std::array<const Operator*, op_count> rows{};
  for (const Operator& row : table)
    if (row.op) rows[static_cast<std::size_t>(*row.op)] = &row;
  return rows;
}();

}  // namespace

std::span<const Operator> operators() { return table; }

const Operator* operator_of(std::string_view symbol) {
  const auto found = std::ranges::find(table, symbol, &Operator::symbol);
  return found == table.end() ? nullptr : &*found;
}

const Operator* operator_of(Op op) { return by_op[static_cast<std::size_t>(op)]; }

Binding binding_of(std::string_view symbol) {
  const Operator* row = operator_of(symbol);
  return row && row->binding > Binding::comparison ? row->binding : Binding::loosest;
}

bool is_comparison(std::string_view symbol) {
  const Operator* row = operator_of(symbol);
  return row && row->binding == Binding::comparison;
}

bool is_bitwise(std::string_view symbol) {
  const Binding binding = binding_of(symbol);
  return binding >= Binding::bit_or && binding <= Binding::bit_and;
}

std::string missing_operator(const std::string& symbol) { return symbol + " is not part of the mask language"; }

}  // namespace vqscope::language
