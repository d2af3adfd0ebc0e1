// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/config/family/config_keys.h"
#include "core/config/family/model_family.h"
#include "core/config/report/config_ledger.h"
#include "core/config/report/config_report.h"

namespace vqscope {

// The keys that only one rope_type reads. Mistakes become findings and leave the values unchanged.

/// Whether an object with a scaling has this rope_type, as the file spells it.
bool names_type(const ConfigValue& rope, std::string_view name);

/// Whether readers have code of their own for yarn, because no factor multiplies the model's cos
/// and sin, or another one. `rope`: the object with the scaling, or null.
bool has_own_yarn(std::string_view model_type, const ConfigValue* rope);

void read_yarn(const ConfigObject& rope, RopeScaling& scaling);
void read_llama3(const ConfigObject& rope, RopeScaling& scaling);
void read_longrope(const ConfigObject& rope, RopeScaling& scaling);

/// mrope_section and xdrope_section: the sections must add up to all pairs; the frequencies are
/// those of default.
void check_sections(const ConfigObject& rope, Index pairs);

/// The rotated dimensions of a head.
struct ConfigHead {
  Index head_dim = 0;
  Index rotary_dim = 0;  ///< 0: all of them
  bool latent = false;   ///< multi-head latent attention: RoPE has a part of each head to itself

  Index rotated() const { return rotary_dim == 0 ? head_dim : rotary_dim; }
};

/// Reads the head as Hugging Face does: qk_rope_head_dim, else head_dim, else hidden_size /
/// num_attention_heads, and of it partial_rotary_factor (rotary_pct, rotary_dim), which may also be
/// in `rope`. What is not given is the family's default. Layers of one name may have a head size of
/// their own. Returns nothing and adds an error if the head cannot be determined.
std::optional<ConfigHead> read_head(const ConfigObject& config, const ConfigObject* rope, const ModelFamily& family,
                                    std::string_view layers = {}, Index layer = 0);

/// The dimensions of a head in the layers of one name, without findings; 0: not known.
Index head_dim_of(const ConfigObject& config, const ModelFamily& family, std::string_view layers);

/// Whether the model has multi-head latent attention with RoPE on a part of each head. Some
/// families write 0 or null if they do not.
bool has_latent_attention(const ConfigObject& config, const ModelFamily& family);

/// "4096 is the default of Phi3Config".
std::string default_text(const ModelFamily& family, const std::string& value);

/// The type named by rope_type, or by type in older files, also under other names in use: su is
/// longrope. Null and an error if the type is unknown.
const RopeTypeKeys* read_rope_type(const ConfigObject& rope, const ModelFamily& family);

// How a family's code changes the usual RoPE.

/// Which dimensions of a head form a pair, and which axis rotates which pairs. `rope`: null without
/// a scaling.
void read_layout(const ConfigObject& config, const ConfigObject* rope, const ModelFamily& family,
                 const ConfigHead& head, RopeUse& use);

/// Gemma 4: the exponent runs over the whole head, but only the first part of the pairs rotates.
/// This gives the same angles as a rotated part with theta^part, in pairs half a head apart.
void take_proportional(const ConfigObject& rope, RopeUse& use);

/// HunYuan: one larger theta for every length; factor is not used.
void read_alpha(const ConfigObject& rope, const ModelFamily& family, RopeUse& use);

/// Phi-3.5-MoE: cos and sin are multiplied by long_mscale beyond the training length, by
/// short_mscale up to it.
void read_mscales(const ConfigObject& rope, const ModelFamily& family, RopeUse& use);

/// Where a config defines the RoPE of some layers.
struct ConfigRopeSource {
  std::string layers;
  const ConfigObject* object = nullptr;  ///< the scaling; null: none
  std::string theta_key = "rope_theta";  ///< in the config itself
  const ModelFamily* family = nullptr;
  double theta = 10000;                 ///< if none is given
  Index layer = 0;                      ///< the first of these layers: keys may be lists with an item for each layer
  const ConfigObject* types = nullptr;  ///< the object with a scaling for each type of layers; null: there is none
};

/// Reads the RoPE of these layers, without pairs and implementations, and the keys of its object.
/// Returns nothing after an error, which is in the ledger.
std::optional<RopeUse> read_rope(const ConfigObject& config, const ConfigRopeSource& source,
                                 std::vector<ConfigKey>& keys);

/// The object that scales the RoPE of a config: rope_scaling, else rope_parameters, else the
/// default of the class.
class ScalingSource {
 public:
  /// Null without any. Other values under these keys are findings of the config's ledger.
  const ConfigObject* find(const ConfigObject& config, const ModelFamily& family);
  /// Whether it is the default: the config has none of its keys.
  bool is_default() const { return !m_default.is_null(); }

 private:
  const ConfigObject* find_default(const ConfigObject& config, const ModelFamily& family);

  std::optional<ConfigObject> m_object;
  ConfigValue m_default;
  ConfigLedger m_aside;  ///< for what would be said of the default
};

/// Views of the phases of a RoPE; with M-RoPE also those of text and an image on three axes.
std::vector<ConfigView> rope_views(const RopeUse& use);

/// Numbers with a smaller relative difference count as equal.
inline constexpr double same_ratio = 1e-9;

/// The longest sequence that the config is made for: max_position_embeddings, or the reach of yarn
/// and dynamic if longer.
Index served_length(const RopeUse& use);

/// Radians per position by pair, for a sequence of `seq_len` tokens.
std::vector<double> inv_freq_of(RopeScaling scaling, Index seq_len);

/// The fate of each pair within use.seq_len.
std::vector<ConfigPair> config_pairs(const RopeUse& use);

/// Fills in the pairs and the attention factor of a RoPE with known scaling, for the longest
/// sequence.
void report_pairs(RopeUse& use);

/// Fills in how each implementation computes a RoPE whose pairs are known. `rope`: the object with
/// the scaling, or null; `latent`: multi-head latent attention.
void report_implementations(RopeUse& use, const ConfigObject* rope, bool latent, std::string_view model_type);

/// The same YaRN as llama.cpp computes its frequencies: the code of most models reads neither beta,
/// the ramp ends at whole pairs, and one that would run backwards (beta_fast < beta_slow) is a step
/// at beta_fast, because its width is taken as at least 0.001.
RopeScaling yarn_of_llama_cpp(RopeScaling scaling, std::string_view model_type);

}  // namespace vqscope
