// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/position/model_config.h"

#include "core/base/text.h"
#include "core/io/json_reader.h"
#include "core/position/config_implementations.h"
#include "core/position/config_keys.h"
#include "core/position/config_kind.h"
#include "core/position/config_layers.h"
#include "core/position/config_length.h"
#include "core/position/config_rope.h"
#include "core/position/config_tables.h"
#include "core/position/config_text.h"
#include "core/position/t5_bucket.h"

#include <algorithm>

namespace vqscope {
namespace {

std::string place_text(TextPlace place) {
  return "line " + to_text(Index{place.line}) + ", column " + to_text(Index{place.column}) + ": ";
}

constexpr std::size_t most_members = 1024;    // published configs have a hundred
constexpr std::size_t most_layer_types = 64;  // and two types of layers

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

class Doctor {
 public:
  explicit Doctor(const ConfigValue& root) : m_top(root, "", m_ledger) {}

  Result<ConfigReport> examine();

 private:
  void find_text_model();
  void find_family();
  void find_family_by_class();
  void read_kind();
  void read_ropes();
  void read_rope_of(const ConfigRopeSource& source);
  void read_layers(const ConfigObject& object);
  double theta_of(std::string_view layers) const;
  Index layers_of(std::string_view name) const;
  void read_unlike_layers(const ConfigObject* object);
  void tell_layers_without_rope();
  void read_t5();
  void collect_keys();
  const ConfigObject& model() const { return m_text ? *m_text : m_top; }
  const ConfigObject* scaling_object(std::optional<ConfigObject>& keep);

