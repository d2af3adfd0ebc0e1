// SPDX-License-Identifier: GPL-3.0-or-later
// Sources of the keys: configuration_*.py of deepseek_v32, deepseek_v4, glm_moe_dsa, glm5_next, minimax_m3_vl and
// qwen4_exp in Hugging Face transformers; sparse_config of MiniCPM4 and moba_* of MoBA in the models' own code.
#include "core/config/layer/layer_reading.h"

#include "core/config/config_parts.h"
#include "core/config/family/model_family_row.h"
#include "core/config/rope/rope_reading.h"

#include <algorithm>

namespace vqscope {
namespace {

constexpr NumberRange budgets{1, 2147483648.0};
constexpr Index sparse_ratio = 4;  // of compressed layers whose ratio is not given
constexpr Index heavy_ratio = 128;

/// The selection of an indexer, and its cache.
struct Indexer {
  Index topk = 0;
  Index block = 0;
  Index dim = 0;
  Index pool = 0;
  Index window = 0;
};

/// The objects that some models have for their sparse attention, after the config itself.
std::vector<ConfigObject> places_of(const ConfigObject& config) {
  std::vector<ConfigObject> places{config};
  for (const auto* key : {"sparse_attention_config", "sparse_config", "moba_config", "nsa_config"}) {
    const auto* given = config.value().find(key);
    if (!given || !given->object()) continue;
    config.take(key);
    places.emplace_back(*given, config.path_of(key), config.ledger());
  }
  return places;
}

/// The first of the names that any of the places has; 0: none.
Index first_number(const std::vector<ConfigObject>& places, std::initializer_list<std::string_view> names) {
  for (const ConfigObject& place : places)
    for (const auto name : names)
      if (place.has(name)) return place.integer(name, budgets).value_or(0);
  return 0;
}

Indexer read_indexer(const ConfigObject& config, const ModelFamily& family) {
  const auto places = places_of(config);
  const std::vector<ConfigObject> inside(places.begin() + 1, places.end());
  Indexer read{.topk = first_number(places, {"index_topk", "indexer_budget", "indexer_topk", "index_top_k"}),
               .dim = first_number(places, {"index_head_dim", "indexer_head_dim", "sparse_index_dim"}),
               .pool = first_number(places, {"index_kpool", "indexer_compress_ratio"})};
  if (read.topk == 0) {
    const Index blocks = first_number(places, {"index_topk_blocks", "sparse_topk_blocks", "moba_topk"});
    const Index of_object = blocks > 0 ? blocks : first_number(inside, {"topk"});
    read.block = first_number(places, {"index_block_size", "sparse_block_size", "moba_chunk_size"});
    if (read.block == 0) read.block = first_number(inside, {"block_size"});
    read.topk =
        static_cast<Index>(std::min(budgets.high, static_cast<double>(of_object) * static_cast<double>(read.block)));
    read.window = first_number(inside, {"window_size"});
  }
  if (read.topk == 0 && family.topk > 0) {
    read.topk = family.topk;
    if (read.dim == 0) read.dim = family.index_dim;
  }
  return read;
}

bool is_switched_off(const ConfigObject& config) {
  for (const ConfigObject& place : places_of(config))
    for (const auto* key : {"use_sparse_attention", "use_sparse_attn", "use_moba"})
      if (const auto* given = place.value().find(key); given && given->boolean() && !*given->boolean()) return true;
  return false;
}

/// A flag for each layer: 1 where an indexer selects; empty: not given.
std::vector<bool> listed_flags(const ConfigObject& config, std::size_t layers) {
  for (const ConfigObject& place : places_of(config)) {
    const auto* given = place.value().find("sparse_attention_freq");
    if (!given || !given->list() || given->list()->size() < layers) continue;
    place.take("sparse_attention_freq");
    std::vector<bool> flags;
    for (std::size_t i = 0; i < layers; ++i) flags.push_back((*given->list())[i].number().value_or(0) != 0);
    return flags;
  }
  return {};
}

bool names_selection(const ModelLayer& layer) {
  return layer.name.find("sparse") != std::string::npos || layer.name.find("indexed") != std::string::npos;
}

/// Whether a layer reads the selection of an earlier one and has no indexer of its own:
/// indexer_types, or the pattern or period that stands for it.
std::vector<bool> shared_indexers(const ConfigObject& config, std::size_t layers) {
  std::vector<bool> shared(layers, false);
  const auto* types = config.take("indexer_types");
  const auto* pattern = config.take("index_topk_pattern");
  const Index period = config.integer("index_topk_freq", layer_periods).value_or(1);
  const Index offset = config.integer("index_skip_topk_offset", layer_numbers).value_or(2);
  for (std::size_t i = 0; i < layers; ++i) {
    if (types && types->list()) {
      const auto* word = i < types->list()->size() ? (*types->list())[i].text() : nullptr;
      shared[i] = word && *word == "shared";
    } else if (pattern && pattern->text()) {
      shared[i] = i < pattern->text()->size() && (*pattern->text())[i] == 'S';
    } else {
      shared[i] = std::max<Index>(static_cast<Index>(i) - offset + 1, 0) % period != 0;
    }
  }
  return shared;
}

/// Tokens that share an entry of layer `i`; 0: it is not compressed.
Index ratio_of(const ConfigObject& config, const ModelLayer& layer, std::size_t i) {
  if (layer.name.find("compressed") == std::string::npos) return 0;
  if (const auto* list = config.value().find("compress_ratios"); list && list->list() && i < list->list()->size())
    if (const auto each = (*list->list())[i].integer(); each && *each > 0) return *each;
  const bool heavy = layer.name.find("heavily") != std::string::npos;
  if (const auto* rates = config.value().find("compress_rates"); rates && rates->object()) {
    config.take("compress_rates");
    const auto* own = rates->find(layer.name);
    if (const auto each = own ? own->integer() : std::nullopt; each && *each > 0) return *each;
  }
  const auto legacy = config.integer(heavy ? "compress_rate_hca" : "compress_rate_csa", compress_ratios);
  return legacy && *legacy > 0 ? *legacy : heavy ? heavy_ratio : sparse_ratio;
}

}  // namespace

void read_selection(const ConfigObject& config, const ModelFamily& family, Index window,
                    std::vector<ModelLayer>& layers) {
  const Indexer indexer = read_indexer(config, family);
  const auto flags = listed_flags(config, layers.size());
  const bool named = std::ranges::any_of(layers, names_selection);
  const bool off = is_switched_off(config);
  const auto shared = shared_indexers(config, layers.size());
  for (std::size_t i = 0; i < layers.size(); ++i) {
    ModelLayer& layer = layers[i];
    if (layer.attention != LayerAttention::full || !attends(layer.name)) continue;
    const Index ratio = ratio_of(config, layer, i);
    const bool selects = named ? names_selection(layer) : !flags.empty() ? flags[i] : indexer.topk > 0 && ratio == 0;
    if (ratio == 0 && (!selects || off)) continue;
    layer.attention = ratio > 0 ? LayerAttention::compressed : LayerAttention::sparse;
    layer.compress_ratio = ratio;
    layer.window = ratio > 0 ? window : indexer.window;
    if (!selects) continue;
    layer.topk = indexer.topk;
    layer.topk_block = indexer.block > 1 ? indexer.block : 0;
    layer.index_dim = shared[i] ? 0 : indexer.dim;
    if (ratio == 0 && indexer.pool > 1) layer.index_pool = indexer.pool;
  }
}

void read_index_pairs(const ConfigObject& config, const ModelFamily& family, LayerSchedule& schedule) {
  const auto given =
      config.value().find("indexer_rope_interleave") ? config.boolean("indexer_rope_interleave") : std::nullopt;
  if (!given && !has_latent_attention(config, family)) return;  // their indexers use the rotation of the layer
  const PairLayout pairs = given.value_or(false) ? PairLayout::interleaved : PairLayout::half_split;
  for (ModelLayer& layer : schedule.layers) {
    if (layer.attention != LayerAttention::sparse || layer.rope < 0) continue;
    const bool differs = schedule.ropes[static_cast<std::size_t>(layer.rope)].pair_layout != pairs;
    if (differs) layer.index_pairs = pairs;
  }
}

}  // namespace vqscope
