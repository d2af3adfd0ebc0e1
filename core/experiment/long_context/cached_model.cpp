// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/long_context/cached_model.h"

namespace vqscope {

LayerSchedule CachedModel::schedule() const {
  ModelLayer full{.num_key_value_heads = kv_heads, .head_dim = head_dim};
  if (latent) full.latent = head_dim;
  ModelLayer other = full;
  other.attention = LayerAttention::sliding;
  other.window = window;
  LayerSchedule made;
  made.layers.assign(static_cast<std::size_t>(layers - full_layers), other);
  made.layers.resize(static_cast<std::size_t>(layers), full);
  return made;
}

std::span<const CachedModel> cached_models() {
  // clang-format off
  static constexpr CachedModel all[]{
      //                                               layers kv  dim full window heads
      {"gpt_3", "GPT-3 175B",                           96, 96, 128, 96,     0,  96},
      {"llama_2_7b", "Llama 2 7B",                      32, 32, 128, 32,     0,  32},
      {"llama_2_70b", "Llama 2 70B",                    80,  8, 128, 80,     0,  64},
      {"llama_3_1_8b", "Llama 3.1 8B",                  32,  8, 128, 32,     0,  32},
      {"llama_3_1_70b", "Llama 3.1 70B",                80,  8, 128, 80,     0,  64},
      {"llama_3_1_405b", "Llama 3.1 405B",             126,  8, 128, 126,    0, 128},
      {"llama_3_2_1b", "Llama 3.2 1B",                  16,  8,  64, 16,     0,  32},
      {"mistral_7b", "Mistral 7B v0.1",                 32,  8, 128,  0,  4096,  32},
      {"qwen2_5_7b", "Qwen2.5 7B",                      28,  4, 128, 28,     0,  28},
      {"gemma_2_9b", "Gemma 2 9B",                      42,  8, 256, 21,  4096,  16},
      {"gemma_3_27b", "Gemma 3 27B",                    62, 16, 128, 10,  1024,  32},
      {"gpt_oss_20b", "gpt-oss 20B",                    24,  8,  64, 12,   128,  64},
      {"gpt_oss_120b", "gpt-oss 120B",                  36,  8,  64, 18,   128,  64},
      {"deepseek_v3", "DeepSeek-V3, 512 + 64 of MLA",   61,  1, 576, 61,     0, 128, true},
  };
  // clang-format on
  return all;
}

}  // namespace vqscope