  ConfigLedger m_ledger;
  ConfigObject m_top;
  std::optional<ConfigObject> m_text;  ///< the text model of a multimodal config
  const ModelFamily* m_family = nullptr;
  ConfigReport m_report;
  std::vector<ConfigKey> m_rope_keys;
};

/// Down to the object that describes a text model, if the config has several models.
void Doctor::find_text_model() {
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
void Doctor::find_family_by_class() {
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
void Doctor::find_family() {
  m_report.model_type = type_of(model());
  model().take("model_type");
  m_top.take("model_type");
  if (m_report.model_type.empty()) m_report.model_type = type_of(m_top);
  m_family = &find_model_family(m_report.model_type);
  if (m_report.model_type.empty()) find_family_by_class();
  if (const auto inner = inner_model_type(m_report.model_type); !m_family->known() && !inner.empty())
    m_family = &find_model_family(inner);  // older files have the text model's keys at the top
}

/// rope_parameters, or rope_scaling, which wins where both are given.
const ConfigObject* Doctor::scaling_object(std::optional<ConfigObject>& keep) {
  const auto& config = model();
  for (const std::string key : {"rope_scaling", "rope_parameters"}) {
    const auto* given = config.take(key);
    if (!given || (given->object() && given->object()->members.empty())) continue;
    if (!given->object()) {
      config.error(key, config.path_of(key) + " is " + given->shown() + ", must be an object or null");
    } else if (keep) {
      config.warning(key, config.path_of(key) + " is given beside rope_scaling, which Hugging Face takes instead");
    } else {
      keep.emplace(ConfigObject(*given, config.path_of(key), m_ledger));
    }
  }
  return keep ? &*keep : nullptr;
}

/// seq_len where the type reads it; elsewhere it follows what is shown.
ParameterValues values_of(const RopeUse& use) {
  RopeScaling scaling = use.scaling;
  if (!rope_type(scaling.rope_type).reads("seq_len")) scaling.seq_len = 0;
  return rope_scaling_values(scaling);
}

void Doctor::read_rope_of(const ConfigRopeSource& source) {
  auto use = read_rope(model(), source, m_rope_keys);
  if (!use) return;
  tell_rope_use(*use, source.object, has_latent_attention(model()));
  ConfigView view{source.layers.empty() ? "RoPE" : "RoPE of " + source.layers, "rope_phase", values_of(*use)};
  view.values.set("pair_layout", std::string(use->interleaved ? "interleaved" : "half_split"));
  m_report.views.push_back(std::move(view));
  m_report.ropes.push_back(std::move(*use));
}

/// A scaling for each type of layers, as configs of Gemma 3 have it.
void Doctor::read_layers(const ConfigObject& object) {
  const auto count = object.value().object()->members.size();
  if (count > most_layer_types)
    return m_ledger.add(ConfigSeverity::error, object.path(), object.value().place,
                        object.path() + " has " + to_text(static_cast<Index>(count)) + " types of layers, at most " +
                            to_text(static_cast<Index>(most_layer_types)) + " are read");
  for (const auto& member : object.value().object()->members) {
    m_ledger.mark_read(member);
    const std::string path = object.path_of(member.key);
    if (!member.object()) {
      object.warning(member.key,
                     path + " is " + member.shown() + " beside objects for types of layers, and is not read");
      m_rope_keys.push_back({path, member.key_place, member.shown(), KeyUse::ignored, "beside types of layers"});
      continue;
    }
    m_rope_keys.push_back({path, member.key_place, member.shown(), KeyUse::read, ""});
    const ConfigObject layers(member, path, m_ledger);
    read_rope_of({member.key, &layers, "rope_theta", m_family, theta_of(member.key)});
  }
}

double Doctor::theta_of(std::string_view layers) const {
  return layers == sliding_layers && m_family->local_theta > 0 ? m_family->local_theta : m_family->theta;
}

void Doctor::read_ropes() {
  std::optional<ConfigObject> keep;
  const Index errors = m_ledger.errors();
  const ConfigObject* object = scaling_object(keep);
  if (m_ledger.errors() > errors) return;
  if (object && std::ranges::any_of(object->value().object()->members, [](const auto& m) { return m.object(); }))
    return read_layers(*object);
  read_unlike_layers(object);
  if (m_report.ropes.empty())  // a mistake came before they were reached
    for (const auto key : {"rope_theta", "max_position_embeddings", "hidden_size", "num_attention_heads"})
      model().take(key);
  tell_layers_without_rope();
}

/// One RoPE for all layers, or one each for those with and without a window: by a theta of their own, or because the
/// scaling is for full layers alone.
void Doctor::read_unlike_layers(const ConfigObject* object) {
  const bool global = !model().has("rope_theta") && model().has("global_rope_theta");
  const std::string theta = global ? "global_rope_theta" : "rope_theta";
  const std::string local = model().first_of({"rope_local_base_freq", "local_rope_theta", "swa_rope_theta"});
  if (model().has("compress_rope_theta")) {  // DeepSeek V4: what is scaled are the layers that compress their cache
    read_rope_of({"compressed_attention", object, "compress_rope_theta", m_family, 160000});
    return read_rope_of({std::string(sliding_layers), nullptr, "rope_theta", m_family, m_family->theta});
  }
  const bool windows = m_report.layers.empty() || layers_of(sliding_layers) > 0;
  const bool both =
      windows && (model().has(local) || m_family->local_theta > 0 || (m_family->unscaled_windows && object != nullptr));
  std::string layers = both ? std::string(full_layers) : "";
  if (!both && m_family->without_rope == LayersWithoutRope::full && layers_of(sliding_layers) > 0)
    layers = sliding_layers;
  if (!both && layers_of(chunked_layers) > 0) layers = chunked_layers;
  read_rope_of({layers, object, theta, m_family, m_family->theta});
  if (!both) return;
  const bool own = !m_family->unscaled_windows;
  read_rope_of({std::string(sliding_layers), nullptr, own ? local : theta, m_family, theta_of(sliding_layers)});
}

Index Doctor::layers_of(std::string_view name) const {
  Index count = 0;
  for (const auto& kind : m_report.layers)
    if (kind.name == name) count += kind.count;
  return count;
}

void Doctor::tell_layers_without_rope() {
  Index without = 0, all = 0;
  for (const auto& kind : m_report.layers) {
    all += kind.count;
    if (!kind.rope && attends(kind.name)) without += kind.count;
  }
  if (without == 0) return;
  m_ledger.add(ConfigSeverity::note, "", model().value().place,
               to_text(without) + " of " + to_text(all) + " layers attend without a position encoding (NoPE)");
}

void Doctor::read_t5() {
  const auto& config = model();
  T5Buckets buckets{.num_buckets = config.integer("relative_attention_num_buckets", {2, 4096}).value_or(32),
                    .max_distance = config.integer("relative_attention_max_distance", {2, 2147483648.0}).value_or(128)};
  for (const bool bidirectional : {true, false}) {
    buckets.bidirectional = bidirectional;
    if (auto checked = buckets.check(); !checked) {
      m_report.views.clear();
      return config.error("relative_attention_num_buckets",
                          (bidirectional ? "in the encoder " : "in the decoder ") + checked.error().message);
    }
    ConfigView view{bidirectional ? "T5 buckets of the encoder" : "T5 buckets of the decoder", "t5_bucket", {}};
    view.values.set("num_buckets", buckets.num_buckets);
    view.values.set("max_distance", buckets.max_distance);
    view.values.set("bidirectional", bidirectional);
    m_report.views.push_back(std::move(view));
  }
}

/// In the order of the text: the members of nested objects after their object.
void Doctor::collect_keys() {
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

void Doctor::read_kind() {
  m_report.kind = read_position_kind(model(), *m_family);
  if (m_report.kind == m_family->kind) m_report.about = m_family->note;
  m_report.layers = read_layer_kinds(model(), *m_family, m_report.kind == PositionKind::rope);
  switch (m_report.kind) {
    case PositionKind::rope: return read_ropes();
    case PositionKind::t5_buckets: return read_t5();
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

Result<ConfigReport> Doctor::examine() {
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

}  // namespace

Index RopeUse::count(PairFate fate) const { return std::ranges::count(pairs, fate, &ConfigPair::fate); }

Index ConfigReport::count(ConfigSeverity severity) const {
  return std::ranges::count(findings, severity, &ConfigFinding::severity);
}

Result<ConfigReport> examine_model_config(const ConfigValue& root) {
  if (!root.object())
    return invalid(place_text(root.place) + "a model's config must be a JSON object, here stands " + root.shown());
  if (auto checked = check_size(root); !checked) return checked.error();
  return Doctor(root).examine();
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
