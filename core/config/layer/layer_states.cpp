// SPDX-License-Identifier: GPL-3.0-or-later
// Sources: the caches in modeling_*.py of Hugging Face transformers for qwen3_next (gated delta rule), kimi_linear
// (KDA), mamba, mamba2 and the hybrids with their keys, lfm2 and recurrent_gemma.
#include "core/config/layer/layer_states.h"

#include "core/config/family/model_bounds.h"

namespace vqscope {
namespace {

constexpr NumberRange state_sizes{1, 1 << 16};
constexpr Index most_state_numbers = Index{1} << 40;

/// The sizes of a config, under any of their names, without findings.
class StateSizes {
 public:
  explicit StateSizes(const ConfigObject& config) : m_config(config) {}

  /// The first of the names with a usable number; 0: none.
  Index of(std::initializer_list<std::string_view> names, NumberRange range = state_sizes) const {
    for (const auto name : names) {
      const auto* given = m_config.value().find(name);
      const auto number = given ? given->integer() : std::nullopt;
      if (number && range.holds(static_cast<double>(*number))) return *number;
    }
    return 0;
  }
  Index width() const { return of({"hidden_size", "d_model"}, model_widths); }
  const ConfigObject& config() const { return m_config; }

 private:
  const ConfigObject& m_config;
};

/// Inputs that a convolution of `kernel` tokens keeps of each channel.
Index kept_inputs(Index kernel) { return kernel > 1 ? kernel - 1 : 0; }

/// Gated delta rule of Qwen3-Next and later: a matrix for each value head.
Index delta_state(const StateSizes& sizes) {
  const Index values = sizes.of({"linear_num_value_heads"}), keys = sizes.of({"linear_num_key_heads"});
  const Index value_dim = sizes.of({"linear_value_head_dim"}), key_dim = sizes.of({"linear_key_head_dim"});
  const Index channels = 2 * keys * key_dim + values * value_dim;
  return values * key_dim * value_dim + channels * kept_inputs(sizes.of({"linear_conv_kernel_dim"}));
}

/// Kimi delta attention: a square matrix for each head, and the inputs of three convolutions.
Index kimi_state(const StateSizes& sizes) {
  const auto* given = sizes.config().value().find("linear_attn_config");
  if (given && given->object()) {
    const ConfigObject inner(*given, "linear_attn_config", sizes.config().ledger());
    const StateSizes own(inner);
    const Index heads = own.of({"num_heads"}), dim = own.of({"head_dim"});
    return heads * dim * (dim + 3 * kept_inputs(own.of({"short_conv_kernel_size"})));
  }
  const Index heads = sizes.of({"linear_num_heads"}), dim = sizes.of({"linear_head_dim"});
  return heads * dim * (dim + 3 * kept_inputs(sizes.of({"linear_conv_kernel_dim"})));
}

/// Mamba 2 has heads; Mamba 1 a state for each channel.
Index mamba_state(const StateSizes& sizes) {
  const Index state = sizes.of({"mamba_d_state", "ssm_state_size", "state_size"});
  const Index kernel = sizes.of({"mamba_d_conv", "conv_kernel", "mamba_conv_kernel"});
  const Index heads = sizes.of({"mamba_n_heads", "mamba_num_heads", "n_mamba_heads", "num_heads"});
  const Index dim = sizes.of({"mamba_d_head", "mamba_head_dim", "mamba_headdim", "head_dim"});
  const bool second = sizes.of({"mamba_d_head", "mamba_head_dim", "mamba_headdim", "n_groups", "mamba_n_groups"}) > 0;
  if (second) {
    const Index groups = sizes.of({"mamba_n_groups", "n_groups", "mamba_ngroups"});
    return heads * dim * state + (heads * dim + 2 * groups * state) * kept_inputs(kernel);
  }
  Index inner = sizes.of({"mamba_intermediate_size", "intermediate_size"}, model_widths);
  if (const Index expand = sizes.of({"mamba_expand", "expand"}); expand > 0) inner = expand * sizes.width();
  return state == 0 ? 0 : inner * (state + kept_inputs(kernel));
}

Index state_of(const StateSizes& sizes, std::string_view name) {
  const auto has = [&](std::string_view part) { return name.find(part) != std::string_view::npos; };
  if (has("mamba")) return mamba_state(sizes);
  if (has("conv")) return sizes.width() * kept_inputs(sizes.of({"conv_L_cache"}));
  if (has("recurrent")) {
    const Index width = sizes.of({"lru_width"}, model_widths);
    return width * (1 + kept_inputs(sizes.of({"conv1d_width"})));
  }
  const Index delta = delta_state(sizes);
  return delta > 0 ? delta : kimi_state(sizes);
}

}  // namespace

void read_states(const ConfigObject& config, std::vector<ModelLayer>& layers) {
  const StateSizes sizes(config);
  for (ModelLayer& layer : layers)
    if (layer.attention == LayerAttention::state) {
      const Index numbers = state_of(sizes, layer.name);
      layer.state_numbers = numbers <= most_state_numbers ? numbers : 0;
    }
}

}  // namespace vqscope
