// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/capture/store/layer_tensor.h"

#include <utility>

namespace vqscope {
namespace {

/// Products of three sizes fit 64 bits.
constexpr Index most_told_size = Index{1} << 20;

/// Of a tensor without numbers nothing is known.
void set_known(std::optional<Index>& size, Index extent) {
  if (extent > 0) size = extent;
}

std::optional<Index> config_number(const ConfigValue& config, std::initializer_list<const char*> names) {
  for (const char* name : names) {
    const ConfigValue* value = config.find(name);
    const Index number = value ? value->integer().value_or(0) : 0;
    if (number > 0 && number <= most_told_size) return number;
  }
  const ConfigValue* text = config.find("text_config");
  return text && text->object() ? config_number(*text, names) : std::nullopt;
}

void take_config(const ConfigValue& config, CaptureSizes& sizes) {
  sizes.heads = config_number(config, {"num_attention_heads", "n_head", "n_heads"});
  sizes.key_heads = config_number(config, {"num_key_value_heads", "n_kv_heads"});
  if (!sizes.key_heads) sizes.key_heads = sizes.heads;
  sizes.head_dim = config_number(config, {"head_dim"});
  const auto width = config_number(config, {"hidden_size", "n_embd", "dim"});
  if (!sizes.head_dim && width && sizes.heads && *width % *sizes.heads == 0) sizes.head_dim = *width / *sizes.heads;
}

void take_inputs(const Capture& capture, CaptureSizes& sizes) {
  if (capture.inputs.batch > 0) {
    set_known(sizes.batch, capture.inputs.batch);
    set_known(sizes.keys, capture.inputs.tokens);
    set_known(sizes.queries, capture.inputs.tokens);
  }
  if (!capture.inputs.cache_position.empty()) sizes.queries = std::ssize(capture.inputs.cache_position);
}

/// q and k of new tokens have all axes in common but that of heads, where several queries share a key.
void take_groups(const Capture& capture, Index layer, CaptureSizes& sizes) {
  const CapturedTensor *q = capture.find(layer, TensorRole::q), *k = capture.find(layer, TensorRole::k);
  if (!q || !k || q->shape.size() != 4 || k->shape.size() != 4) return;
  for (const auto& [heads, rows] : {std::pair{1U, 2U}, std::pair{2U, 1U}})
    if (q->shape[rows] == k->shape[rows] && q->shape[heads] > k->shape[heads]) {
      if (!sizes.queries) set_known(sizes.queries, q->shape[rows]);
      if (!sizes.heads) set_known(sizes.heads, q->shape[heads]);
      if (!sizes.key_heads) set_known(sizes.key_heads, k->shape[heads]);
    }
}

/// The columns of a tensor that has all heads side by side, [B, T, H*d] or [B*T, H*d]; 0: it may be another.
Index flat_columns(const CapturedTensor* tensor, const CaptureSizes& sizes) {
  if (!tensor) return 0;
  const auto& n = tensor->shape;
  if (n.size() == 2) return n[1];
  if (n.size() != 3) return 0;
  const bool is_batch = sizes.batch && n[0] == *sizes.batch && (!sizes.heads || *sizes.heads != *sizes.batch);
  return is_batch && sizes.queries && n[1] == *sizes.queries ? n[2] : 0;
}

/// One tensor with all its axes tells how long a head is, the number of heads likewise.
void take_columns(const Capture& capture, Index layer, CaptureSizes& sizes) {
  constexpr std::array queries{TensorRole::q, TensorRole::q_proj, TensorRole::q_rot};
  constexpr std::array keys{TensorRole::k, TensorRole::k_proj, TensorRole::k_rot};
  for (const auto& roles : {queries, keys})
    for (const TensorRole role : roles)
      if (const CapturedTensor* each = capture.find(layer, role); each && each->shape.size() == 4 && !sizes.head_dim)
        set_known(sizes.head_dim, each->shape[3]);
  for (const TensorRole role : queries) {
    const Index columns = flat_columns(capture.find(layer, role), sizes);
    if (columns < 1) continue;
    if (!sizes.head_dim && sizes.heads && columns % *sizes.heads == 0)
      set_known(sizes.head_dim, columns / *sizes.heads);
    if (!sizes.heads && sizes.head_dim && columns % *sizes.head_dim == 0)
      set_known(sizes.heads, columns / *sizes.head_dim);
  }
  for (const TensorRole role : keys) {
    const Index columns = flat_columns(capture.find(layer, role), sizes);
    if (columns > 0 && !sizes.key_heads && sizes.head_dim && columns % *sizes.head_dim == 0)
      set_known(sizes.key_heads, columns / *sizes.head_dim);
  }
}

}  // namespace

CaptureSizes CaptureSizes::filled(const CaptureSizes& other) const {
  CaptureSizes all = *this;
  for (const auto member : {&CaptureSizes::batch, &CaptureSizes::heads, &CaptureSizes::key_heads,
                            &CaptureSizes::head_dim, &CaptureSizes::queries, &CaptureSizes::keys})
    if (!(all.*member)) all.*member = other.*member;
  return all;
}

CaptureSizes sizes_of(const Capture& capture, Index layer) {
  CaptureSizes sizes;
  if (capture.info.config) take_config(*capture.info.config, sizes);
  take_inputs(capture, sizes);
  for (const TensorRole role : {TensorRole::weights, TensorRole::scores, TensorRole::raw}) {
    const CapturedTensor* cells = capture.find(layer, role);
    if (!cells || cells->shape.size() != 4) continue;
    set_known(sizes.batch, cells->shape[0]);
    set_known(sizes.heads, cells->shape[1]);
    set_known(sizes.queries, cells->shape[2]);
    if (role != TensorRole::weights || !sizes.keys) set_known(sizes.keys, cells->shape[3]);
  }
  if (const CapturedTensor* mask = capture.find(layer, TensorRole::mask); mask && mask->shape.size() == 4) {
    set_known(sizes.queries, mask->shape[2]);
    set_known(sizes.keys, mask->shape[3]);
  }
  for (const TensorRole role : {TensorRole::hidden_in, TensorRole::hidden_out}) {
    const CapturedTensor* rows = capture.find(layer, role);
    if (!rows || rows->shape.size() != 3) continue;
    set_known(sizes.batch, rows->shape[0]);
    set_known(sizes.queries, rows->shape[1]);
  }
  take_groups(capture, layer, sizes);
  take_columns(capture, layer, sizes);
  return sizes;
}

}  // namespace vqscope
