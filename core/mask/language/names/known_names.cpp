// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/language/names/known_names.h"

#include "core/base/text.h"
#include "core/mask/language/names/function_row.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

namespace vqscope::language {
namespace {

/// The first names of functions, in the order of the rows.
template <class Chosen>
std::vector<std::string> first_names(const Chosen& name_of) {
  std::vector<std::string> all;
  for (const FunctionSection& section : function_sections())
    for (const FunctionRow& row : section.rows)
      if (const std::string_view names = name_of(section, row); !names.empty())
        all.emplace_back(names.substr(0, names.find(' ')));
  return all;
}

struct Usual {
  std::string_view part;  ///< part of a name
  Index value = 0;
};

// The first part that a name contains decides. Windows and blocks as in the examples of
// FlexAttention, sinks as in StreamingLLM (Xiao et al. 2023, section 3.2).
constexpr std::array usual{Usual{"window", 128}, Usual{"sink", 4},   Usual{"dilat", 2},  Usual{"stride", 2},
                           Usual{"prefix", 64},  Usual{"block", 64}, Usual{"chunk", 64}, Usual{"tile", 16},
                           Usual{"head", 8},     Usual{"frame", 16}, Usual{"width", 16}, Usual{"height", 16},
                           Usual{"kernel", 7},   Usual{"group", 4}};

}  // namespace

std::optional<std::string> near_variable(const std::string& name) {
  if (name.size() < 4) return std::nullopt;
  std::vector<std::string> known;
  for (const auto& variable : known_variables()) known.emplace_back(variable);
  return nearest_name(name, known);
}

const FunctionRow* function_row(std::string_view name, Called as) {
  static const auto all = [] {
    std::map<std::pair<Called, std::string_view>, const FunctionRow*> made;
    for (const FunctionSection& section : function_sections())
      for (const FunctionRow& row : section.rows) {
        for (const std::string_view each : vqscope::split(row.names, ' ')) made[{Called::alone, each}] = &row;
        for (const std::string_view each : vqscope::split(row.methods, ' ')) made[{section.methods, each}] = &row;
      }
    return made;
  }();
  const auto found = all.find({as, name});
  return name.empty() || found == all.end() ? nullptr : found->second;
}

const FunctionRow* function_row(std::string_view name) {
  const FunctionRow* row = function_row(name, Called::alone);
  return row ? row : function_row(name, Called::on_value);
}

const std::vector<std::string>& plain_functions() {
  static const auto names =
      first_names([](const auto& section, const auto& row) { return section.is_plain ? row.names : ""; });
  return names;
}

const std::vector<std::string>& torch_functions() {
  static const auto names = first_names([](const auto& section, const auto& row) {
    return section.is_plain && row.methods.empty() ? "" : row.names;  // torch.max, but not torch.zip
  });
  return names;
}

const std::vector<std::string>& methods() {
  static const auto names = first_names(
      [](const auto& section, const auto& row) { return section.methods == Called::on_value ? row.methods : ""; });
  return names;
}

bool changes_object(std::string_view name) {
  for (const Called as : {Called::on_value, Called::on_dictionary})
    if (const FunctionRow* row = function_row(name, as); row && row->changes) return true;
  return false;
}

bool is_module(std::string_view name) {
  static constexpr std::array<std::string_view, 14> names{"torch", "np", "numpy",     "jnp",      "jax",
                                                          "lax",   "mx", "functools", "operator", "math",
                                                          "F",     "nn", "paddle",    "einops"};
  return std::ranges::find(names, name) != names.end();
}

bool is_numpy_module(std::string_view name) {
  return name == "np" || name == "numpy" || name == "jnp" || name == "jax" || name == "lax" || name == "mx";
}

bool is_torch_module(std::string_view name) {
  return name == "torch" || name == "F" || name == "nn" || name == "paddle";
}

bool makes_block_mask(std::string_view name) {
  return name.find("create_block_mask") != std::string_view::npos || name == "create_mask" ||
         name == "create_flex_block_mask";
}

bool is_function(std::string_view name) { return function_row(name, Called::alone) != nullptr; }

const std::vector<std::string_view>& known_variables() {
  static const std::vector<std::string_view> names{"b",        "h",      "q_idx",   "kv_idx",      "q_pos",
                                                   "kv_pos",   "q_doc",  "kv_doc",  "q_len",       "key_valid",
                                                   "past_len", "kv_len", "offsets", "document_id", "position_ids"};
  return names;
}

std::span<const std::string_view> document_array_names() {
  static constexpr std::array<std::string_view, 14> names{
      "document_id", "document_ids", "doc_id",     "doc_ids",     "docs",     "doc",         "seq_id",
      "seq_ids",     "seq_idx",      "segment_id", "segment_ids", "segments", "sequence_id", "sequence_ids"};
  return names;
}

const std::vector<std::string_view>& known_functions() {
  static const auto names = [] {
    std::vector<std::string_view> all{"np", "torch"};
    for (const auto* some : {&plain_functions(), &torch_functions(), &methods()})
      all.insert(all.end(), some->begin(), some->end());
    std::ranges::sort(all);
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
  }();
  return names;
}

std::optional<Index> likely_value(std::string_view name, Index length) {
  const std::string lower = lower_case(name);
  const auto has = [&](std::string_view part) { return lower.find(part) != std::string::npos; };
  const auto found = std::ranges::find_if(usual, [&](const Usual& one) { return has(one.part); });
  if (found != usual.end()) return found->value;
  if (has("seq") || has("total") || has("max_len")) return length;
  return std::nullopt;
}

}  // namespace vqscope::language
