// SPDX-License-Identifier: GPL-3.0-or-later
// What a model's config.json means for its position encoding.
#pragma once

#include "core/encoding/rope/rope_scaling.h"
#include "core/io/json/config_value.h"
#include "core/method/parameter.h"

#include <optional>
#include <string>
#include <vector>

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
  double trained_turns = 0;   ///< whole and part turns within the training length, without scaling
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
  std::string layers;  ///< "full_attention", "sliding_attention"; empty: all that have RoPE
  std::string path;    ///< of the object with the scaling; empty: there is none
  TextPlace place;
  std::string rope_type;              ///< as the config has it
  double rope_theta = 0;              ///< as the config or the family has it
  double alpha = 0;                   ///< rope_theta is multiplied by alpha^(d / (d - 2)); 0: it is not
  RopeScaling scaling;                ///< a type that this program computes, with the same angles
  bool interleaved = false;           ///< pairs (2i, 2i + 1); else (i, i + half the rotated dimensions)
  Index apart = 0;                    ///< dimensions between the two of a half-split pair
  std::vector<double> mrope_section;  ///< pairs by axis: time, height, width; empty: one axis
  bool mrope_interleaved = false;     ///< the axes take turns, rather than a run of pairs each
  Index max_position_embeddings = 0;  ///< what the model serves; the training length where it is not given
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

/// sinusoidal: a table that is computed. relative: learned or sinusoidal by distance, apart from T5's buckets.
/// convolutional: a convolution over the frames. none: no encoding, or a state instead of attention.
enum class PositionScheme { rope, t5_buckets, alibi, learned, sinusoidal, relative, convolutional, none, unknown };

/// Layers that are alike.
struct LayerKind {
  std::string name;  ///< as in layer_types
  Index count = 0;
  Index window = 0;        ///< keys that a query sees; 0: all
  bool two_sided = false;  ///< half of the window on either side
  bool rope = false;
};

/// Absolute positions as rows.
struct PositionTable {
  std::string key;  ///< which says how many
  TextPlace place;
  Index length = 0;  ///< positions
  bool learned = true;
};

struct ConfigReport {
  PositionScheme kind = PositionScheme::unknown;
  std::string model_type;         ///< empty: not given
  std::string about;              ///< what is to be known of the family besides; may be empty
  std::string summary;            ///< one line
  std::vector<LayerKind> layers;  ///< empty: not known
  std::vector<PositionTable> tables;
  Index heads = 0;  ///< alibi; 0: not known
  std::vector<RopeUse> ropes;
  std::vector<ConfigView> views;
  std::vector<ConfigFinding> findings;  ///< by their places in the text
  std::vector<ConfigKey> keys;          ///< in the order of the text; of nested objects those that concern positions

  Index count(ConfigSeverity severity) const;
};

/// "2 errors, 1 warning, 3 notes".
std::string findings_text(const ConfigReport& report);

}  // namespace vqscope
