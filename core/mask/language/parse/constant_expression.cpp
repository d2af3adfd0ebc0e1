// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/language/parse/constant_expression.h"

#include "core/mask/language/parse/arithmetic.h"
#include "core/mask/language/parse/operators.h"

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
  const Operator* row = operator_of(e.name);
  if (row && row->is_constant) return row->value(*a, *b);
  return std::nullopt;
}

}  // namespace vqscope::language
