// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/rope/scaling_source.h"

#include "core/base/sentence.h"
#include "core/config/family/class_scaling.h"
#include "core/config/rope/config_head.h"
#include "core/io/json/json_reader.h"

namespace vqscope {

const ConfigObject* ScalingSource::find(const ConfigObject& config, const ModelFamily& family) {
  for (const std::string key : {"rope_scaling", "rope_parameters"}) {
    const auto* given = config.take(key);
    if (!given || (given->object() && given->object()->members.empty())) continue;
    if (!given->object()) {
      config.error(key, fmt::format("{} is {}, must be an object or null", config.path_of(key), given->shown()));
    } else if (m_object) {
      config.warning(key, config.path_of(key) + " is given beside rope_scaling, which Hugging Face uses instead");
    } else {
      m_object.emplace(*given, config.path_of(key), config.ledger());
    }
  }
  return m_object ? &*m_object : find_default(config, family);
}

const ConfigObject* ScalingSource::find_default(const ConfigObject& config, const ModelFamily& family) {
  const std::string_view usual = class_scaling(family.model_type);
  if (usual.empty() || config.value().find("rope_scaling") || config.value().find("rope_parameters")) return nullptr;
  auto read = read_json(usual);
  if (!read) return nullptr;
  m_default = std::move(*read);
  const std::string path = config.path_of("rope_parameters");
  config.note("rope_parameters", fmt::format("{} is not given: {}", path, default_text(family, std::string(usual))));
  m_object.emplace(m_default, path, m_aside);
  return &*m_object;
}

}  // namespace vqscope
