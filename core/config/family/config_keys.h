// SPDX-License-Identifier: GPL-3.0-or-later
// The keys that the config doctor knows, and what became of those of a config.
#pragma once

#include "core/config/family/model_family.h"
#include "core/config/report/config_ledger.h"

#include <span>

namespace vqscope {

/// The keys that Hugging Face reads of one rope_type, apart from rope_type, type, rope_theta and partial_rotary_factor.
struct RopeTypeKeys {
  std::string id;  ///< of rope_types()
  std::vector<std::string> required;
  std::vector<std::string> optional;
  bool hugging_face = true;  ///< false: Hugging Face has no such type

  bool knows(std::string_view key) const;
};
std::span<const RopeTypeKeys> rope_type_keys();
const RopeTypeKeys* find_rope_type_keys(std::string_view id);

/// Objects in which configs of multimodal models have the text model.
std::span<const std::string> text_model_keys();

/// Whether a key of a config concerns positions.
bool concerns_positions(std::string_view key);

/// What became of each key of a config, with findings for those that are misspelt or unknown. `rope`: the model has
/// RoPE; elsewhere keys of RoPE are not read, which is said.
std::vector<ConfigKey> config_keys(const ConfigObject& config, bool rope);

/// The same of an object with a scaling, read as `type`; some families read keys of their own.
std::vector<ConfigKey> rope_keys(const ConfigObject& rope, const RopeTypeKeys& type, const ModelFamily& family);

}  // namespace vqscope
