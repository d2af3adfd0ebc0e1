// SPDX-License-Identifier: GPL-3.0-or-later
// Sources: configuration_*.py and modeling_rope_utils.py of Hugging Face transformers 4.57, and of 5, whose
// RotaryEmbeddingConfigMixin moves the keys of 4 to their new places.
#include "core/config/readers/config_readers.h"

#include <algorithm>

namespace vqscope {
namespace {

bool is_longrope(const ConfigValue& scaling) {
  for (const auto* key : {"rope_type", "type"})
    if (const auto* given = scaling.find(key); given && given->text())
      return *given->text() == "longrope" || *given->text() == "su";
  return false;
}

/// Classes whose default of rope_theta is another in version 5, which has 10,000 if a class sets
/// none.
struct ChangedTheta {
  std::string_view model_type;
  double before;
  double now;
};
constexpr ChangedTheta changed_thetas[]{{"cohere", 1e4, 5e5},           {"olmo3", 1e4, 5e5},
                                        {"falcon_h1", 1e5, 1e4},        {"kyutai_speech_to_text", 1e5, 1e4},
                                        {"persimmon", 2.5e4, 1e4},      {"qwen3_vl_text", 5e6, 5e5},
                                        {"qwen3_vl_moe_text", 5e6, 5e5}};

/// Adds the default of the class to a config that does not set it.
void state_theta(ConfigValue& model, double ChangedTheta::*version) {
  for (const auto* key : {"rope_scaling", "rope_parameters"})
    if (const auto* scaling = model.find(key); scaling && scaling->find("rope_theta")) return;
  const auto* type = model.find("model_type");
  auto* members = std::get_if<ConfigValue::Object>(&model.data);
  if (!members || !type || !type->text() || model.find("rope_theta")) return;
  const auto changed = std::ranges::find(changed_thetas, std::string_view(*type->text()), &ChangedTheta::model_type);
  if (changed == std::end(changed_thetas)) return;
  ConfigValue theta{.data = (*changed).*version};
  theta.key = "rope_theta";
  members->members.push_back(std::move(theta));
}

/// Version 4 knows rope_scaling alone, with theta and the rotated part beside it; for longrope the
/// training length too.
void as_version_4(ConfigValue& model) {
  remove_member(model, "rope_parameters");
  state_theta(model, &ChangedTheta::before);
  ConfigValue* scaling = member_of(model, "rope_scaling");
  if (!scaling) return;
  remove_member(*scaling, "rope_theta");
  remove_member(*scaling, "partial_rotary_factor");
  if (is_longrope(*scaling)) remove_member(*scaling, "original_max_position_embeddings");
}

/// Version 5 puts original_max_position_embeddings from outside over the one inside.
void as_version_5(ConfigValue& model) {
  state_theta(model, &ChangedTheta::now);
  const auto* type = model.find("model_type");
  const bool both = type && type->text() && type->text()->starts_with("minimax") && model.find("partial_rotary_factor");
  if (both) remove_member(model, "rotary_dim");  // the share of the head comes first
  const auto* outside = model.find("original_max_position_embeddings");
  if (!outside || outside->is_null()) return;
  const auto kept = outside->data;
  for (const auto* key : {"rope_scaling", "rope_parameters"}) {
    ConfigValue* scaling = member_of(model, key);
    ConfigValue* inside = scaling ? member_of(*scaling, "original_max_position_embeddings") : nullptr;
    if (inside) inside->data = kept;
  }
}

/// The class of MiniMax-M2 took no rotary_dim, so that all of a head rotated.
void as_older_version_5(ConfigValue& model) {
  as_version_5(model);
  remove_member(model, "rotary_dim");
}

}  // namespace

ConfigReading read_as_hugging_face_4(const ReadConfig& config) {
  return edited_reading("Hugging Face 4", config.root, as_version_4);
}

ConfigReading read_as_hugging_face_5(const ReadConfig& config) {
  if (config.hugging_face_5) return *config.hugging_face_5;
  return edited_reading("Hugging Face 5", config.root, as_version_5);
}

ConfigReading read_as_older_hugging_face_5(const ReadConfig& config) {
  return edited_reading("older Hugging Face 5", config.root, as_older_version_5);
}

}  // namespace vqscope
