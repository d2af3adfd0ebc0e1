// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/rope/rope_view.h"

namespace vqscope {

ConfigView rope_view(const RopeUse& use) {
  RopeScaling scaling = use.scaling;
  if (!rope_type(scaling.rope_type).reads("seq_len")) scaling.seq_len = 0;
  ConfigView view{use.layers.empty() ? "RoPE" : "RoPE of " + use.layers, "rope_phase", rope_scaling_values(scaling)};
  view.values.set("pair_layout", std::string(use.interleaved ? "interleaved" : "half_split"));
  return view;
}

}  // namespace vqscope
