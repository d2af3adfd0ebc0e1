// SPDX-License-Identifier: GPL-3.0-or-later
// The reading of a config by one library.
#pragma once

#include "core/config/report/config_report.h"

namespace vqscope {

/// A RoPE as a library computes it, for a sequence of the served length.
struct RopeReading {
  std::string layers;  ///< as in RopeUse
  double theta = 0;
  std::string type;
  double factor = 1;
  Index trained = 0;
  double attention_factor = 1;
  double softmax_factor = 1;
  std::vector<double> inv_freq;
  bool interleaved = false;
};

struct ConfigReading {
  std::string reader;
  std::string refused;       ///< why the reader stops with this config; empty: it reads it
  std::string missing = {};  ///< what it does because it does not have this model; empty: it has it
  bool known = true;         ///< whether this program knows the model, so that the reading is more than a guess
  Index longest = 0;         ///< the sequence length that it takes the model to be for; 0: not known
  std::vector<LayerKind> layers;
  std::vector<RopeReading> ropes;

  /// The RoPE of these layers, or the one of all layers; null if there is none.
  const RopeReading* rope_of(std::string_view layers) const;
};

/// A config and what it means.
struct ReadConfig {
  const ConfigValue& root;
  const ConfigReport& report;
  const ConfigReading* hugging_face_5 = nullptr;  ///< from which others differ; null: not read yet
};

/// The object with the text model's keys.
const ConfigValue& text_model_of(const ConfigValue& root);

/// The object with the scaling of these layers; null if there is none.
const ConfigValue* scaling_of(const ConfigValue& root, std::string_view layers);

/// A positive number of that object.
std::optional<double> scaling_number(const ConfigValue& root, std::string_view layers, std::string_view key);

/// Gives the reading the frequencies of a scaling.
void take_frequencies(const RopeScaling& scaling, RopeReading& rope);

/// The report's values as a reading.
ConfigReading reading_of(std::string reader, const ConfigReport& report);

/// The reading of a config changed by `edit`; long lists that do not concern positions are left
/// out.
ConfigReading edited_reading(std::string reader, const ConfigValue& root, void (*edit)(ConfigValue& model));

/// A config of which the class named by `architectures` belongs to another model than model_type:
/// with the model_type of that class, as libraries read it that go by architectures. Nothing where
/// the two agree or one is not known.
std::optional<ConfigValue> read_by_class(const ConfigValue& root, const ConfigReport& report);

/// The member of that name, to be changed; null if there is none.
ConfigValue* member_of(ConfigValue& object, std::string_view key);
void remove_member(ConfigValue& object, std::string_view key);

}  // namespace vqscope
