// SPDX-License-Identifier: GPL-3.0-or-later
// Sources: mistral-inference (args.py, transformer_layers.py), vllm/transformers_utils/configs/mistral.py, and model.py
// of Meta's llama-models.
#include "core/config/params/params_names.h"

#include "core/base/sentence.h"

#include <cctype>

namespace vqscope {
namespace {

constexpr std::pair<const char*, const char*> renamed[]{{"dim", "hidden_size"},
                                                        {"n_kv_heads", "num_key_value_heads"},
                                                        {"n_layers", "num_hidden_layers"},
                                                        {"n_heads", "num_attention_heads"},
                                                        {"hidden_dim", "intermediate_size"},
                                                        {"norm_eps", "rms_norm_eps"},
                                                        {"_sliding_window", "sliding_window"}};

template <class Data>
ConfigValue made(std::string key, Data data) {
  ConfigValue value;
  value.key = std::move(key);
  value.data = std::move(data);
  return value;
}

class Translation {
 public:
  explicit Translation(const ConfigValue& root) : m_root(root) {}
  TranslatedParams translate();

 private:
  void rename(const ConfigValue& member, const std::string& key);
  void add(ConfigValue member) { m_members.push_back(std::move(member)); }
  void add_yarn(const ConfigValue& yarn);
  void add_windows(const ConfigValue& list);
  void add_member(const ConfigValue& member);
  void add_defaults();
  void add_meta();
  bool given(std::string_view key) const {
    const auto* value = m_root.find(key);
    return value && !value->is_null();
  }

  const ConfigValue& m_root;
  std::vector<ConfigValue> m_members;
  TranslatedParams m_all;
};

void Translation::rename(const ConfigValue& member, const std::string& key) {
  ConfigValue copy = member;
  if (copy.key != key) m_all.own[key] = copy.key;
  copy.key = key;
  add(std::move(copy));
}

/// beta and alpha are Hugging Face's beta_fast and beta_slow; without apply_scale cos and sin stay
/// as they are.
void Translation::add_yarn(const ConfigValue& yarn) {
  ConfigValue scaling = yarn;
  scaling.key = "rope_scaling";
  m_all.own["rope_scaling"] = "yarn";
  auto& members = std::get<ConfigValue::Object>(scaling.data).members;
  for (auto& member : members) {
    for (const auto& [own, key] : {std::pair("beta", "beta_fast"), std::pair("alpha", "beta_slow")}) {
      if (member.key != own) continue;
      m_all.own[key] = own;
      member.key = key;
    }
  }
  const auto* apply = yarn.find("apply_scale");
  const bool scales = !apply || !apply->boolean() || *apply->boolean();
  std::erase_if(members, [](const ConfigValue& member) { return member.key == "apply_scale"; });
  if (!scales) members.push_back(made("attention_factor", 1.0));
  members.push_back(made("rope_type", std::string("yarn")));
  add(std::move(scaling));
}

/// A list is repeated over the layers; null in it is a layer without a window.
void Translation::add_windows(const ConfigValue& list) {
  const auto* layers = m_root.find("n_layers");
  const auto count = layers ? layers->integer().value_or(0) : 0;
  const auto& items = *list.list();
  if (items.empty() || count < 1 || count > 4096) return;
  ConfigValue::List types;
  ConfigValue window = made("sliding_window", nullptr);
  for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
    const ConfigValue& item = items[i % items.size()];
    types.push_back(made("", std::string(item.is_null() ? "full_attention" : "sliding_attention")));
    if (!item.is_null() && window.is_null()) window.data = item.data;
  }
  window.place = list.place;
  window.key_place = list.key_place;
  if (list.key != "sliding_window") m_all.own["sliding_window"] = list.key;
  add(std::move(window));
  add(made("layer_types", std::move(types)));
}

void Translation::add_member(const ConfigValue& member) {
  if (member.key == "yarn" && member.object()) return add_yarn(member);
  if ((member.key == "sliding_window" || member.key == "_sliding_window") && member.list()) return add_windows(member);
  if (member.key == "model_type") return;
  if (member.key == "max_seq_len" && !given("max_position_embeddings"))
    return rename(member, "max_position_embeddings");
  for (const auto& [own, key] : renamed)
    if (member.key == own) return rename(member, key);
  add(member);
}

/// mistral-inference's defaults: theta 10,000 with a window and 1,000,000 without, no window.
void Translation::add_defaults() {
  const bool latent = given("qk_nope_head_dim");
  const bool window = given("sliding_window") || given("_sliding_window");
  const auto* type = m_root.find("model_type");
  const bool mamba = type && type->text() && *type->text() == "mamba";
  const char* model = mamba ? "mamba2" : latent ? "deepseek_v3" : given("moe") ? "mixtral" : "mistral";
  add(made("model_type", std::string(model)));
  if (!given("rope_theta")) add(made("rope_theta", window ? 10000.0 : 1e6));
  if (!window) add(made("sliding_window", nullptr));
  if (!given("max_seq_len") && !given("max_position_embeddings"))
    add(made("max_position_embeddings", Index{128000}));  // as vLLM assumes
}

void Translation::add_meta() {
  add(made("model_type", std::string("llama")));
  const auto* scaled = m_root.find("use_scaled_rope");
  if (!scaled || !scaled->boolean() || !*scaled->boolean()) return;
  ConfigValue::Object scaling;
  const auto* factor = m_root.find("rope_scaling_factor");
  const auto* high = m_root.find("rope_high_freq_factor");
  scaling.members.push_back(made("rope_type", std::string("llama3")));
  scaling.members.push_back(made("factor", factor && factor->number() ? *factor->number() : 8.0));
  scaling.members.push_back(made("low_freq_factor", 1.0));
  scaling.members.push_back(made("high_freq_factor", high && high->number() ? *high->number() : 4.0));
  scaling.members.push_back(made("original_max_position_embeddings", Index{8192}));
  ConfigValue object = made("rope_scaling", std::move(scaling));
  object.place = scaled->place;
  object.key_place = scaled->key_place;
  m_all.own["rope_scaling"] = "use_scaled_rope";
  add(std::move(object));
  if (!given("max_seq_len")) add(made("max_position_embeddings", Index{131072}));
}

TranslatedParams Translation::translate() {
  for (const auto& member : m_root.object()->members) add_member(member);
  if (is_meta_params(m_root))
    add_meta();
  else
    add_defaults();
  add(made("rope_interleave", true));
  m_all.config.place = m_root.place;
  m_all.config.data = ConfigValue::Object{std::move(m_members)};
  return std::move(m_all);
}

bool in_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

}  // namespace

bool is_meta_params(const ConfigValue& root) {
  return root.find("multiple_of") || root.find("ffn_dim_multiplier") || root.find("use_scaled_rope");
}

TranslatedParams translate_params(const ConfigValue& root) { return Translation(root).translate(); }

std::string in_own_keys(const std::string& sentence, const TranslatedParams& translated) {
  std::string text;
  for (std::size_t at = 0; at < sentence.size();) {
    std::size_t end = at;
    while (end < sentence.size() && in_name(sentence[end])) ++end;
    if (end == at) {
      text += sentence[at++];
      continue;
    }
    const std::string name = sentence.substr(at, end - at);
    const auto it = translated.own.find(name);
    text += it == translated.own.end() ? name : it->second;
    at = end;
  }
  return text;
}

}  // namespace vqscope
