// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/language/parse/operators.h"

#include <algorithm>
#include <array>
#include <utility>

namespace vqscope::language {

Binding binding_of(std::string_view symbol) {
  constexpr std::array<std::pair<std::string_view, Binding>, 12> all{{{"|", Binding::bit_or},
                                                                      {"^", Binding::bit_xor},
                                                                      {"&", Binding::bit_and},
                                                                      {"<<", Binding::shift},
                                                                      {">>", Binding::shift},
                                                                      {"+", Binding::sum},
                                                                      {"-", Binding::sum},
                                                                      {"*", Binding::product},
                                                                      {"//", Binding::product},
                                                                      {"/", Binding::product},
                                                                      {"%", Binding::product},
                                                                      {"**", Binding::power}}};
  const auto found = std::ranges::find(all, symbol, [](const auto& row) { return row.first; });
  return found == all.end() ? Binding::loosest : found->second;
}

bool is_comparison(std::string_view symbol) {
  constexpr std::array<std::string_view, 6> all{"<", "<=", ">", ">=", "==", "!="};
  return std::ranges::find(all, symbol) != all.end();
}

std::string missing_operator(const std::string& symbol) { return symbol + " is not part of the mask language"; }

}  // namespace vqscope::language
