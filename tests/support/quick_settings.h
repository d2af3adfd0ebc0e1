// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/method.h"

#include <string>
#include <utility>
#include <vector>

namespace vqscope::test {

/// Settings with which a method that trains or measures takes seconds; nothing for all others.
inline std::vector<std::pair<std::string, std::string>> quick_settings(const Method& method) {
  if (method.id == "vq_table") return {{"length_max", "2048"}, {"repeats", "1"}};
  if (method.id == "train_throughput") return {{"length_max", "64"}, {"repeats", "1"}};
  if (!find_spec(method.parameters, "train_steps")) return {};
  std::vector<std::pair<std::string, std::string>> settings{
      {"train_steps", "1"}, {"models", "alibi"}, {"seed_count", "1"}};
  if (find_spec(method.parameters, "longest_multiple")) settings.emplace_back("longest_multiple", "2");
  return settings;
}

inline void make_quick(const Method& method, ParameterValues& values) {
  for (const auto& [name, text] : quick_settings(method))
    values.set(name, *parse_value(*find_spec(method.parameters, name), text));
}

}  // namespace vqscope::test
