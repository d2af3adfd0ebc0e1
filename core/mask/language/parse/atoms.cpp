// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/language/parse/grammar.h"

#include "core/base/text.h"
#include "core/mask/language/parse/arithmetic.h"
#include "core/mask/language/parse/constant_expression.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace vqscope::language {
namespace {

using Kind = SourceTokenKind;

/// The characters between the quotes of a string.
std::string unquoted(const TokenReader& r, Range range) {
  std::string_view text = r.slice(range);
  text.remove_prefix(std::min(text.find_first_of("\"'"), text.size()));
  const std::string_view three = text.substr(0, 3);
  const std::size_t quotes = three == "\"\"\"" || three == "'''" ? 3 : 1;
  if (text.size() < 2 * quotes) return {};
  return std::string(text.substr(quotes, text.size() - 2 * quotes));
}

/// Digits, a point and an exponent, exactly: 0.25 is 25 / 100.
ExpressionId parse_fraction(TokenReader& r, Range range, const std::string& digits) {
  Expression made{.kind = ExpressionKind::real, .range = range};
  const auto exponent_at = std::min(digits.find_first_of("eE"), digits.size());
  std::optional<Index> value = 0;
  int shift = 0;
  bool behind_point = false;
  for (const char c : digits.substr(0, exponent_at)) {
    if (c == '.' && !std::exchange(behind_point, true)) continue;
    if (c == '_') continue;
    if (c < '0' || c > '9') return r.fail(range, shortened(digits) + " is not a number");
    if (value) value = multiply(*value, 10);
    if (value) value = add(*value, c - '0');
    shift -= behind_point ? 1 : 0;
  }
  if (exponent_at + 1 < digits.size()) {
    const auto exponent = integer_literal(digits.substr(exponent_at + 1));
    if (!exponent) return r.fail(range, shortened(digits) + " is not a number");
    shift += static_cast<int>(std::clamp<Index>(*exponent, -100, 100));
  }
  std::optional<Index> denominator = 1;
  for (; shift > 0 && value; --shift) value = multiply(*value, 10);
  for (; shift < 0 && denominator; ++shift) denominator = multiply(*denominator, 10);
  if (!value || !denominator) return r.fail(range, shortened(digits) + " has too many digits; 64 bits hold 18 of them");
  const Index common = std::max<Index>(std::gcd(*value, *denominator), 1);
  made.value = *value / common;
  made.denominator = *denominator / common;
  return r.add(std::move(made));
}

ExpressionId parse_number(TokenReader& r) {
  const Range range = r.here();
  const std::string digits(r.word());
  ++r.next;
  const bool is_hexadecimal = digits.starts_with("0x") || digits.starts_with("0X");
  if (!is_hexadecimal && digits.find_first_of(".eE") != std::string::npos) return parse_fraction(r, range, digits);
  const auto value = integer_literal(digits);
  if (!value) return r.fail(range, value.error().message);
  return r.add({.kind = ExpressionKind::integer, .range = range, .value = *value});
}

}  // namespace

ExpressionId parse_atom(TokenReader& r) {
  const Range range = r.here();
  switch (r.token().kind) {
    case Kind::number: return parse_number(r);
    case Kind::string: {
      Expression text{.kind = ExpressionKind::string, .range = range};
      for (; r.token().kind == Kind::string; ++r.next) {  // Python joins adjacent strings
        text.name += unquoted(r, r.here());
        const std::string_view written = r.slice(r.here());
        const bool is_filled = written.substr(0, written.find_first_of("\"'")).find_first_of("fF") != std::string::npos;
        if (is_filled && written.find('{') != std::string::npos) text.symbols = {"f"};
        text.range.end = r.here().end;
      }
      return r.add(std::move(text));
    }
    case Kind::name:
    case Kind::variable:
    case Kind::function: {
      std::string name(r.word());
      ++r.next;
      return r.add({.kind = ExpressionKind::name, .range = range, .name = std::move(name)});
    }
    default: break;
  }
  if (r.is_word("True") || r.is_word("False")) {
    const Index value = r.is_word("True") ? 1 : 0;
    ++r.next;
    return r.add({.kind = ExpressionKind::boolean, .range = range, .value = value});
  }
  if (r.accept("None")) return r.add({.kind = ExpressionKind::nothing, .range = range});
  if (r.accept("...")) return r.add({.kind = ExpressionKind::ellipsis, .range = range});
  if (r.accept("(")) return parse_parentheses(r, range);
  if (r.accept("[")) return parse_brackets(r, range);
  if (r.accept("{")) return parse_braces(r, range);
  if (r.accept("*")) {
    const ExpressionId all = parse_expression(r, Binding::bit_or);
    if (r.failed()) return no_expression;
    return r.add({.kind = ExpressionKind::starred, .range = {range.begin, r.at(all).outer.end}, .operands = {all}});
  }
  return r.fail(range, "expected a name, a number or (, found " + r.found());
}

}  // namespace vqscope::language
