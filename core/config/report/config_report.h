// SPDX-License-Identifier: GPL-3.0-or-later
// The position encoding that a model's config.json describes.
#pragma once

#include "core/config/report/reader_matrix.h"
#include "core/encoding/rope/rope_fields.h"
#include "core/encoding/rope/rope_scaling.h"
#include "core/io/json/config_value.h"
#include "core/method/parameter.h"
#include "core/schedule/layer_schedule.h"

#include <optional>
#include <string>
#include <vector>

namespace vqscope {

/// error: the encoding cannot be determined, or the file contradicts itself. warning: it works, but
/// probably not as intended. note: worth knowing.
enum class ConfigSeverity { error, warning, note };

struct ConfigFinding {
  ConfigSeverity severity = ConfigSeverity::note;
  std::string path;      ///< "rope_scaling.factor"; empty: the config as a whole
  TextPlace place;       ///< of the key, or of the object that lacks it
  std::string sentence;  ///< what was found, where, what is valid; without a full stop
};

/// How a key is used. unrelated: it does not concern positions.
enum class KeyUse { read, ignored, misspelt, unknown, unrelated };

struct ConfigKey {
  std::string path;
  TextPlace place;
  std::string value;  ///< as ConfigValue::shown()
  KeyUse use = KeyUse::unrelated;
  std::string note;  ///< why it is ignored, or what was meant
};

/// kept: as without scaling. scaled: divided by the full factor. blended: anything in between.
enum class PairFate { kept, blended, scaled };

struct ConfigPair {
  double plain_inv_freq = 0;  ///< radians per position without scaling
  double inv_freq = 0;        ///< as in the model
  double wavelength = 0;      ///< tokens per full turn, 2π / inv_freq
  double trained_turns = 0;   ///< turns, with fractions, within the training length, unscaled
  double served_turns = 0;    ///< within RopeUse::seq_len, as in the model
  PairFate fate = PairFate::kept;
};

/// How one reader interprets the config. The first of RopeUse::implementations is Hugging Face.
struct RopeImplementation {
  std::string name;
  std::string rule;                     ///< what it does with this config, in a few words
  Index seq_len = 0;                    ///< length of the sequence it was computed for
  std::vector<double> inv_freq;         ///< by pair
  double attention_factor = 1;          ///< cos and sin are multiplied by it
  double softmax_factor = 1;            ///< the scale of the logits is multiplied by it
  std::optional<Index> differing_pair;  ///< differs most from Hugging Face at the same seq_len
  double ratio = 1;                     ///< inv_freq of that pair over Hugging Face's

  /// The factor by which attention logits are multiplied.
  double logit_factor() const { return attention_factor * attention_factor * softmax_factor; }
};

/// The RoPE of all layers, or of one type of layers.
struct RopeUse {
  std::string layers;  ///< "full_attention", "sliding_attention"; empty: all that have RoPE
  std::string path;    ///< of the object with the scaling; empty: none
  TextPlace place;
  std::string rope_type;                    ///< as in the config
  double rope_theta = 0;                    ///< from the config or the family
  double alpha = 0;                         ///< multiplies rope_theta by alpha^(d / (d - 2)); 0: none
  RopeScaling scaling;                      ///< the same angles as a type that this program computes
  bool interleaved = false;                 ///< pairs (2i, 2i + 1); else (i, i + apart)
  Index apart = 0;                          ///< distance of the two dimensions of a half-split pair
  std::vector<double> mrope_section;        ///< pairs by axis, in the order of axis_names; empty: one axis
  std::vector<double> xdrope_section = {};  ///< the same of HunYuan-VL, which has four axes
  bool mrope_interleaved = false;           ///< the axes alternate; else each has a run of pairs
  bool height_first = false;                ///< ERNIE: sections of height and width, which alternate, then time
  Index max_position_embeddings = 0;        ///< longest sequence served; training length if not given
  Index seq_len = 0;                        ///< longest sequence served; pairs and factors are for it
  std::vector<ConfigPair> pairs;
  double attention_factor = 1;
  double softmax_factor = 1;  ///< multi-head latent attention with mscale_all_dim: m(factor, mscale_all_dim)²
  std::vector<RopeImplementation> implementations;
  /// Interleaved, because the file's weights are reordered: Hugging Face's of the same model are
  /// half-split.
  bool permuted = false;

