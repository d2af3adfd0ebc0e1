// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"
#include "core/config/config_doctor.h"
#include "core/config/config_kind.h"
#include "core/config/family/config_keys.h"

#include <algorithm>

namespace vqscope {
namespace {

std::string type_of(const ConfigObject& config) {
  const auto* given = config.value().find("model_type");
  return given && given->text() ? *given->text() : std::string();
}

/// Whether an object describes a model, or has one inside that does.
bool leads_to_model(const ConfigValue& object) {
  if (describes_model(object)) return true;
  return std::ranges::any_of(text_model_keys(), [&](const std::string& key) {
    const auto* child = object.find(key);
    return child && child->object() && describes_model(*child);
  });
}

}  // namespace

/// Down to the object that describes a text model, if the config has several models.
void ConfigDoctor::find_text_model() {
  for (bool deeper = true; deeper;) {
    deeper = false;
    for (const auto& key : text_model_keys()) {
      const auto* child = model().value().find(key);
      if (!child || !child->object()) continue;
      if (!leads_to_model(*child) && inner_model_type(type_of(model())).empty()) continue;
      model().take(key);
      model().note(key, "the text model stands in " + model().path_of(key) + ": its keys are read");
      m_text.emplace(ConfigObject(*child, model().path_of(key), m_ledger));
      deeper = true;
      break;
    }
  }
  if (!m_text) return;
  for (const auto& name : rope_config_keys())
    if (m_top.has(name) && !m_text->has(name))
      m_top.note(name, name + " stands beside " + m_text->path() + ", and the text model's keys are read from there");
}

/// Without a model_type the name of the class tells: LlamaForCausalLM has the defaults of LlamaConfig.
void ConfigDoctor::find_family_by_class() {
  const auto* given = model().value().find("architectures");
  if (!given || !given->list() || given->list()->empty() || !given->list()->front().text()) return;
  const auto& family = find_family_of_class(*given->list()->front().text());
  if (!family.known()) return;
  m_family = &family;
  m_report.model_type = family.model_type;
  model().note("architectures", "no model_type is given: that of " + shortened(*given->list()->front().text()) +
                                    " is taken, " + m_report.model_type);
}

/// The row of the text model's model_type; where it names none, of the default of the model around it.
void ConfigDoctor::find_family() {
  m_report.model_type = type_of(model());
  model().take("model_type");
  m_top.take("model_type");
  if (m_report.model_type.empty()) m_report.model_type = type_of(m_top);
  m_family = &find_model_family(m_report.model_type);
  if (m_report.model_type.empty()) find_family_by_class();
  if (const auto inner = inner_model_type(m_report.model_type); !m_family->known() && !inner.empty())
    m_family = &find_model_family(inner);  // older files have the text model's keys at the top
}

}  // namespace vqscope
