// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/gguf/gguf_model.h"

#include "core/base/sentence.h"
#include "core/config/config_parts.h"
#include "core/config/config_text.h"

#include <algorithm>

namespace vqscope {
namespace {

LayerAttention attention_of(const GgufModel& model, std::size_t layer) {
  if (gguf_layer_attends(model, layer)) {
    if (model.ratio(layer) > 0) return LayerAttention::compressed;
    if (!model.windowed[layer]) return model.selects(layer) ? LayerAttention::sparse : LayerAttention::full;
    return model.architecture.chunk > 0 ? LayerAttention::chunked : LayerAttention::sliding;
  }
  const auto* wide = model.values.value().find(model.key("feed_forward_length"));
  const bool feeds =
      wide && wide->list() && layer < wide->list()->size() && (*wide->list())[layer].number().value_or(0) > 0;
  return feeds && model.name.starts_with("nemotron_h") ? LayerAttention::none : LayerAttention::state;
}

std::optional<QueryTemperature> temperature_of(const GgufModel& model, bool rotates) {
  constexpr NumberRange scales{0, 1000}, floors{1, 2147483648.0};
  if (model.name == "llama4" && !rotates && model.window > 0)
    return QueryTemperature{.scale = 0.1, .floor = 8192, .offset = 1};
  const double scale = model.number("attention.temperature_scale", scales).value_or(0);
  const bool trained = model.name == "mistral3";  // its floor is the training length, the files have no other
  const Index floor = trained ? model.integer("rope.scaling.original_context_length", floors).value_or(model.trained)
                              : model.integer("attention.temperature_length", floors).value_or(0);
  if (scale == 0 || floor == 0) return std::nullopt;
  return QueryTemperature{.scale = scale, .floor = floor, .offset = 0};
}

Index latent_of(const GgufModel& model, bool local) {
  if (!model.architecture.latent) return 0;
  const auto own = local ? model.integer("attention.kv_lora_rank_swa", latent_ranks) : std::nullopt;
  const Index rank = own ? *own : model.integer("attention.kv_lora_rank", latent_ranks).value_or(0);
  return rank + model.integer("rope.dimension_count", head_sizes).value_or(0);
}

/// The layers of T5 are its encoder's.
bool sees_both_ways(const GgufModel& model) {
  if (model.architecture.two_sided || model.name.starts_with("t5")) return true;
  return model.has("attention.causal") && !model.values.boolean(model.key("attention.causal")).value_or(true);
}

std::string kind_of(LayerAttention attention) {
  switch (attention) {
    case LayerAttention::full: return std::string(full_layers);
    case LayerAttention::sliding: return std::string(sliding_layers);
    case LayerAttention::chunked: return std::string(chunked_layers);
    case LayerAttention::state: return "linear_attention";
    case LayerAttention::sparse: return "sparse_attention";
    case LayerAttention::compressed: return "compressed_attention";
    case LayerAttention::none: return "feed_forward";
  }
  return {};
}

/// Layers that use the keys and values of the last earlier layer of their kind that has its own.
void share_kv(const GgufModel& model, std::vector<ModelLayer>& layers) {
  const Index shared = model.integer("attention.shared_kv_layers", {0, 4096}).value_or(0);
  const Index own = model.layers - shared;
  if (shared == 0 || own < 1) return;
  for (Index i = own; i < model.layers; ++i) {
    for (Index from = own - 1; from >= 0; --from) {
      if (layers[static_cast<std::size_t>(from)].attention != layers[static_cast<std::size_t>(i)].attention) continue;
      layers[static_cast<std::size_t>(i)].shares_kv_with = static_cast<int>(from);
      break;
    }
  }
}

/// The selection of an indexer. MiniMax M3 counts blocks and always reads the last of them; others
/// count tokens, and may share an entry of the indexer among some of them.
void read_indexer(const GgufModel& model, std::size_t i, ModelLayer& layer) {
  if (layer.attention != LayerAttention::sparse && layer.attention != LayerAttention::compressed) return;
  layer.compress_ratio = model.ratio(i);
  if (layer.compress_ratio > 0) layer.window = model.window;
  if (!model.selects(i)) return;
  const GgufIndexer& indexer = model.indexer;
  layer.topk = indexer.local_blocks > 0 ? indexer.topk * std::max<Index>(indexer.block, 1) : indexer.topk;
  layer.topk_block = indexer.local_blocks > 0 && indexer.block > 1 ? indexer.block : 0;
  layer.index_dim = indexer.dim;
  if (layer.compress_ratio == 0 && indexer.local_blocks == 0 && indexer.block > 1) layer.index_pool = indexer.block;
}

ModelLayer layer_of(const GgufModel& model, const ConfigReport& report, std::size_t i) {
  ModelLayer layer{.attention = attention_of(model, i)};
  const bool local = model.windowed[i];
  const bool rotates = report.kind == PositionScheme::rope && gguf_layer_rotates(model, i);
  if (layer.attention == LayerAttention::sliding || layer.attention == LayerAttention::chunked)
    layer.window = model.window;
  layer.two_sided = sees_both_ways(model);
  layer.num_key_value_heads = model.kv_heads[i];
  layer.head_dim = local ? model.local_head_dim : model.head_dim;
  layer.sink = model.has_tensor(fmt::format("blk.{}.attn_sinks.weight", i));
  if (layer.attention == LayerAttention::state) layer.state_numbers = model.state_numbers;
  if (layer.attention == LayerAttention::state || layer.attention == LayerAttention::none) return layer;
  read_indexer(model, i, layer);
  layer.latent = latent_of(model, local);
  if (model.compresses()) layer.latent = layer.num_key_value_heads * layer.head_dim;  // the keys are the values
  layer.temperature = temperature_of(model, rotates);
  if (rotates && !report.ropes.empty())
    layer.rope = local && report.ropes.size() > 1 ? 1 : 0;
  else
    layer.positions = report.kind == PositionScheme::rope && !rotates ? "none" : kind_name(report.kind);
  return layer;
}

void add_kind(std::vector<LayerKind>& kinds, const ModelLayer& layer) {
  LayerKind kind = plain_kind(layer);
  kind.name = kind_of(layer.attention);
  auto it = std::ranges::find_if(kinds, [&](const LayerKind& each) {
    return each.name == kind.name && each.rope == kind.rope && each.compress_ratio == kind.compress_ratio;
  });
  if (it == kinds.end()) it = kinds.insert(it, kind);
  ++it->count;
}

}  // namespace

bool gguf_layer_attends(const GgufModel& model, std::size_t layer) {
  const std::string& name = model.name;
  if (name.starts_with("mamba") || name.starts_with("rwkv") || name == "arwkv7") return false;
  const bool eighth = name == "minimax-01";
  if (eighth || name == "qwen3next" || name == "qwen35" || name == "qwen35moe") {
    const Index every = model.integer("full_attention_interval", layer_periods).value_or(eighth ? 8 : 4);
    return (static_cast<Index>(layer) + 1) % every == 0;
  }
  return model.kv_heads[layer] > 0 || model.heads[layer] == 0;
}

bool gguf_layer_rotates(const GgufModel& model, std::size_t layer) {
  switch (model.architecture.nope) {
    case GgufNope::never: return true;
    case GgufNope::full: return model.window == 0 || model.windowed[layer];
    case GgufNope::full_sparse:
      return model.windowed[layer] ||
             static_cast<Index>(layer) < model.integer("leading_dense_block_count", {0, 4096}).value_or(0);
    case GgufNope::last: return (model.architecture.chunk > 0 && model.window == 0) || (layer + 1) % 4 != 0;
    case GgufNope::first: return model.window == 0 || layer % 4 != 0;
    case GgufNope::by_finetuned: break;
  }
  return model.values.boolean(model.key("rope.scaling.finetuned")).value_or(true);
}

void report_gguf_layers(const GgufModel& model, ConfigReport& report) {
  for (const auto& use : report.ropes) report.schedule.ropes.push_back({use.scaling, use.pair_layout()});
  auto& layers = report.schedule.layers;
  for (std::size_t i = 0; i < static_cast<std::size_t>(model.layers); ++i) layers.push_back(layer_of(model, report, i));
  share_kv(model, layers);
  for (const auto& layer : layers) add_kind(report.layers, layer);
}

}  // namespace vqscope
