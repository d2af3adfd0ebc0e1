// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/position/model_family.h"

#include <map>

namespace vqscope {
namespace {

/// Names that are the same architecture to its readers.
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

}  // namespace

const ModelFamily& find_model_family(std::string_view model_type) {
  static const auto all = by_type();
  static const ModelFamily unlisted;
  const auto it = all.find(model_type);
  return it == all.end() ? unlisted : *it->second;
}

}  // namespace vqscope
