// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/mask.h"
#include "core/schedule/reach/layer_sight.h"

#include <cstdint>
#include <optional>
#include <stop_token>
#include <vector>

namespace vqscope {

/// The tokens whose inputs can influence one query after each layer, where layers may have a mask of
/// any form (ModelLayer::own_mask). By induction over layers: the hidden state of a token after
/// layer l depends on its own after layer l - 1, and on the inputs of the layer that l takes keys
/// and values from, of all keys that it sees in l. A token of the cache has no row of the mask: its
/// states are assumed to depend on tokens up to itself, as those of a causal prefill do.
class MaskReach {
 public:
  /// `others` has the layers and the tokens; their marks own_mask are in `own`, by layer. The rows of
  /// `mask` are the tokens from `past_len` on. Errc::too_large if rows have too many intervals, or
  /// for more steps than take a few seconds; Errc::cancelled.
  static Result<MaskReach> make(const Mask& mask, const LayerSight& others, const std::vector<bool>& own,
                                Index past_len, Index query, const std::stop_token& stop = {});

  Index query() const { return m_query; }
  Index layers() const { return m_layers; }
  Index tokens() const { return static_cast<Index>(m_first.size()); }
  /// Whether the token's input can influence the query after the layer.
  bool reaches(Index layer, Index token) const;
  /// Whether the layer itself sees the token.
  bool sees(Index layer, Index token) const;
  /// The first layer after which the token reaches the query.
  std::optional<Index> first_layer(Index token) const;
  /// Number of tokens after the query that reach it through all layers.
  Index later_tokens() const;

 private:
  Index m_query = 0;
  Index m_layers = 0;
  std::vector<std::int32_t> m_first;         ///< by token; -1: it does not reach the query
  std::vector<std::vector<Range>> m_direct;  ///< by layer: keys that the query sees
};

}  // namespace vqscope
