// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/language/parse/syntax.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace vqscope::language {

/// Values of a text's names that are known before it is compiled.
struct Words {
  /// Names that have a text or a fraction as their value, with the texts that they are compared
  /// with.
  std::map<std::string, std::vector<std::string>, std::less<>> names;
  std::set<std::string, std::less<>> enums;   ///< Style of `style == Style.PAIR`: its members are texts
  std::set<std::string, std::less<>> truths;  ///< names tested as True or False: `if causal:`
};

Words words_in(const Syntax& syntax);

/// The member of an enum that the text compares names with: PAIR of Style.PAIR; null: something
/// else.
const std::string* enum_member(const Words& words, const Syntax& syntax, const Expression& e);

/// A decimal fraction as numerator and denominator: 0.75 is 75 / 100. Empty: it is none, or has too
/// many digits.
std::optional<std::pair<Index, Index>> decimal_fraction(std::string_view text);

}  // namespace vqscope::language
