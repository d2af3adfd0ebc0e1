// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/method/parameter_label.h"

#include "core/base/text.h"

#include <algorithm>
#include <array>

namespace vqscope {
namespace {

struct Named {
  std::string_view name;
  std::string_view label;
};

/// Names whose words do not say what the parameter is.
constexpr std::array labels{Named{"against", "Plot against"},
                            Named{"agg_cache", "Cache of older blocks"},
                            Named{"attn", "Attention"},
                            Named{"backprop_blocks", "Backpropagated blocks"},
                            Named{"batch_rows", "Batch size"},
                            Named{"beta_0", "First blend from β₀"},
                            Named{"beta_1", "First blend to β₁"},
                            Named{"beta_fast", "β fast"},
                            Named{"beta_slow", "β slow"},
                            Named{"clip", "Gradient clipping"},
                            Named{"clipped", "Clip distances"},
                            Named{"crossing_layers", "Layers across documents"},
                            Named{"d_ff", "MLP width"},
                            Named{"d_head", "Head size"},
                            Named{"d_k", "Key size"},
                            Named{"d_model", "Model width"},
                            Named{"d_v", "Value size"},
                            Named{"deviation", "Standard deviation"},
                            Named{"dtype", "Number type"},
                            Named{"finetune_multiple", "Fine-tuning multiple"},
                            Named{"finetune_steps", "Fine-tuning steps"},
                            Named{"gamma", "Decay γ"},
                            Named{"gamma_0", "Second blend from γ₀"},
                            Named{"gamma_1", "Second blend to γ₁"},
                            Named{"grad_mode", "Gradient mode"},
                            Named{"head_dim", "Head size"},
                            Named{"high_freq_factor", "High-frequency factor"},
                            Named{"image_grid_thw", "Image grids"},
                            Named{"k_bias", "Key bias"},
                            Named{"k_position_ids", "Key positions"},
                            Named{"kerple_head_dim", "KERPLE head size"},
                            Named{"kv_block_size", "Block of keys"},
                            Named{"layerdrop", "Layer dropout"},
                            Named{"length_max", "Longest length"},
                            Named{"low_freq_factor", "Low-frequency factor"},
                            Named{"lr_max", "Peak learning rate"},
                            Named{"lr_min_ratio", "Final rate of peak"},
                            Named{"max_distance", "Largest distance"},
                            Named{"max_h", "Largest |h|"},
                            Named{"max_position_embeddings", "Longest sequence"},
                            Named{"mem_len", "XL memory length"},
                            Named{"memory_top_k", "Memory top k"},
                            Named{"model_n_code", "Model codewords"},
                            Named{"most_memory", "Memory limit"},
                            Named{"most_seconds", "Time limit"},
                            Named{"mrope_section", "M-RoPE sections"},
                            Named{"mrope_interleaved", "Interleaved"},
                            Named{"mscale", "YaRN mscale"},
                            Named{"mscale_all_dim", "YaRN mscale, all"},
                            Named{"n_code", "Codewords"},
                            Named{"n_code_max", "Most codewords"},
                            Named{"n_code_min", "Fewest codewords"},
                            Named{"n_heads", "Heads"},
                            Named{"n_kv_heads", "KV heads"},
                            Named{"n_layers", "Layers"},
                            Named{"normalize", "Normalisation"},
                            Named{"num_buckets", "Buckets"},
                            Named{"num_heads", "Heads"},
                            Named{"num_hidden_layers", "Number of layers"},
                            Named{"num_key_value_heads", "KV heads"},
                            Named{"num_kv_heads", "KV heads"},
                            Named{"pos", "Position encoding"},
                            Named{"q_bias", "Query bias"},
                            Named{"q_length", "Tokens"},
                            Named{"q_position_ids", "Query positions"},
                            Named{"r1", "r₁"},
                            Named{"r1_by_head", "r₁ by head"},
                            Named{"r2", "r₂"},
                            Named{"r2_by_head", "r₂ by head"},
                            Named{"rope_theta", "RoPE base θ"},
                            Named{"rope_type", "RoPE scaling"},
                            Named{"rotary_dim", "Rotated dimensions"},
                            Named{"seed_count", "Seeds"},
                            Named{"std", "Standard deviation"},
                            Named{"train_threads", "Trainings at a time"},
                            Named{"warmup_steps", "Warm-up steps"},
                            Named{"yarn_beta_fast", "YaRN β fast"}};

/// Parts of names that are written otherwise.
constexpr std::array words{Named{"cols", "columns"},  Named{"dim", "dimensions"}, Named{"fire", "FIRE"},
                           Named{"kerple", "KERPLE"}, Named{"kv", "KV"},          Named{"len", "length"},
                           Named{"mlp", "MLP"},       Named{"ntk", "NTK"},        Named{"rerope", "ReRoPE"},
                           Named{"rope", "RoPE"},     Named{"seq", "sequence"},   Named{"train", "training"},
                           Named{"xl", "XL"},         Named{"yarn", "YaRN"}};

template <std::size_t Count>
std::string_view found_in(const std::array<Named, Count>& table, std::string_view name, std::string_view otherwise) {
  const auto found = std::ranges::find(table, name, &Named::name);
  return found == table.end() ? otherwise : found->label;
}

}  // namespace

std::string parameter_label(std::string_view name) {
  if (const auto label = found_in(labels, name, {}); !label.empty()) return std::string(label);
  std::string text;
  for (const std::string_view word : split(name, '_')) {
    if (!text.empty()) text += ' ';
    text += found_in(words, word, word);
  }
  if (name.size() > 1 && text.front() >= 'a' && text.front() <= 'z')
    text.front() = static_cast<char>(text.front() - 'a' + 'A');
  return text;
}

}  // namespace vqscope
