// SPDX-License-Identifier: GPL-3.0-or-later
// What the tensors of a checkpoint are, by their names.
#pragma once

#include "core/config/checkpoint/checkpoint.h"

#include <array>
#include <map>
#include <set>
#include <string_view>

namespace vqscope {

/// The tensors of an attention whose shapes tell its heads. qkv: queries, keys and values in one.
/// q_a to kv_b: those of multi-head latent attention.
enum class AttentionRole { q, k, v, o, qkv, q_norm, k_norm, q_a, q_b, kv_a, kv_b };
inline constexpr std::size_t attention_roles = 11;

/// The tensors of one layer by role; null: the layer has none.
struct AttentionTensors {
  std::array<const CheckpointTensor*, attention_roles> all{};

  const CheckpointTensor* operator[](AttentionRole role) const { return all[static_cast<std::size_t>(role)]; }
  const CheckpointTensor*& operator[](AttentionRole role) { return all[static_cast<std::size_t>(role)]; }
};

/// The parts of the text model in a checkpoint. Other models of the same file, such as one of
/// images, and layers that predict further tokens are left out.
struct CheckpointModel {
  std::string prefix;  ///< of the layers, "model.layers."; empty: none are known
  std::set<Index> layers;
  std::map<Index, AttentionTensors> attention;  ///< of layers that have one
  const CheckpointTensor* embedding = nullptr;  ///< of the tokens
  const CheckpointTensor* output = nullptr;     ///< lm_head; null: none
};

CheckpointModel find_model_tensors(const Checkpoint& checkpoint);

}  // namespace vqscope
