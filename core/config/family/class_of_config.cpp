// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/family/class_of_config.h"

#include <algorithm>

namespace vqscope {
namespace {

/// Classes that several families use on purpose, with a model_type of their own.
bool shares_class(std::string_view model_type, std::string_view of_class) {
  constexpr std::pair<std::string_view, std::string_view> sharing[]{
      {"camembert", "roberta"}, {"xlm-roberta", "roberta"}, {"ministral", "mistral"}, {"glm46v", "glm4v_text"}};
  return std::ranges::find(sharing, std::pair(model_type, of_class)) != std::end(sharing);
}

}  // namespace

std::string_view class_of_config(const ConfigValue& root) {
  const auto* given = root.find("architectures");
  if (!given || !given->list() || given->list()->empty() || !given->list()->front().text()) return {};
  return *given->list()->front().text();
}

const ModelFamily* contradicting_family(const ConfigValue& root, std::string_view model_type) {
  const ModelFamily& of_type = find_model_family(model_type);
  const ModelFamily& of_class = find_family_of_class(class_of_config(root));
  if (!of_type.known() || of_type.remote() || !of_class.known() || root.find("auto_map")) return nullptr;
  const bool same = of_type.source == of_class.source || shares_class(of_type.model_type, of_class.model_type);
  return same ? nullptr : &of_class;
}

}  // namespace vqscope
