// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/base/work.h"
#include "core/capture/heads/head_measures.h"
#include "core/capture/store/capture.h"

#include <string>
#include <vector>

namespace vqscope {

struct CapturedHead {
  Index layer = 0;
  Index head = 0;
  HeadMeasures measures;
  HeadRole role = HeadRole::broad;
};

/// All heads of a capture, layer by layer, by rows of one sample that are spread evenly over those with
/// 64 keys and more, or with a quarter of the keys where there are fewer than 256.
struct CapturedHeads {
  std::vector<CapturedHead> heads;
  std::string source;  ///< AttentionRows::source()
  Index keys = 0;
  Index rows = 0;  ///< that were looked at
  bool has_tokens = false;
};
/// `layer`: of that one alone. Layers without attention are passed over; Errc::cancelled on a stop.
Result<CapturedHeads> heads_of(const Capture& capture, std::optional<Index> layer, Index batch, Index most_rows,
                               const Work& work);

/// "31 of 384 heads need more than 1,024 tokens", and how many have each role; a line each.
std::vector<std::string> sentences_of(const CapturedHeads& heads);

/// One row a head: layer, head, role, shares, reach.
std::string heads_csv(const CapturedHeads& heads);
std::string heads_json(const CapturedHeads& heads);
/// Of a role in a map; self has the o of own, and most heads, which are broad, a point.
char letter_of(HeadRole role);
/// One line a layer, one letter a head: its role's.
std::string heads_map(const CapturedHeads& heads);

}  // namespace vqscope
