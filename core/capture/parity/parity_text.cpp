// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/capture/parity/parity.h"

#include "core/base/sentence.h"
#include "core/io/json/json_text.h"

#include <cctype>

namespace vqscope {
namespace {

/// What each id means; {a} and other names are parameters.
struct CauseText {
  std::string_view id, text;
};
constexpr CauseText cause_texts[]{
    {"window_size", "A's window is {a} keys, B's is {b}"},
    {"window_layers", "the windows are at other layers: {windows_a} in A, {windows_b} in B"},
    {"window_ignored", "B ignores the window of {a} keys (sliding_window)"},
    {"chunk_ignored", "B ignores the chunks of {chunk} tokens (attention_chunk_size)"},
    {"documents_ignored", "B attends across the packed documents (cu_seqlens; lengths {documents})"},
    {"padding_ignored", "B attends to padding (attention_mask is not used; padding {padding})"},
    {"causal_alignment",
     "B aligns the causal mask with the first key instead of the last: {past} cached keys are not counted"},
    {"mask_inverted", "B's mask is inverted: true means hidden there"},
    {"mask_additive_01", "B adds the mask's 0 and 1 to the scores instead of 0 and -inf"},
    {"position_offset", "B's positions are {offset} off"},
    {"positions_not_reset", "B's positions go on where A's begin again with each document"},
    {"positions_restart", "positions begin at {first_a} in A, at {first_b} in B (cache_position, past_key_values)"},
    {"positions_count_padding", "B's positions count padding (position_ids from attention_mask are missing)"},
    {"mrope_sections", "B gives the pairs of M-RoPE other axes: {axes}"},
    {"positions_cast", "B rounds positions to {dtype}"},
    {"rope_layout", "pairs of RoPE are {a} in A, {b} in B"},
    {"rope_theta", "rope_theta is {a} in A, {b} in B"},
    {"rotary_dim", "{a} columns rotate in A, {b} in B (partial_rotary_factor)"},
    {"nope_rotated", "one side rotates layer {layers}, the other does not (no_rope_layers)"},
    {"rope_factor_missing", "B leaves out the linear factor {factor} of RoPE (rope_scaling)"},
    {"yarn_factor_missing", "B leaves out YaRN with factor {factor} (rope_scaling)"},
    {"llama3_missing", "B leaves out the llama3 scaling with factor {factor} (rope_scaling)"},
    {"ntk_length", "dynamic NTK is computed for length {a} in A, {b} in B"},
    {"attention_factor_missing", "B leaves out the attention factor of RoPE: {a} in A, {b} in B"},
    {"attention_factor_squared", "B applies the attention factor of RoPE twice: {a} in A, {b} in B"},
    {"inv_freq_cast", "B rounds inv_freq to {dtype} (the module was cast)"},
    {"qk_cast", "B rounds {tensor} to {dtype}"},
    {"softmax_scale", "the scale of the scores is {a} in A, {b} in B"},
    {"softcap_missing", "B leaves out the softcap of {softcap} (attn_logit_softcapping)"},
    {"sink_missing", "B leaves out the attention sinks"},
    {"gqa_mapping", "B deals {heads} query heads to {groups} key heads in turn instead of in groups"},
    {"heads_permuted", "B's heads are A's in the order {permutation}"},
    {"qk_norm_missing", "B leaves out the norm of q and k"},
    {"kv_quantised", "B's keys or values are quantised to {bits} bits"},
    {"v_head", "B reads the values of another head: {shift} further"},
    {"alibi_slopes", "the slopes of ALiBi differ: {slopes_a} in A, {slopes_b} in B"},
    {"alibi_length", "B counts ALiBi's distances without the {past} keys of the cache"},
    {"t5_bidirectional", "bidirectional is {a} in A, {b} in B for T5's buckets"},
    {"tokens_shifted", "B's tokens stand {shift} rows later than A's"},
    {"weights_differ", "the inputs agree but a projection does not: the weights of {weights} differ"},
    {"inputs_differ", "what enters attention already differs: the cause lies before it"},
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

/// "a" and "first_a" for "b" and "first_b", and the other way round.
JsonObject with_sides_exchanged(const JsonObject& parameters) {
  JsonObject exchanged;
  for (const auto& [name, value] : parameters) {
    std::string other = name;
    if (name == "a" || name.ends_with("_a")) other.back() = 'b';
    if (name == "b" || name.ends_with("_b")) other.back() = 'a';
    exchanged[other] = value;
  }
  return exchanged;
}

JsonObject cause_json(const TriedCause& cause, bool sentence) {
  JsonObject object{{"id", cause.id}, {"explained", cause.explained}, {"departs", cause.in_a ? "a" : "b"}};
  object["parameters"] = cause.in_a ? with_sides_exchanged(cause.parameters) : cause.parameters;
  if (sentence) object["sentence"] = cause_sentence(cause);
  return object;
}

JsonObject first_json(const FirstDifference& first) {
  const auto& [batch, head, row, column] = first.cell.at;
  const TensorAxes axes = axes_of(first.role);
  const bool rotated = first.role == TensorRole::q_rot || first.role == TensorRole::k_rot;
  JsonObject object{{"layer", first.layer}, {"tensor", name_of(first.role)}, {"batch", batch}, {"row", row}};
  object["head"] = axes == TensorAxes::rows ? JsonValue() : JsonValue(head);
  object["column"] = column;
  if (rotated) object["pair"] = column;
  object["a"] = first.cell.a;
  object["b"] = first.cell.b;
  return object;
}

}  // namespace

std::string cause_sentence(const TriedCause& cause) {
  for (const CauseText& known : cause_texts) {
    if (known.id != cause.id) continue;
    std::string text = cause.in_a ? with_sides_exchanged(std::string(known.text)) : std::string(known.text);
    for (const auto& [name, value] : cause.parameters) {
      const std::string hole = "{" + name + "}";
      for (std::size_t at = text.find(hole); at != std::string::npos; at = text.find(hole))
        text.replace(at, hole.size(), value_shown(value));
    }
    return text;
  }
  return cause.id;
}

std::string place_text(const FirstDifference& first) {
  const auto& [batch, head, row, column] = first.cell.at;
  const TensorAxes axes = axes_of(first.role);
  return fmt::format("layer {}, {}, sample {}{}, {} {}, {} {}: {} in A, {} in B", first.layer, name_of(first.role),
                     batch, axes == TensorAxes::rows ? "" : ", head " + to_text(head),
                     is_of_keys(first.role) ? "key" : "query", row, axes == TensorAxes::cells ? "key" : "column",
                     column, to_text(first.cell.a, 6), to_text(first.cell.b, 6));
}

JsonObject parity_json(const Parity& parity) {
  const CaptureComparison& comparison = parity.comparison;
  JsonArray layers, alternatives;
  for (const ComparedLayer& layer : comparison.layers) {
    JsonObject tensors;
    for (const auto& [role, difference] : layer.tensors)
      tensors[std::string(name_of(role))] =
          JsonObject{{"max", difference.max}, {"rms", difference.rms}, {"relative", difference.relative}};
    layers.push_back(JsonObject{{"layer", layer.layer}, {"tensors", tensors}});
  }
  for (const TriedCause& each : parity.alternatives) alternatives.push_back(cause_json(each, false));
  return {{"verdict", name_of(comparison.verdict)},
          {"sentence", parity.sentence},
          {"first", comparison.first ? JsonValue(first_json(*comparison.first)) : JsonValue()},
          {"cause", parity.cause ? JsonValue(cause_json(*parity.cause, true)) : JsonValue()},
          {"alternatives", alternatives},
          {"layers", layers},
          {"read", JsonObject{{"a", comparison.read_a}, {"b", comparison.read_b}}},
          {"look_at", parity.look_at},
          {"undetermined", parity.undetermined}};
}

}  // namespace vqscope
