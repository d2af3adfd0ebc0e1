// SPDX-License-Identifier: GPL-3.0-or-later
// A model as a list of layers: what each attends to, and how it knows positions.
#pragma once

#include "core/base/index.h"
#include "core/base/result.h"
#include "core/encoding/rope/rope_fields.h"
#include "core/encoding/rope/rope_scaling.h"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace vqscope {

/// Keys that the queries of a layer attend to. sliding: the last `window` keys, with the token
/// itself. chunked: the keys of their own chunk of `window` positions up to the token itself.
/// state: a recurrent state instead of attention. sparse: `topk` of all earlier keys, which an
/// indexer selects for each query, and the last `window` keys. compressed: entries that each stand
/// for `compress_ratio` tokens, all of them or the `topk` that an indexer selects, and the last
/// `window` keys. none: nothing beyond the token, as in a feed-forward layer.
enum class LayerAttention { full, sliding, chunked, state, sparse, compressed, none };
inline constexpr std::size_t layer_attention_kinds = 7;

/// "full", "sliding", "chunked", "state", "sparse", "compressed", "none": in files and texts.
std::string name_of(LayerAttention attention);

/// A switch for each kind of layers, by LayerAttention.
using LayerKindFlags = std::array<bool, layer_attention_kinds>;

/// A factor of the queries that grows with the position p: Llama 4 multiplies by 1 + scale · log(1
/// + ⌊(p + 1) / floor⌋), Ministral 3 by 1 + scale · log(1 + ⌊p / floor⌋).
struct QueryTemperature {
  double scale = 0;
  Index floor = 1;
  Index offset = 0;  ///< added to the position before it is divided
  friend bool operator==(const QueryTemperature&, const QueryTemperature&) = default;
};

/// How layers know positions by rotation.
struct LayerRope {
  RopeScaling scaling;
  PairLayout pair_layout = PairLayout::half_split;
};

struct ModelLayer {
  LayerAttention attention = LayerAttention::full;
  Index window = 0;        ///< keys of a window or a chunk, also of that beside a selection; 0 otherwise
  bool two_sided = false;  ///< an encoder's: keys after the token too, half of a window on either side
  int rope = -1;           ///< index into LayerSchedule::ropes; -1: no rotation
  std::string positions;   ///< of layers without RoPE: "none" (NoPE), "alibi", "t5", "learned", …
  bool own_mask = false;   ///< full, under a mask that is given with the page
  bool sink = false;       ///< a learned logit in the denominator of the softmax
  std::optional<QueryTemperature> temperature = {};
  int shares_kv_with = -1;        ///< an earlier layer whose keys and values are used; -1: its own
  Index num_key_value_heads = 0;  ///< 0: not known
  Index head_dim = 0;             ///< 0: not known
  /// Numbers cached for a token as one vector: kv_lora_rank + qk_rope_head_dim of multi-head latent
  /// attention, or the keys if they are the values too; 0: keys and values.
  Index latent = 0;
  Index state_numbers = 0;   ///< size of a recurrent state, whatever the length; 0: not known
  Index v_head_dim = 0;      ///< dimensions of a value; 0: head_dim
  Index compress_ratio = 0;  ///< compressed: tokens that share an entry of the cache
  Index topk = 0;            ///< keys, or entries if compressed, that a query reads; 0: all, or not known if sparse
  Index topk_block = 0;  ///< they are selected in blocks of that many, and a query's own block always; 0: one by one
  Index index_dim = 0;   ///< numbers that the indexer caches for an entry; 0: none of its own, or not known
  Index index_pool = 0;  ///< sparse: tokens that share an entry of the indexer; 0: one
  std::optional<PairLayout> index_pairs = {};  ///< how the indexer rotates, if that differs from the layer
  std::string name;                            ///< as in layer_types: "full_attention", "mamba"; empty: not given
  friend bool operator==(const ModelLayer&, const ModelLayer&) = default;
};

/// Whether it depends on the tokens themselves which earlier keys a query reads, so that a path is
/// possible and not certain.
bool selects_keys(const ModelLayer& layer);

/// The layers of a model, from the first to the last.
struct LayerSchedule {
  std::vector<LayerRope> ropes;
  std::vector<ModelLayer> layers;  ///< empty: not known

  /// Refuses windows and ratios of 0, and numbers of ropes and layers that are not there.
  Result<void> check() const;
};

}  // namespace vqscope
