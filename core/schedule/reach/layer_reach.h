// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/schedule/reach/layer_sight.h"

#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace vqscope {

// Which tokens can influence a query through the layers of a model.

/// How a token reaches a query at a layer. indirect: through other tokens or through layers below.
/// direct: the layer itself sees it. crossing: either way, out of another document. possible: only
/// if an indexer selects it, or a token on the way.
enum class ReachKind { none, indirect, direct, crossing, possible };
inline constexpr std::size_t reach_kinds = 5;

/// Tokens that reach the query in one way.
struct ReachSpan {
  Range keys;
  ReachKind kind = ReachKind::none;
  friend bool operator==(const ReachSpan&, const ReachSpan&) = default;
};

/// The tokens whose inputs can influence a query after each layer. The definition: the hidden state
/// of q after layer l depends on that of q after layer l - 1, and on the inputs of the layer that l
/// takes keys and values from, of all keys that q sees in l. Every set is one interval, whatever
/// the length.
class LayerReach {
 public:
  /// Errc::cancelled is the only error. `query` in [0, length).
  static Result<LayerReach> make(const LayerSight& sight, Index query, const std::stop_token& stop = {});

  Index query() const { return m_query; }
  Index layers() const { return static_cast<Index>(m_reach.size()); }
  /// Tokens of the query's document.
  Range document() const { return m_document; }

  /// After layer `layer`, the token itself included.
  Range reach(Index layer) const { return m_reach[static_cast<std::size_t>(layer)]; }
  /// The subset of tokens that reach the query whatever indexers select.
  Range certain(Index layer) const { return m_certain[static_cast<std::size_t>(layer)]; }
  /// Keys that the layer itself sees.
  Range direct(Index layer) const { return m_direct[static_cast<std::size_t>(layer)]; }
  /// The tokens that reach the query, sorted and disjoint; neighbours differ in kind.
  std::vector<ReachSpan> spans(Index layer) const;
  ReachKind kind(Index layer, Index key) const;
  /// The first layer after which the key reaches the query.
  std::optional<Index> first_layer(Index key) const;

 private:
  LayerReach(Index query, Range document) : m_query(query), m_document(document) {}

  Index m_query;
  Range m_document;
  std::vector<Range> m_reach;           ///< by layer; none is smaller than that before
  std::vector<Range> m_direct;          ///< by layer
  std::vector<Range> m_certain;         ///< by layer, within m_reach
  std::vector<Range> m_certain_direct;  ///< by layer, within m_direct
};

/// LayerReach::reach of one layer alone, in as many steps as there are layers below it.
Range reach_after(const LayerSight& sight, Index layer, Index query);

/// In `layer`, `query` reads `key`.
struct ReachHop {
  Index layer = 0;
  Index key = 0;
  Index query = 0;
  friend bool operator==(const ReachHop&, const ReachHop&) = default;
};

/// One of the paths with the fewest hops on which `key` reaches `query` after `layer`, hops from
/// the first layer up. Between hops a token keeps its state, or stays in the keys and values that
/// later layers share. No hop: the key is the query. Errors: no path, Errc::too_large beyond 2^22
/// steps of the search, Errc::cancelled.
Result<std::vector<ReachHop>> shortest_path(const LayerSight& sight, Index layer, Index query, Index key,
                                            const std::stop_token& stop = {});

/// "token 0 → layer 5 → token 130000"; with more than `most` hops those in the middle are left out.
std::string path_text(const std::vector<ReachHop>& path, std::size_t most = 4);

}  // namespace vqscope
