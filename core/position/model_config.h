// SPDX-License-Identifier: GPL-3.0-or-later
// What a model's config.json means for its position encoding.
#pragma once

#include "core/base/parameter.h"
#include "core/base/result.h"
#include "core/io/config_value.h"
#include "core/position/rope_scaling.h"

namespace vqscope {

/// error: the encoding cannot be told, or the file cannot mean what it says. warning: it works, and likely not as
/// wanted. note: worth knowing.
enum class ConfigSeverity { error, warning, note };

struct ConfigFinding {
  ConfigSeverity severity = ConfigSeverity::note;
  std::string path;      ///< "rope_scaling.factor"; empty: the config as a whole
  TextPlace place;       ///< of the key, or of the object in which one is missing
  std::string sentence;  ///< what was found, where, what is allowed; without a full stop
};

/// What became of a key. unrelated: it does not concern positions.
enum class KeyUse { read, ignored, misspelt, unknown, unrelated };

struct ConfigKey {
  std::string path;
  TextPlace place;
  std::string value;  ///< as ConfigValue::shown()
  KeyUse use = KeyUse::unrelated;
  std::string note;  ///< why it is ignored, or what was meant
};

/// kept: as without scaling. scaled: divided by the whole factor. blended: anything between.
enum class PairFate { kept, blended, scaled };

struct ConfigPair {
  double plain_inv_freq = 0;  ///< radians a position without scaling
  double inv_freq = 0;        ///< as the model has it
  double wavelength = 0;      ///< tokens of a whole turn, 2π / inv_freq
  double trained_turns = 0;   ///< whole and part turns within the trained length, without scaling
  double served_turns = 0;    ///< within RopeUse::seq_len, as the model has it
  PairFate fate = PairFate::kept;
};

/// One reader of the same config. The first of RopeUse::implementations is Hugging Face.
struct RopeImplementation {
  std::string name;
  std::string rule;                     ///< what it does with this config, in a few words
  Index seq_len = 0;                    ///< tokens of the sequence it was computed for
  std::vector<double> inv_freq;         ///< by pair
  double attention_factor = 1;          ///< cos and sin are multiplied by it
  double softmax_factor = 1;            ///< the scale of the logits is multiplied by it
  std::optional<Index> differing_pair;  ///< the pair that differs most from Hugging Face's at the same seq_len
  double ratio = 1;                     ///< inv_freq of that pair over Hugging Face's

  /// What attention logits are multiplied by.
  double logit_factor() const { return attention_factor * attention_factor * softmax_factor; }
};

/// The RoPE of all layers, or of one type of layers.
struct RopeUse {
  std::string layers;  ///< "full_attention", "sliding_attention"; empty: all
  std::string path;    ///< of the object with the scaling; empty: there is none
  TextPlace place;
  RopeScaling scaling;
  Index max_position_embeddings = 0;  ///< what the model serves; the trained length where it is not given
  Index seq_len = 0;                  ///< for which pairs and factors are told: the longest sequence served
  std::vector<ConfigPair> pairs;
  double attention_factor = 1;
  double softmax_factor = 1;  ///< multi-head latent attention with mscale_all_dim: m(factor, mscale_all_dim)²
  std::vector<RopeImplementation> implementations;

  double logit_factor() const { return attention_factor * attention_factor * softmax_factor; }
  Index count(PairFate fate) const;
};

/// Something to open with one click: a method of the registry and values for it (not complete: carried_values fills
/// up).
struct ConfigView {
  std::string title;
  std::string method;  ///< id
  ParameterValues values;
};

enum class PositionKind { rope, t5_buckets, alibi, learned, unknown };

struct ConfigReport {
  PositionKind kind = PositionKind::unknown;
  std::string model_type;  ///< empty: not given
  std::string summary;     ///< one line
  std::vector<RopeUse> ropes;
  std::vector<ConfigView> views;
  std::vector<ConfigFinding> findings;  ///< by their places in the text
  std::vector<ConfigKey> keys;          ///< in the order of the text; of nested objects those that concern positions

  Index count(ConfigSeverity severity) const;
};

/// Reads a config.json. What is no JSON object, or has nothing of a model's config, is an error of one sentence; every
/// other mistake is a finding.
Result<ConfigReport> read_model_config(std::string_view json);

/// The same of a value that was read already.
Result<ConfigReport> examine_model_config(const ConfigValue& root);

/// "2 errors, 1 warning, 3 notes".
std::string findings_text(const ConfigReport& report);

}  // namespace vqscope
