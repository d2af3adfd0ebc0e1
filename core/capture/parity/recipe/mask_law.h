// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/capture/parity/layer_sample.h"

#include <optional>

namespace vqscope {

/// Which keys a query may see.
struct MaskLaw {
  bool causal = true;
  bool bottom_right = true;  ///< the last query sees the last key; else the first query sees the first
  Index window = 0;          ///< keys that are seen, the own one included; 0: no window
  Index chunk = 0;           ///< blocks that see nothing before them; 0: none
  bool documents = true;     ///< keys of other documents are hidden, where there are any
  bool padding = true;       ///< and padding
  bool inverted = false;
  friend bool operator==(const MaskLaw&, const MaskLaw&) = default;
};

/// [entries, 1, rows, keys] of the sample: 1 where a key is visible.
TensorBlock mask_of(const MaskLaw& law, const LayerSample& sample);

}  // namespace vqscope