  double logit_factor() const { return attention_factor * attention_factor * softmax_factor; }
  PairLayout pair_layout() const;
  const std::vector<double>& sections() const { return mrope_section.empty() ? xdrope_section : mrope_section; }
  /// Meaning of the sections: time, height and width for three; for four, as in HunYuan-VL, the
  /// token's place first.
  std::vector<std::string> axis_names() const;
  Index count(PairFate fate) const;
};

/// A view to open with one click: a method of the registry and values for it (incomplete:
/// carried_values fills in the rest).
struct ConfigView {
  std::string title;
  std::string method;  ///< id
  ParameterValues values;
};

/// sinusoidal: a computed table. relative: learned or sinusoidal by distance, except T5's buckets.
/// convolutional: a convolution over the frames. none: no encoding, or a state instead of
/// attention.
enum class PositionScheme { rope, t5_buckets, alibi, learned, sinusoidal, relative, convolutional, none, unknown };

/// Layers of the same kind.
struct LayerKind {
  std::string name;  ///< as in layer_types
  Index count = 0;
  Index window = 0;        ///< keys that a query sees; 0: all
  bool two_sided = false;  ///< keys after the token too, half of a window on either side
  bool rope = false;
  LayerAttention attention = LayerAttention::full;
  Index topk = 0;            ///< keys or entries that an indexer selects; 0: none
  Index compress_ratio = 0;  ///< tokens of a compressed entry; 0: not compressed
  Index local_window = 0;    ///< keys that are read beside a selection or compressed entries
  friend bool operator==(const LayerKind&, const LayerKind&) = default;
};

/// A table of absolute positions.
struct PositionTable {
  std::string key;  ///< key of the number of positions
  TextPlace place;
  Index length = 0;  ///< positions
  bool learned = true;
};

/// Longer prompts in chunks whose positions start again (Qwen2.5-1M, in vLLM).
struct DualChunk {
  Index chunk_size = 0;
  Index local_size = 0;
  Index original_max_position_embeddings = 0;  ///< 0: not given
};

struct ConfigReport {
  PositionScheme kind = PositionScheme::unknown;
  std::string model_type;         ///< empty: not given
  std::string about;              ///< further remark on the family; may be empty
  std::string summary;            ///< one line
  std::vector<LayerKind> layers;  ///< empty: not known
  LayerSchedule schedule;         ///< the same layers, one by one
  std::vector<PositionTable> tables;
  Index heads = 0;                    ///< of queries; 0: not known
  Index max_position_embeddings = 0;  ///< of models without RoPE and tables; 0: not known
  std::optional<DualChunk> dual_chunk = {};
  Index logn_length = 0;         ///< queries beyond it are multiplied by log(position) / log(logn_length); 0: none
  Index dynamic_ntk_length = 0;  ///< the base grows with sequences beyond it, in steps (Qwen 1); 0: none
  std::vector<RopeUse> ropes;
  ReaderMatrix readers;  ///< what each library would use
  std::vector<ConfigView> views;
  std::vector<ConfigFinding> findings;  ///< sorted by place in the text
  std::vector<ConfigKey> keys;          ///< in the order of the text, nested ones if on positions

  Index count(ConfigSeverity severity) const;
};

/// The longest sequence that the config is made for; 0: not known.
Index longest_sequence(const ConfigReport& report);

/// "2 errors, 1 warning, 3 notes".
std::string findings_text(const ConfigReport& report);

}  // namespace vqscope
