// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/model_config.h"

#include "core/base/text.h"
#include "core/config/config_doctor.h"
#include "core/config/config_kind.h"
#include "core/config/config_layers.h"
#include "core/config/config_tables.h"
#include "core/config/config_text.h"
#include "core/config/family/config_keys.h"
#include "core/config/family/config_length.h"
#include "core/io/json/json_reader.h"

#include <algorithm>

namespace vqscope {
namespace {

std::string place_text(TextPlace place) {
  return "line " + to_text(Index{place.line}) + ", column " + to_text(Index{place.column}) + ": ";
}

constexpr std::size_t most_members = 1024;  // published configs have a hundred

/// Of the objects whose members are looked at one by one; a vocabulary beside them may be as long as it likes.
/// `inside` an object that concerns positions everything is looked at.
const ConfigValue* oversized(const ConfigValue& object, bool inside) {
  const auto& members = object.object()->members;
  if (members.size() > most_members) return &object;
  for (const auto& member : members) {
    if (!member.object()) continue;
    const bool positions = inside || concerns_positions(member.key);
    if (!positions && std::ranges::count(text_model_keys(), member.key) == 0) continue;
    if (const auto* found = oversized(member, positions)) return found;
  }
  return nullptr;
}

Result<void> check_size(const ConfigValue& root) {
  const auto* object = oversized(root, false);
  if (!object) return {};
  return Error{Errc::too_large, place_text(object->place) + "the object has " +
                                    to_text(static_cast<Index>(object->object()->members.size())) +
                                    " members, at most " + to_text(static_cast<Index>(most_members)) + " are read"};
}

}  // namespace

/// In the order of the text: the members of nested objects after their object.
void ConfigDoctor::collect_keys() {
  auto& keys = m_report.keys;
  const bool rope = m_report.kind == PositionKind::rope || m_report.kind == PositionKind::unknown;
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
}

void ConfigDoctor::read_kind() {
  m_report.kind = read_position_kind(model(), *m_family);
  if (m_report.kind == m_family->kind) m_report.about = m_family->note;
  m_report.layers = read_layer_kinds(model(), *m_family, m_report.kind == PositionKind::rope);
  switch (m_report.kind) {
    case PositionKind::rope: return read_ropes();
    case PositionKind::t5_buckets: return read_t5(model(), m_report);
    case PositionKind::alibi: return read_alibi(model(), *m_family, m_report);
    case PositionKind::learned:
    case PositionKind::sinusoidal: return read_tables(model(), *m_family, m_report);
    case PositionKind::relative:
    case PositionKind::convolutional:
    case PositionKind::none: model().take(length_key(model(), *m_family)); return;
    case PositionKind::unknown: break;
  }
  const std::string type = m_report.model_type.empty()
                               ? "no model_type is given"
                               : "model_type " + shortened(m_report.model_type) + " is not known to this program";
  m_ledger.add(ConfigSeverity::warning, "", model().value().place,
               type +
                   ", and no key says which position encoding the model has: none of rope_theta, rope_scaling, "
                   "rope_parameters, relative_attention_num_buckets, alibi and position_embedding_type is here");
}

Result<ConfigReport> ConfigDoctor::examine() {
  find_text_model();
  if (!is_model_config(model().value()) && !is_model_config(m_top.value())) {
    const bool scaling = model().has("rope_type") || (model().has("type") && model().has("factor"));
    return invalid(place_text(model().value().place) +
                   "the object has none of hidden_size, head_dim, "
                   "max_position_embeddings, rope_theta and rope_scaling, so it is no model's config.json" +
                   (scaling ? "; a scaling alone must stand under rope_scaling" : ""));
  }
  find_family();
  read_kind();
  collect_keys();
  m_report.findings = m_ledger.take_findings();
  m_report.summary = config_summary(m_report);
  return std::move(m_report);
}

Index RopeUse::count(PairFate fate) const { return std::ranges::count(pairs, fate, &ConfigPair::fate); }

Index ConfigReport::count(ConfigSeverity severity) const {
  return std::ranges::count(findings, severity, &ConfigFinding::severity);
}

Result<ConfigReport> examine_model_config(const ConfigValue& root) {
  if (!root.object())
    return invalid(place_text(root.place) + "a model's config must be a JSON object, here stands " + root.shown());
  if (auto checked = check_size(root); !checked) return checked.error();
  return ConfigDoctor(root).examine();
}

Result<ConfigReport> read_model_config(std::string_view json) {
  const auto root = read_python_json(json);
  return root ? examine_model_config(*root) : root.error();
}

std::string findings_text(const ConfigReport& report) {
  const auto counted = [&](ConfigSeverity severity, const std::string& word) {
    const Index count = report.count(severity);
    return to_text(count) + " " + word + (count == 1 ? "" : "s");
  };
  return counted(ConfigSeverity::error, "error") + ", " + counted(ConfigSeverity::warning, "warning") + ", " +
         counted(ConfigSeverity::note, "note");
}

}  // namespace vqscope
