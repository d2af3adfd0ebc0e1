// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/config/shga_sizes.h"

#include <algorithm>

namespace vqscope {

void use_gated_layers(TransformerConfig& config, Index d_k, Index d_v) {
  const Index attention = 2 * (config.query_width() + config.key_width());
  const Index mlp = (config.mlp == MlpKind::swiglu ? 3 : 2) * config.d_ff;
  if (d_k == 0) d_k = config.head_dim;
  if (d_v == 0) d_v = std::max<Index>(1, (attention + mlp - 4 * d_k) / 6);
  config.layer_kind = ModelLayerKind::shga;
  config.n_heads = config.n_kv_heads = 1;
  config.head_dim = d_k;
  config.d_v = d_v;
}

}  // namespace vqscope
