// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/config_doctor.h"

#include "core/base/sentence.h"
#include "core/config/checkpoint/checkpoint_check.h"
#include "core/config/config_parts.h"
#include "core/config/config_text.h"
#include "core/config/family/config_keys.h"
#include "core/config/family/family_reading.h"
#include "core/config/layer/layer_reading.h"

#include <algorithm>

namespace vqscope {
namespace {

std::string type_of(const ConfigObject& config) {
  const auto* given = config.value().find("model_type");
  return given && given->text() ? *given->text() : std::string();
}

/// Whether an object describes a model, or contains one that does.
bool leads_to_model(const ConfigValue& object) {
  if (describes_model(object)) return true;
  return std::ranges::any_of(text_model_keys(), [&](const std::string& key) {
    const auto* child = object.find(key);
    return child && child->object() && describes_model(*child);
  });
}

}  // namespace

/// Descends to the object that describes the text model, if the config has several models.
void ConfigDoctor::find_text_model() {
  for (bool deeper = true; deeper;) {
    deeper = false;
    for (const auto& key : text_model_keys()) {
      const auto* child = model().value().find(key);
      if (!child || !child->object()) continue;
      if (!leads_to_model(*child) && inner_model_type(type_of(model())).empty()) continue;
      model().take(key);
      model().note(key, fmt::format("the text model is in {}: its keys are read", model().path_of(key)));
      m_text.emplace(ConfigObject(*child, model().path_of(key), m_ledger));
      deeper = true;
      break;
    }
  }
  if (!m_text) return;
  for (const auto& name : rope_config_keys())
    if (m_top.has(name) && !m_text->has(name))
      m_top.note(name, fmt::format("{} is not in {}, from which the text model's keys are read", name, m_text->path()));
}

/// Without a model_type, the class name decides: LlamaForCausalLM has the defaults of LlamaConfig.
void ConfigDoctor::find_family_by_class() {
  const auto& family = find_family_of_class(class_of_config(model().value()));
  if (!family.known()) return;
  m_family = &family;
  m_report.model_type = family.model_type;
  model().note("architectures", fmt::format("no model_type is given: inferred from {} as {}",
                                            shortened(class_of_config(model().value())), m_report.model_type));
}

/// Libraries that go by architectures read the keys as another model.
void ConfigDoctor::report_other_class() const {
  const ConfigValue& root = m_top.value();
  const auto* other = contradicting_family(root, m_report.model_type);
  if (!other) return;
  m_top.warning("architectures",
                fmt::format("architectures names {}, a class of {}, but model_type is {}: Hugging Face goes by "
                            "model_type and builds {}, vLLM, SGLang and llama.cpp's converter go by architectures and "
                            "build {}, with its defaults, windows and pair layout",
                            shortened(class_of_config(root)), other->model_type, m_report.model_type,
                            m_report.model_type, other->model_type));
}

/// Finds the row of the text model's model_type; if it has none, that of the default inside the
/// outer model.
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

/// Collects keys in the order of the text: the members of nested objects after their object.
void ConfigDoctor::collect_keys() {
  auto& keys = m_report.keys;
  const bool rope = m_report.kind == PositionScheme::rope || m_report.kind == PositionScheme::unknown;
  keys = config_keys(m_top, rope);
  if (m_text) {
    std::erase_if(keys, [&](const ConfigKey& key) { return key.use == KeyUse::unrelated; });
    const auto inner = config_keys(*m_text, rope);
    keys.insert(keys.end(), inner.begin(), inner.end());
  }
  keys.insert(keys.end(), m_rope_keys.begin(), m_rope_keys.end());
  std::ranges::stable_sort(keys, [](const ConfigKey& a, const ConfigKey& b) {
    return std::pair(a.place.line, a.place.column) < std::pair(b.place.line, b.place.column);
  });
  // Layers of several kinds may share one scaling, whose keys are then read for each.
  const auto same = [](const ConfigKey& a, const ConfigKey& b) {
    return a.path == b.path && a.place.line == b.place.line && a.place.column == b.place.column;
  };
  keys.erase(std::unique(keys.begin(), keys.end(), same), keys.end());
}

void ConfigDoctor::read_kind() {
  m_report.kind = read_position_kind(model(), *m_family);
  if (m_report.kind == m_family->kind) m_report.about = m_family->note;
  m_report.schedule.layers = read_layers(model(), *m_family, m_report.kind);
  m_report.layers = layer_kinds(m_report.schedule.layers);
  const LayerHeads heads = read_layer_heads(model(), *m_family, full_layers);
  m_report.heads = heads.heads;
  check_head_groups(model(), heads);
  read_length_extensions(model(), *m_family, m_report);
  read_encoding();
}

void ConfigDoctor::read_encoding() {
  if (m_report.kind != PositionScheme::rope) read_layer_details(model(), nullptr, *m_family, m_report.schedule.layers);
  switch (m_report.kind) {
    case PositionScheme::rope: return read_ropes();
    case PositionScheme::t5_buckets: return read_t5(model(), m_report);
    case PositionScheme::alibi: return read_alibi(model(), *m_family, m_report);
    case PositionScheme::learned:
    case PositionScheme::sinusoidal: return read_tables(model(), *m_family, m_report);
    case PositionScheme::relative:
    case PositionScheme::convolutional:
    case PositionScheme::none:
      m_report.max_position_embeddings = model().integer(length_key(model(), *m_family), lengths).value_or(0);
      return;
    case PositionScheme::unknown: break;
  }
  const std::string type = m_report.model_type.empty() ? "no model_type is given"
                                                       : fmt::format("model_type {} is not known to this program",
                                                                     shortened(m_report.model_type));
  m_ledger.add(ConfigSeverity::warning, "", model().value().place,
               type +
                   ", and no key says which position encoding the model has: none of rope_theta, rope_scaling, "
                   "rope_parameters, relative_attention_num_buckets, alibi and position_embedding_type is given");
}

Result<ConfigReport> ConfigDoctor::examine(const Checkpoint* checkpoint) {
  find_text_model();
  if (!is_model_config(model().value()) && !is_model_config(m_top.value())) {
    const bool scaling = model().has("rope_type") || (model().has("type") && model().has("factor"));
    return invalid(
        "{}the object has none of hidden_size, head_dim, max_position_embeddings, rope_theta and rope_scaling, so it "
        "is not a model's config.json{}",
        model().value().place.text(), scaling ? "; a bare scaling belongs under rope_scaling" : "");
  }
  find_family();
  report_other_class();
  read_kind();
  collect_keys();
  if (checkpoint) check_checkpoint(model(), *m_family, m_report, *checkpoint);
  m_report.findings = m_ledger.take_findings();
  m_report.summary = config_summary(m_report);
  return std::move(m_report);
}

}  // namespace vqscope
