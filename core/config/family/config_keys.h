// SPDX-License-Identifier: GPL-3.0-or-later
// The keys that the config doctor knows, and how those of a config are used.
#pragma once

#include "core/config/family/model_family.h"
#include "core/config/report/config_ledger.h"

#include <span>

namespace vqscope {

/// The keys that Hugging Face reads for one rope_type, besides rope_type, type, rope_theta and
/// partial_rotary_factor.
struct RopeTypeKeys {
  std::string id;  ///< of rope_types()
  std::vector<std::string> required;
  std::vector<std::string> optional;
  bool hugging_face = true;  ///< false: Hugging Face has no such type

  bool knows(std::string_view key) const;
};
std::span<const RopeTypeKeys> rope_type_keys();
const RopeTypeKeys* find_rope_type_keys(std::string_view id);

/// Keys of the objects that contain the text model in configs of multimodal models.
std::span<const std::string> text_model_keys();

/// Whether a key of a config concerns positions.
bool concerns_positions(std::string_view key);

/// How each key of a config is used, with findings for misspelt and unknown keys. `rope`: whether
/// the model has RoPE; if not, keys of RoPE are reported as ignored.
std::vector<ConfigKey> config_keys(const ConfigObject& config, bool rope);

/// The same for an object with a scaling, read as `type`; some families read keys of their own.
std::vector<ConfigKey> rope_keys(const ConfigObject& rope, const RopeTypeKeys& type, const ModelFamily& family);

}  // namespace vqscope
