// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/backend/block_mask_call.h"

#include "core/base/text.h"

#include <algorithm>

namespace vqscope {
namespace {

/// The arguments between the parentheses, without those of calls inside them.
std::vector<std::string_view> arguments_of(std::string_view text) {
  std::vector<std::string_view> all;
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '(' || c == '[' || c == '{') ++depth;
    const bool closes = c == ')' || c == ']' || c == '}';
    if ((depth == 0 && (c == ',' || closes))) {
      all.push_back(trimmed(text.substr(begin, i - begin)));
      begin = i + 1;
      if (closes) return all;
    }
    if (closes) --depth;
  }
  return {};
}

/// Whether an argument, passed by name or by position, is None or 1.
bool is_one(const std::vector<std::string_view>& arguments, std::string_view name, std::size_t place) {
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string_view given = arguments[i];
    const auto equals = given.find('=');
    const bool named = equals != std::string_view::npos;
    if (named ? trimmed(given.substr(0, equals)) != name : i != place) continue;
    const std::string_view value = named ? trimmed(given.substr(equals + 1)) : given;
    return value == "None" || value == "1";
  }
  return false;
}

}  // namespace

BlockMaskCall block_mask_call(std::string_view text) {
  constexpr std::string_view call = "create_block_mask(";
  for (const std::string_view line : split(text, '\n')) {
    const std::string_view code = line.substr(0, line.find('#'));
    const auto at = code.find(call);
    if (at == std::string_view::npos) continue;
    const auto begin = static_cast<std::size_t>(code.data() - text.data()) + at + call.size();
    const auto arguments = arguments_of(text.substr(begin));
    return {is_one(arguments, "B", 1), is_one(arguments, "H", 2)};
  }
  return {};
}

}  // namespace vqscope
