// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/language/parse/constant_expression.h"

#include "core/base/sentence.h"
#include "core/mask/language/parse/arithmetic.h"
#include "core/mask/language/parse/operators.h"

#include <charconv>

namespace vqscope::language {
namespace {

int base_of(const std::string& digits) {
  if (digits.size() < 2 || digits[0] != '0') return 10;
  const char letter = static_cast<char>(digits[1] | 0x20);
  return letter == 'x' ? 16 : letter == 'o' ? 8 : letter == 'b' ? 2 : 10;
}

bool has_misplaced_underscore(const std::string& body, int base) {
  return body.empty() || body.back() == '_' || (base == 10 && body.front() == '_') ||
         body.find("__") != std::string::npos;
}

}  // namespace

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

Result<Index> integer_literal(const std::string& digits, bool negative) {
  const int base = base_of(digits);
  const std::string body = base == 10 ? digits : digits.substr(2);
  std::string plain = negative ? "-" + body : body;
  std::erase(plain, '_');
  Index value = 0;
  const auto [end, code] = std::from_chars(plain.data(), plain.data() + plain.size(), value, base);
  const bool whole = end == plain.data() + plain.size();
  const std::string shown = digits.substr(0, 40);
  if (whole && code == std::errc::result_out_of_range)
    return invalid("{} is too large; integers have 64 bits, up to 9223372036854775807", shown);
  if (has_misplaced_underscore(body, base) || !whole || code != std::errc())
    return invalid("{} is not an integer; write digits such as 512, 1_024, 0x1f, 0o17 or 0b101", shown);
  if (base == 10 && body.front() == '0' && value != 0)
    return invalid("{} has leading zeros; write 0o for octal digits, or leave the zeros out", shown);
  return value;
}

}  // namespace vqscope::language
