// SPDX-License-Identifier: GPL-3.0-or-later
// Source of each row: __post_init__ in configuration_*.py of Hugging Face transformers 5.
#include "core/config/family/class_scaling.h"

#include <algorithm>
#include <utility>

namespace vqscope {
namespace {

constexpr std::pair<std::string_view, std::string_view> scalings[]{
    {"apertus",
     R"({"rope_type": "llama3", "rope_theta": 12000000.0, "factor": 8.0, "original_max_position_embeddings": 8192, )"
     R"("low_freq_factor": 1.0, "high_freq_factor": 4.0})"},
    {"cwm",
     R"({"rope_type": "llama3", "rope_theta": 1000000.0, "factor": 16.0, "original_max_position_embeddings": 8192, )"
     R"("low_freq_factor": 1.0, "high_freq_factor": 4.0})"},
    {"gemma4_text",
     R"({"full_attention": {"rope_type": "proportional", "partial_rotary_factor": 0.25, "rope_theta": 1000000.0}, )"
     R"("sliding_attention": {"rope_type": "default", "rope_theta": 10000.0}})"},
    {"gemma4_unified_text",
     R"({"full_attention": {"rope_type": "proportional", "partial_rotary_factor": 0.25, "rope_theta": 1000000.0}, )"
     R"("sliding_attention": {"rope_type": "default", "rope_theta": 10000.0}})"},
    {"diffusion_gemma_text",
     R"({"full_attention": {"rope_type": "proportional", "partial_rotary_factor": 0.25, "rope_theta": 1000000.0}, )"
     R"("sliding_attention": {"rope_type": "default", "rope_theta": 10000.0}})"},
    {"openai_privacy_filter",
     R"({"rope_type": "yarn", "factor": 32.0, "beta_fast": 32.0, "beta_slow": 1.0, "truncate": false, )"
     R"("original_max_position_embeddings": 4096})"},
    {"zaya", R"({"hybrid": {"rope_type": "default", "rope_theta": 5000000.0, "partial_rotary_factor": 0.5}, )"
             R"("hybrid_sliding": {"rope_type": "default", "rope_theta": 10000.0, "partial_rotary_factor": 0.5}})"},
    {"gpt_oss", R"({"rope_type": "yarn", "factor": 32.0, "beta_fast": 32.0, "beta_slow": 1.0, "truncate": false, )"
                R"("original_max_position_embeddings": 4096})"},
    {"higgs_audio_v2",
     R"({"rope_type": "llama3", "rope_theta": 500000.0, "factor": 32.0, "original_max_position_embeddings": 1024, )"
     R"("low_freq_factor": 0.125, "high_freq_factor": 0.5})"},
    {"laguna", R"({"full_attention": {"rope_type": "default", "rope_theta": 500000.0, "partial_rotary_factor": 0.5}, )"
               R"("sliding_attention": {"rope_type": "default", "rope_theta": 10000.0}})"},
    {"mellum", R"({"full_attention": {"rope_type": "default", "rope_theta": 500000.0}, )"
               R"("sliding_attention": {"rope_type": "default", "rope_theta": 10000.0}})"},
    {"ministral3",
     R"({"rope_type": "yarn", "rope_theta": 1000000.0, "factor": 16.0, "original_max_position_embeddings": 16384, )"
     R"("beta_fast": 32.0, "beta_slow": 1.0, "mscale_all_dim": 1.0, "mscale": 1.0, "llama_4_scaling_beta": 0.1})"},
    {"mistral4",
     R"({"rope_type": "yarn", "rope_theta": 10000.0, "factor": 128.0, "original_max_position_embeddings": 8192, )"
     R"("beta_fast": 32.0, "beta_slow": 1.0, "mscale_all_dim": 1.0, "mscale": 1.0, "llama_4_scaling_beta": 0.1})"},
};

}  // namespace

std::string_view class_scaling(std::string_view model_type) {
  const auto* found = std::ranges::find(scalings, model_type, &std::pair<std::string_view, std::string_view>::first);
  return found == std::end(scalings) ? std::string_view() : found->second;
}

}  // namespace vqscope
