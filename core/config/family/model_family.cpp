// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/family/model_family.h"

#include <map>

namespace vqscope {
namespace {

/// Names for the same architecture.
constexpr std::pair<std::string_view, std::string_view> same_as[]{{"RefinedWeb", "falcon"},
                                                                  {"RefinedWebModel", "falcon"}};

std::map<std::string_view, const ModelFamily*> by_type() {
  std::map<std::string_view, const ModelFamily*> all;
  for (const auto rows : {rope_families(), hybrid_families(), remote_families(), table_families(), other_families()})
    for (const auto& row : rows) all.emplace(row.model_type, &row);
  for (const auto& [name, meant] : same_as)
    if (const auto it = all.find(meant); it != all.end()) all.emplace(name, it->second);
  return all;
}

const std::map<std::string_view, const ModelFamily*>& families() {
  static const auto all = by_type();
  return all;
}

const ModelFamily unlisted_family;

}  // namespace

const ModelFamily& find_model_family(std::string_view model_type) {
  const auto it = families().find(model_type);
  return it == families().end() ? unlisted_family : *it->second;
}

namespace {

/// Whether an architecture is a class of the config class `name`: LlamaForCausalLM of Llama.
bool is_class_of(std::string_view architecture, std::string_view name) {
  if (name.empty() || !architecture.starts_with(name)) return false;
  const std::string_view rest = architecture.substr(name.size());
  return rest.starts_with("For") || rest == "Model" || rest == "LMHeadModel";
}

std::string_view without_ending(std::string_view name, std::string_view ending) {
  return name.ends_with(ending) ? name.substr(0, name.size() - ending.size()) : std::string_view();
}

}  // namespace

const ModelFamily& find_family_of_class(std::string_view architecture) {
  for (const auto& [type, family] : families())
    if (is_class_of(architecture, without_ending(family->source, "Config"))) return *family;
  // Gemma3ForConditionalGeneration has the text model of Gemma3TextConfig.
  for (const auto& [type, family] : families())
    if (is_class_of(architecture, without_ending(family->source, "TextConfig"))) return *family;
  return unlisted_family;
}

}  // namespace vqscope
