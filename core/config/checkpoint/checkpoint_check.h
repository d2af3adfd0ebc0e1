// SPDX-License-Identifier: GPL-3.0-or-later
// A config held against the shapes of the weights beside it.
#pragma once

#include "core/config/checkpoint/checkpoint_names.h"
#include "core/config/family/model_family.h"
#include "core/config/report/config_ledger.h"
#include "core/config/report/config_report.h"

#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace vqscope {

/// What a key of the config and a tensor of the checkpoint say of the same fact.
struct Contradiction {
  std::string key;
  std::string said;  ///< by the config: "8"
  std::string has;   ///< the checkpoint: "has 4 heads of 128"
  const CheckpointTensor* tensor = nullptr;

  friend bool operator<(const Contradiction& a, const Contradiction& b) {
    return std::tie(a.key, a.said, a.has) < std::tie(b.key, b.said, b.has);
  }
};

/// Compares the heads of one layer: queries, keys and values alone or in one tensor, or multi-head
/// latent attention. `hidden`: width of the model. Tensors with another width are packed by a
/// quantiser and tell nothing.
std::vector<Contradiction> compare_heads(const ConfigObject& config, const ModelFamily& family, const ModelLayer& layer,
                                         const AttentionTensors& tensors, Index hidden);

/// "self_attn.k_proj.weight [512, 4096]".
std::string tensor_text(const CheckpointTensor& tensor);

/// Those of all layers with equal ones as one, which counts the others: "has 4 heads of 128, as in 31
/// other layers". At most the first 20.
std::vector<Contradiction> grouped_contradictions(const std::vector<Contradiction>& all);

/// How many layers a model should have.
struct LayerCount {
  Index said = 0;
  Index further = 0;  ///< that may come after those
  Index needed = 0;   ///< the first ones, none of which may be missing
};

/// "has 40 layers, model.layers.0 to model.layers.39", or which ones it lacks; empty: the numbers of
/// the layers fit.
std::string layer_contradiction(const CheckpointModel& model, const LayerCount& count);

/// The first norm of queries or keys; null: no layer has one.
const CheckpointTensor* first_norm(const CheckpointModel& model);

/// Whether the code for a model_type, or for an architecture of llama.cpp, normalises queries and keys
/// of every layer; nothing: it depends on further keys, or is not known.
std::optional<bool> normalises_queries(std::string_view model_type);

/// Adds what contradicts the config, and which files are missing, as findings. `report` has the
/// layers of the config.
void check_checkpoint(const ConfigObject& config, const ModelFamily& family, const ConfigReport& report,
                      const Checkpoint& checkpoint);

}  // namespace vqscope
