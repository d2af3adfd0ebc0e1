// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/language/known_names.h"

#include "core/base/text.h"
#include "core/mask/language/source_tokens.h"

#include <algorithm>
#include <array>
#include <utility>

namespace vqscope::language {

std::optional<Variable> variable_of(std::string_view name) {
  static constexpr std::array<std::pair<std::string_view, Variable>, 12> rows{{{"b", Variable::b},
                                                                               {"h", Variable::h},
                                                                               {"q_idx", Variable::q_idx},
                                                                               {"kv_idx", Variable::kv_idx},
                                                                               {"q_pos", Variable::q_pos},
                                                                               {"kv_pos", Variable::kv_pos},
                                                                               {"q_doc", Variable::q_doc},
                                                                               {"kv_doc", Variable::kv_doc},
                                                                               {"key_valid", Variable::key_valid},
                                                                               {"past_len", Variable::past_len},
                                                                               {"q_len", Variable::q_len},
                                                                               {"kv_len", Variable::kv_len}}};
  const auto found = std::ranges::find(rows, name, [](const auto& row) { return row.first; });
  return found == rows.end() ? std::nullopt : std::optional(found->second);
}

std::optional<std::string> near_variable(const std::string& name) {
  if (name.size() < 4) return std::nullopt;
  std::vector<std::string> known;
  for (const auto& variable : known_variables()) known.emplace_back(variable);
  return nearest_name(name, known);
}

const std::vector<std::string>& plain_functions() {
  static const std::vector<std::string> names{"abs", "min", "max", "int", "bool", "and_masks", "or_masks"};
  return names;
}

const std::vector<std::string>& torch_functions() {
  static const std::vector<std::string> names{"abs",         "minimum",    "maximum",     "clamp",      "where",
                                              "logical_and", "logical_or", "logical_not", "logical_xor"};
  return names;
}

const std::vector<std::string>& methods() {
  static const std::vector<std::string> names{"abs",         "clamp",      "minimum",     "maximum",
                                              "logical_and", "logical_or", "logical_not", "logical_xor",
                                              "bool",        "int",        "long",        "to"};
  return names;
}

}  // namespace vqscope::language
