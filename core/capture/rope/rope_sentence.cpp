// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/capture/rope/rope_sentence.h"

#include "core/base/sentence.h"
#include "core/io/json/json_value.h"

#include <algorithm>

namespace vqscope {
namespace {

std::string columns_text(const WhichRope& rope) {
  const auto pairs = std::ssize(rope.inv_freq);
  if (!rope.pair_layout) return fmt::format("{} pairs", pairs);
  const std::string layout(name_of(*rope.pair_layout));
  if (!rope.rotary_dim) return fmt::format("{} pairs that turn, {}", pairs, layout);
  if (rope.head_dim && *rope.head_dim != *rope.rotary_dim)
    return fmt::format("{} of {} columns, {}", *rope.rotary_dim, *rope.head_dim, layout);
  return fmt::format("{} columns, {}", *rope.rotary_dim, layout);
}

std::string formula_text(const WhichRope& rope) {
  if (!rope.rope_type) return "llama3 or yarn, which fit alike";
  if (*rope.rope_type == "unknown") return "frequencies of no formula, as longrope's";
  std::string text = *rope.rope_type;
  if (rope.rope_theta) text += " with theta " + to_text(*rope.rope_theta, 6);
  if (rope.factor) text += ", factor " + to_text(*rope.factor, 4);
  if (rope.original_max_position_embeddings)
    text += ", original length " + to_text(*rope.original_max_position_embeddings, 6);
  return text;
}

std::string positions_text(const WhichRope& rope) {
  const auto& list = rope.positions.front();
  if (rope.positions.size() == 3)
    return fmt::format("positions on three axes from {}", *std::min_element(list.begin(), list.end()));
  if (rope.counts_on()) return fmt::format("positions {} to {}", list.front(), list.back());
  const auto [least, most] = std::minmax_element(list.begin(), list.end());
  return fmt::format("positions from {} to {} that do not count on by 1", *least, *most);
}

}  // namespace

std::string rope_sentence(const WhichRope& rope) {
  std::string text = fmt::format("RoPE of {}: {}, {}", columns_text(rope), formula_text(rope), positions_text(rope));
  if (rope.attention_factor != 1) text += ", attention factor " + to_text(rope.attention_factor, 4);
  if (rope.cast)
    text += fmt::format(", {} rounded to {}", rope.cast->what == "cos_sin" ? "cos and sin" : rope.cast->what,
                        rope.cast->dtype);
  return text;
}

std::string rope_parameters_text(const WhichRope& rope) {
  JsonObject parameters;
  if (rope.rope_type && *rope.rope_type != "unknown")
    parameters["rope_type"] = *rope.rope_type == "mrope" ? std::string("default") : *rope.rope_type;
  if (rope.rope_theta) parameters["rope_theta"] = *rope.rope_theta;
  if (rope.factor) parameters["factor"] = *rope.factor;
  if (rope.original_max_position_embeddings)
    parameters["original_max_position_embeddings"] = *rope.original_max_position_embeddings;
  if (rope.attention_factor != 1) parameters["attention_factor"] = rope.attention_factor;
  if (rope.rotary_dim && rope.head_dim && *rope.rotary_dim != *rope.head_dim)
    parameters["partial_rotary_factor"] = static_cast<double>(*rope.rotary_dim) / static_cast<double>(*rope.head_dim);
  return compact_json(JsonObject{{"rope_parameters", parameters}});
}

}  // namespace vqscope
