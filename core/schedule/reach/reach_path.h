// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/schedule/reach/layer_sight.h"

#include <stop_token>
#include <string>
#include <vector>

namespace vqscope {

/// In `layer`, `query` reads `key`.
struct ReachHop {
  Index layer = 0;
  Index key = 0;
  Index query = 0;
  friend bool operator==(const ReachHop&, const ReachHop&) = default;
};

/// One of the paths with the fewest hops on which `key` reaches `query` after `layer`, hops from the first layer up.
/// Between hops a token keeps its state, or stays in the keys and values that later layers share. No hop: the key is
/// the query. Errors: no path, Errc::too_large beyond 2^22 steps of the search, Errc::cancelled.
Result<std::vector<ReachHop>> shortest_path(const LayerSight& sight, Index layer, Index query, Index key,
                                            const std::stop_token& stop = {});

/// "token 0 → layer 5 → token 130000"; with more than `most` hops those in the middle are left out.
std::string path_text(const std::vector<ReachHop>& path, std::size_t most = 4);

}  // namespace vqscope
