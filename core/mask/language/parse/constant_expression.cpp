// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/language/parse/constant_expression.h"

#include "core/mask/language/parse/arithmetic.h"

namespace vqscope::language {

std::optional<Index> constant_of(const Syntax& syntax, ExpressionId id) {
  const Expression& e = syntax.at(id);
  if (e.depth > 50) return std::nullopt;
  if (e.kind == ExpressionKind::integer) return e.value;
  if (e.kind != ExpressionKind::unary && e.kind != ExpressionKind::binary) return std::nullopt;
  const auto a = constant_of(syntax, e.operands[0]);
  if (!a) return std::nullopt;
  if (e.kind == ExpressionKind::unary)
    return e.name == "-" ? subtract(0, *a) : e.name == "+" ? a : std::optional<Index>(~*a);
  const auto b = constant_of(syntax, e.operands[1]);
  if (!b) return std::nullopt;
  if (e.name == "+") return add(*a, *b);
  if (e.name == "-") return subtract(*a, *b);
  if (e.name == "*") return multiply(*a, *b);
  if (e.name == "//" && *b > 0) return floor_divide(*a, *b);
  if (e.name == "**" && *b >= 0) return power(*a, *b);
  if (e.name == "<<" && *b >= 0 && *b <= 63) return shift_left(*a, *b);
  return std::nullopt;
}

}  // namespace vqscope::language
