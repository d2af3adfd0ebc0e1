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

const ModelFamily& find_family_of_class(std::string_view architecture) {
  constexpr std::string_view ending = "Config";
  for (const auto& [type, family] : families()) {
    std::string_view name = family->source;
    if (!name.ends_with(ending)) continue;
    name.remove_suffix(ending.size());
    if (!architecture.starts_with(name)) continue;
    const std::string_view rest = architecture.substr(name.size());
    if (rest.starts_with("For") || rest == "Model" || rest == "LMHeadModel") return *family;
  }
  return unlisted_family;
}

}  // namespace vqscope
