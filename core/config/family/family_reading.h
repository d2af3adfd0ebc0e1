// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/config/family/model_family.h"
#include "core/config/family/model_family_row.h"
#include "core/config/report/config_ledger.h"
#include "core/io/json/config_value.h"

#include <string_view>

namespace vqscope {

/// The first of a config's architectures; empty: none.
std::string_view class_of_config(const ConfigValue& root);

/// The family of the class that a config names, if that is another than the one of `model_type`,
/// which the text model has. Null where they agree, or where one of the two is not known or comes
/// with code of its own.
const ModelFamily* contradicting_family(const ConfigValue& root, std::string_view model_type);

/// The rope_parameters that the class of a model_type has by default, as JSON; empty: none.
std::string_view class_scaling(std::string_view model_type);

// Lengths and thetas of a config, under any of their names.

/// The key of the sequence length: the family's own if given, otherwise the first usual name that
/// is given, otherwise the family's own if it has one.
std::string length_key(const ConfigObject& config, const ModelFamily& family);

struct ConfigTheta {
  std::string key;  ///< the key in the config; if none is given, the one that would be read
  std::optional<double> value;
  double ratio = 1;  ///< ChatGLM: theta is multiplied by it
};

/// The theta outside the scaling: under `key`, under another name for it, or inside an attention
/// object; of a list with an item for each layer, that of `layer`.
ConfigTheta read_config_theta(const ConfigObject& config, const std::string& key, Index layer = 0);

struct ModelFamily;

/// Whether a token attends to those after it too: in encoders, and in decoders whose config sets
/// it. The layers of a model with an encoder and a decoder are the encoder's.
bool sees_both_ways(const ConfigObject& config, const ModelFamily& family);

}  // namespace vqscope
