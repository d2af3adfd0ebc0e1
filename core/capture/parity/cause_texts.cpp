// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/capture/parity/cause_texts.h"

#include "core/base/sentence.h"
#include "core/io/json/json_text.h"

#include <algorithm>
#include <cctype>

namespace vqscope {
namespace {

/// What each id means, and how it stands in a config or a call; {a} and other names are parameters.
struct CauseText {
  std::string_view id, text, call;
};
constexpr CauseText known_causes[]{
    {"window_size", "A's window is {a} keys, B's is {b}",
     "A: \"sliding_window\": {a}\nB: \"sliding_window\": {b}\nthe own key counts: flash_attn_func(..., "
     "window_size=(sliding_window - 1, 0))"},
    {"window_layers", "the windows are at other layers: {windows_a} in A, {windows_b} in B",
     "A: windows of the layers {windows_a}\nB: windows of the layers {windows_b}\nconfig.json: \"layer_types\", "
     "\"sliding_window_pattern\", \"max_window_layers\""},
    {"window_ignored", "B ignores the window of {a} keys (sliding_window)",
     "A: \"sliding_window\": {a}\nB: \"sliding_window\": null, \"use_sliding_window\": false, or a kernel that is not "
     "given window_size"},
    {"chunk_ignored", "B ignores the chunks of {chunk} tokens (attention_chunk_size)",
     "A: \"attention_chunk_size\": {chunk}\nB: \"attention_chunk_size\": null"},
    {"documents_ignored", "B attends across the packed documents (cu_seqlens; lengths {documents})",
     "A: flash_attn_varlen_func(..., cu_seqlens_q, cu_seqlens_k), documents of {documents} tokens\nB: one causal mask "
     "over all tokens"},
    {"padding_ignored", "B attends to padding (attention_mask is not used; padding {padding})",
     "A: attention_mask=mask, with {padding} tokens of padding\nB: attention_mask=None"},
    {"causal_alignment",
     "B aligns the causal mask with the first key instead of the last: {past} cached keys are not counted",
     "A: torch.ones(Tq, Tk).tril({past})\nB: torch.ones(Tq, Tk).tril(0), as scaled_dot_product_attention(..., "
     "is_causal=True)"},
    {"mask_inverted", "B's mask is inverted: true means hidden there",
     "A: attn_mask=visible (scaled_dot_product_attention: True is seen)\nB: attn_mask=~visible (key_padding_mask and "
     "masked_fill: True is hidden)"},
    {"mask_additive_01", "B adds the mask's 0 and 1 to the scores instead of 0 and -inf",
     "A: a bool mask, or 0 and -inf\nB: scores + mask.float()"},
    {"position_offset", "B's positions are {offset} off", "A: position_ids\nB: position_ids + ({offset})"},
    {"positions_not_reset", "B's positions go on where A's begin again with each document",
     "A: position_ids from 0 in each document\nB: position_ids = torch.arange(T)"},
    {"positions_restart", "positions begin at {first_a} in A, at {first_b} in B (cache_position, past_key_values)",
     "A: cache_position[0] == {first_a}\nB: cache_position[0] == {first_b}"},
    {"positions_count_padding", "B's positions count padding (position_ids from attention_mask are missing)",
     "A: position_ids = (attention_mask.cumsum(-1) - 1).clamp(min=0)\nB: position_ids = torch.arange(T)"},
    {"mrope_sections", "B gives the pairs of M-RoPE other axes: {axes}",
     "in config.json: \"mrope_section\", \"mrope_interleaved\"; axes of the pairs in B, by those of A: {axes}"},
    {"positions_cast", "B rounds positions to {dtype}",
     "A: position_ids.float() * inv_freq\nB: position_ids.to({dtype}) * inv_freq, as under autocast"},
    {"rope_layout", "pairs of RoPE are {a} in A, {b} in B",
     "A: {a}\nB: {b}\nhalf_split: rotate_half, is_neox_style=True; interleaved: view_as_complex, is_neox_style=False, "
     "\"rope_interleave\": true"},
    {"rope_theta", "rope_theta is {a} in A, {b} in B", "A: \"rope_theta\": {a}\nB: \"rope_theta\": {b}"},
    {"rotary_dim", "{a} columns rotate in A, {b} in B (partial_rotary_factor)",
     "A: rotary_dim={a}\nB: rotary_dim={b}\nconfig.json: \"partial_rotary_factor\" is rotary_dim / head_dim"},
    {"nope_rotated", "one side rotates layer {layers}, the other does not (no_rope_layers)",
     "in config.json: \"no_rope_layers\" has 0 for a layer that is not rotated"},
    {"rope_factor_missing", "B leaves out the linear factor {factor} of RoPE (rope_scaling)",
     "A: \"rope_scaling\": {\"rope_type\": \"linear\", \"factor\": {factor}}\nB: \"rope_scaling\": null"},
    {"yarn_factor_missing", "B leaves out YaRN with factor {factor} (rope_scaling)",
     "A: \"rope_scaling\": {\"rope_type\": \"yarn\", \"factor\": {factor}}\nB: \"rope_scaling\": null"},
    {"llama3_missing", "B leaves out the llama3 scaling with factor {factor} (rope_scaling)",
     "A: \"rope_scaling\": {\"rope_type\": \"llama3\", \"factor\": {factor}}\nB: \"rope_scaling\": null"},
    {"ntk_length", "dynamic NTK is computed for length {a} in A, {b} in B",
     "A: seq_len={a}\nB: seq_len={b}\nwith \"rope_scaling\": {\"rope_type\": \"dynamic\"}"},
    {"attention_factor_missing", "B leaves out the attention factor of RoPE: {a} in A, {b} in B",
     "A: \"rope_scaling\": {\"attention_factor\": {a}}\nB: cos and sin times {b}"},
    {"attention_factor_squared", "B applies the attention factor of RoPE twice: {a} in A, {b} in B",
     "A: \"rope_scaling\": {\"attention_factor\": {a}}\nB: cos and sin times {b}"},
    {"inv_freq_cast", "B rounds inv_freq to {dtype} (the module was cast)",
     "A: inv_freq in float32\nB: inv_freq.to({dtype}): model.to() casts the buffer, too"},
    {"qk_cast", "B rounds {tensor} to {dtype}", "A: {tensor}\nB: {tensor}.to({dtype})"},
    {"softmax_scale", "the scale of the scores is {a} in A, {b} in B",
     "A: scale={a}\nB: scale={b}\nconfig.json: \"query_pre_attn_scalar\" is 1 / scale², \"attention_multiplier\" "
     "the scale"},
    {"softcap_missing", "B leaves out the softcap of {softcap} (attn_logit_softcapping)",
     "A: \"attn_logit_softcapping\": {softcap}, flash_attn_func(..., softcap={softcap})\nB: softcap=0"},
    {"sink_missing", "B leaves out the attention sinks",
     "A: softmax(cat([scores, sinks], -1))[..., :-1]\nB: softmax(scores)"},
    {"gqa_mapping", "B deals {heads} query heads to {groups} key heads in turn instead of in groups",
     "A: k.repeat_interleave({heads} // {groups}, dim=1)\nB: k.repeat(1, {heads} // {groups}, 1, 1)"},
    {"heads_permuted", "B's heads are A's in the order {permutation}",
     "A: x[:, heads]\nB: x[:, {permutation}]\nthe rows of a projection may be in another order, as those of GGUF files "
     "are"},
    {"qk_norm_missing", "B leaves out the norm of q and k", "A: q_norm(q), k_norm(k)\nB: q, k"},
    {"kv_quantised", "B's keys or values are quantised to {bits} bits",
     "A: kv_cache_dtype=\"auto\"\nB: a cache of {bits} bits"},
    {"v_head", "B reads the values of another head: {shift} further",
     "A: v[:, group]\nB: v[:, (group + {shift}) % groups]"},
    {"alibi_slopes", "the slopes of ALiBi differ: {slopes_a} in A, {slopes_b} in B",
     "A: slopes {slopes_a}\nB: slopes {slopes_b}\nof a number of heads that is no power of two, the paper takes every "
     "second slope of twice as many"},
    {"alibi_length", "B counts ALiBi's distances without the {past} keys of the cache",
     "A: slope * (key - (past + row))\nB: slope * (key - row)"},
    {"t5_bidirectional", "bidirectional is {a} in A, {b} in B for T5's buckets",
     "A: relative_position_bucket(..., bidirectional={a})\nB: relative_position_bucket(..., bidirectional={b})"},
    {"tokens_shifted", "B's tokens stand {shift} rows later than A's",
     "A: input_ids\nB: input_ids, {shift} later: add_special_tokens, a second BOS"},
    {"weights_differ", "the inputs agree but a projection does not: the weights of {weights} differ",
     "compare the state_dict entries of {weights}: the order in a fused qkv_proj, quantised or merged weights"},
    {"inputs_differ", "what enters attention already differs: the cause lies before it", ""},
};

std::string number_shown(double value) {
  return value == static_cast<double>(static_cast<Index>(value)) ? plain_text(value) : to_text(value, 6);
}

std::string value_shown(const JsonValue& value) {
  const auto& data = value.data();
  if (const auto* number = std::get_if<double>(&data)) return number_shown(*number);
  if (const auto* text = std::get_if<std::string>(&data)) return *text;
  if (const auto* list = std::get_if<std::vector<double>>(&data)) {
    std::vector<std::string> parts;
    for (std::size_t i = 0; i < std::min<std::size_t>(list->size(), 8); ++i) parts.push_back(to_text((*list)[i], 4));
    return "[" + join(parts, ", ") + (list->size() > 8 ? ", …]" : "]");
  }
  return compact_json(value);
}

/// A for B and B for A, where they stand alone.
std::string with_sides_exchanged(std::string text) {
  const auto is_letter = [&](std::size_t at) {
    return at < text.size() && std::isalnum(static_cast<unsigned char>(text[at]));
  };
  for (std::size_t i = 0; i < text.size(); ++i)
    if ((text[i] == 'A' || text[i] == 'B') && (i == 0 || !is_letter(i - 1)) && !is_letter(i + 1))
      text[i] = text[i] == 'A' ? 'B' : 'A';
  return text;
}

/// A text of the table with its holes filled.
std::string filled(std::string_view template_text, const TriedCause& cause) {
  std::string text = cause.in_a ? with_sides_exchanged(std::string(template_text)) : std::string(template_text);
  for (const auto& [name, value] : cause.parameters) {
    const std::string hole = "{" + name + "}";
    for (std::size_t at = text.find(hole); at != std::string::npos; at = text.find(hole))
      text.replace(at, hole.size(), value_shown(value));
  }
  return text;
}

const CauseText* known_cause(const std::string& id) {
  const auto* found = std::ranges::find(known_causes, id, &CauseText::id);
  return found == std::end(known_causes) ? nullptr : found;
}

}  // namespace

std::string cause_sentence(const TriedCause& cause) {
  const CauseText* known = known_cause(cause.id);
  return known ? filled(known->text, cause) : cause.id;
}

std::string cause_call(const TriedCause& cause) {
  const CauseText* known = known_cause(cause.id);
  return known ? filled(known->call, cause) : std::string();
}

JsonObject shown_parameters(const TriedCause& cause) {
  if (!cause.in_a) return cause.parameters;
  // "a" and "first_a" for "b" and "first_b", and the other way round.
  JsonObject exchanged;
  for (const auto& [name, value] : cause.parameters) {
    std::string other = name;
    if (name == "a" || name.ends_with("_a")) other.back() = 'b';
    if (name == "b" || name.ends_with("_b")) other.back() = 'a';
    exchanged[other] = value;
  }
  return exchanged;
}

}  // namespace vqscope
