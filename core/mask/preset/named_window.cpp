// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/preset/named_window.h"

#include "core/base/text.h"
#include "core/mask/preset/text_mask.h"
#include "core/method/free_name.h"

#include <algorithm>
#include <cctype>

namespace vqscope {
namespace {

bool is_window(std::string_view name) { return lower_case(name).find("window") != std::string::npos; }

bool is_name(std::string_view name) {
  return !name.empty() && std::ranges::all_of(name, [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; });
}

/// "NAME = 128" as a line of its own.
std::optional<NamedWindow> set_by(std::string_view line) {
  line = trimmed(line.substr(0, line.find('#')));
  const auto equals = line.find('=');
  if (equals == std::string_view::npos) return {};
  const std::string_view name = trimmed(line.substr(0, equals));
  const auto value = parse_index(trimmed(line.substr(equals + 1)));
  if (!value || *value < 1 || !is_name(name) || !is_window(name)) return {};
  return NamedWindow{std::string(name), *value};
}

}  // namespace

std::optional<NamedWindow> named_window(const ParameterValues& values) {
  if (!has_mask_text(values)) return {};
  std::vector<NamedWindow> all;
  for (const auto& [key, value] : values.map())
    if (const std::string_view name = free_name_of(key); is_window(name) && std::holds_alternative<Index>(value))
      // Below 1 it is none, or has no value.
      if (const Index given = std::get<Index>(value); given > 0) all.push_back({std::string(name), given});
  const std::string text = mask_text_of(values);
  if (all.empty())
    for (const std::string_view line : split(text, '\n'))
      if (auto window = set_by(line)) all.push_back(std::move(*window));
  return all.size() == 1 ? std::optional(all.front()) : std::nullopt;
}

}  // namespace vqscope
