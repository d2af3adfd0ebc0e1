// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/training/model_training.h"

#include "core/io/json/json_reader.h"
#include "core/model/config/transformer_config.h"
#include "core/model/config/transformer_json.h"
#include "core/model/position/relative_bias.h"

namespace vqscope {
namespace {

ParameterSpec model_size(const char* name, const char* help, Index default_value, double maximum, double minimum = 1) {
  return make_parameter(
      name, "Model", help,
      {.default_value = default_value, .minimum = minimum, .maximum = maximum, .logarithmic = maximum > 1024});
}

ParameterSpec number(const char* name, const char* help, double default_value, double minimum, double maximum) {
  return make_parameter(name, "Training", help,
                        {.default_value = default_value, .minimum = minimum, .maximum = maximum});
}

/// The choices with the biases that a model can add after the first of them.
std::vector<Choice> with_biases(std::vector<Choice> choices) {
  const auto biases = relative_bias_choices();
  choices.insert(choices.begin() + 1, biases.begin(), biases.end());
  return choices;
}

std::vector<Choice> position_choices() {
  return with_biases({{"nope", "no position encoding"},
                      {"sinusoidal", "sinusoids added to the token embeddings"},
                      {"learned", "a learnt table added to the token embeddings"},
                      {"t5_bias", "a learnt bias by bucket of distance, the same in all layers"},
                      {"fire", "a bias by a small network of distance and position (FIRE)"},
                      {"rope", "queries and keys are rotated"},
                      {"xpos", "queries and keys are rotated and scaled by position"},
                      {"xl", "learnt products with sinusoids of the distance (Transformer-XL)"},
                      {"vq", "a learnt bias up to block_len; with attn vq"}});
}

}  // namespace

ParameterSpec layer_parameter(const char* group) {
  return make_parameter(
      "layer", group, "Kind of layer.",
      {.default_value = std::string("transformer"),
       .choices = {{"transformer", "attention and an MLP"},
                   {"shga", "two gated attention units of one head (SHGA, GAU), with about as many parameters"}}});
}

std::vector<ParameterSpec> model_size_parameters() {
  const auto gated = [](const char* name, const char* help, const char* automatic) {
    ParameterSpec spec = model_size(name, help, 0, 65536, 0);
    spec.automatic = automatic;
    spec.relevant = {{"layer", {"shga"}}};
    return spec;
  };
  ParameterSpec kv_heads =
      model_size("n_kv_heads", "Number of key/value heads, each shared by as many query heads.", 0, 256, 0);
  kv_heads.automatic = "as many as n_heads";
  kv_heads.relevant = {{"layer", {"transformer"}}};
  return {
      layer_parameter("Model"),
      gated("d_k", "Width of queries and keys of a gated unit.", "d_model / n_heads"),
      gated("d_v", "Width of values and gates of a gated unit.", "gives as many parameters as attention and MLP have"),
      model_size("d_model", "Width of the residual stream.", 64, 4096),
      model_size("n_layers", "Number of layers.", 2, 64),
      model_size("n_heads", "Number of attention heads, each of d_model / n_heads dimensions.", 4, 256),
      std::move(kv_heads),
      model_size("d_ff", "Width of the MLP (SwiGLU).", 128, 65536)};
}

std::vector<ParameterSpec> model_kind_parameters() {
  const std::vector<Relevance> vq{{"attn", {"vq"}}};
  return {
      make_parameter("pos", "Model", "Position encoding.",
                     {.default_value = std::string("rope"), .choices = position_choices()}),
      make_parameter("bias", "Model", "Bias added to the scores of rotated queries and keys.",
                     {.default_value = std::string("none"),
                      .choices = with_biases({{"none", "no bias"},
                                              {"t5_bias", "a learnt bias by bucket of distance"},
                                              {"fire", "a small network of distance and position"}}),
                      .relevant = {{"pos", {"rope", "xpos"}}}}),
      make_parameter("qk_bias", "Model",
                     "Whether learnt vectors a and b are added to queries and keys: before their rotation, RoPE with "
                     "bias.",
                     {.label = "Bias of q and k", .default_value = false, .relevant = {{"layer", {"transformer"}}}}),
      make_parameter("fire_threshold", "Model",
                     "FIRE: position up to which distances have the same scale, before training changes it.",
                     {.default_value = 512.0,
                      .minimum = 1,
                      .maximum = 1048576,
                      .unit = "tokens",
                      .relevant = {{"pos", {"fire"}}}}),
      make_parameter("xl_base", "Model", "Transformer-XL's positions: base of the sinusoids of the distance.",
                     {.default_value = 10000.0, .minimum = 1, .maximum = 1e15, .relevant = {{"pos", {"xl"}}}}),
      make_parameter("clamp_len", "Model", "Transformer-XL's positions: larger distances count as this one.",
                     {.default_value = Index{0},
                      .minimum = 0,
                      .maximum = 1048576,
                      .unit = "tokens",
                      .automatic = "no limit",
                      .relevant = {{"pos", {"xl"}}}}),
      make_parameter(
          "attn", "Model", "Kind of attention.",
          {.default_value = std::string("full"),
           .choices = {{"full", "every key up to the query"},
                       {"window", "the latest window keys"},
                       {"mask", "the keys that a mask of your own lets a query see, up to the query"},
                       {"vq", "every key, replaced by its nearest codeword; distances above block_len count alike"},
                       {"xl", "the keys of the query's segment and of a memory before it (Transformer-XL)"},
                       {"memorizing", "the keys of the segment, and in the last layer retrieved ones (Memorizing)"},
                       {"infini_linear",
                        "the keys of the segment, and a compressive memory (Infini-attention), linear rule"},
                       {"infini_delta", "the same, delta rule"}}}),
      make_parameter("segment", "Model", "Number of tokens in a segment.",
                     {.default_value = Index{16},
                      .minimum = 1,
                      .maximum = 1048576,
                      .unit = "tokens",
                      .relevant = {{"attn", {"xl", "memorizing", "infini_linear", "infini_delta"}}}}),
      make_parameter(
          "memory", "Model",
          "Tokens before the segment that xl keeps; the latest tokens that memorizing can retrieve, 0 for all.",
          {.default_value = Index{0},
           .minimum = 0,
           .maximum = 1048576,
           .unit = "tokens",
           .relevant = {{"attn", {"xl", "memorizing"}}}}),
      make_parameter("same_length", "Model",
                     "Whether each query sees exactly the latest memory keys, including its own.",
                     {.default_value = false, .relevant = {{"attn", {"xl"}}}}),
      make_parameter(
          "top_k", "Model", "Number of keys that a query retrieves.",
          {.default_value = Index{8}, .minimum = 1, .maximum = 1024, .relevant = {{"attn", {"memorizing"}}}}),
      make_parameter(
          "window", "Model", "Number of keys that a query sees, including its own.",
          {.default_value = Index{32}, .minimum = 1, .maximum = 1048576, .relevant = {{"attn", {"window"}}}}),
      make_parameter("mask", "Model", "Text in the mask language without free names, for example q_idx - kv_idx < 32.",
                     {.kind = ParameterKind::text,
                      .default_value = std::string("q_idx - kv_idx < 32"),
                      .relevant = {{"attn", {"mask"}}},
                      .in_summary = InSummary::never,
                      .text_form = TextForm::mask}),
      make_parameter("n_code", "Model", "Codebook size of each head.",
                     {.default_value = Index{32}, .minimum = 1, .maximum = 65536, .relevant = vq}),
      make_parameter("block_len", "Model",
                     "Number of tokens in a block of VQ attention; the largest distance with a bias.",
                     {.default_value = Index{16}, .minimum = 1, .maximum = 65536, .relevant = vq}),
      make_parameter("cache", "Model", "Whether queries see keys further back than block_len.",
                     {.default_value = true, .relevant = vq}),
      make_parameter(
          "grad_mode", "Model", "Keys that the gradient reaches through their codewords.",
          {.default_value = std::string("through_cache"),
           .choices = {{"dense_ste", "all keys"},
                       {"through_cache", "those of the query's block and the block before; all values"},
                       {"truncated",
                        "as through_cache, but nothing outside the query's window of backprop_blocks blocks"}},
           .relevant = vq}),
      make_parameter("backprop_blocks", "Model",
                     "Number of blocks in a window of truncated backpropagation; gradients stop at the window's start.",
                     {.default_value = Index{1},
                      .minimum = 1,
                      .maximum = 65536,
                      .relevant = {{"attn", {"vq"}}, {"grad_mode", {"truncated"}}}})};
}

std::vector<ParameterSpec> optimiser_parameters() {
  return {make_parameter("steps", "Training", "Number of training steps.",
                         {.default_value = Index{600}, .minimum = 1, .maximum = 10000000, .logarithmic = true}),
          make_parameter("batch_rows", "Training", "Number of sequences per batch.",
                         {.default_value = Index{16}, .minimum = 1, .maximum = 4096}),
          make_parameter(
              "length", "Training", "Training length.",
              {.default_value = Index{64}, .minimum = 1, .maximum = 65536, .logarithmic = true, .unit = "tokens"}),
          number("lr_max", "Learning rate after the warm-up.", 5e-3, 0, 1e6),
          number("lr_min_ratio", "Learning rate at the last step, as a fraction of lr_max.", 0.1, 0, 1),
          make_parameter("warmup_steps", "Training",
                         "Number of steps over which the learning rate rises to lr_max; a cosine follows.",
                         {.default_value = Index{50}, .minimum = 0, .maximum = 10000000}),
          number("weight_decay", "Weight decay, for tensors of two dimensions or more.", 0.1, 0, 1e6),
          number("clip", "Maximum norm of the gradient, which is clipped to it.", 1, 1e-9, 1e9)};
}

std::vector<ParameterSpec> regularisation_parameters() {
  return {make_parameter(
              "optimiser", "Training", "Rule that updates the weights.",
              {.default_value = std::string("adamw"),
               .choices = {{"adamw", "AdamW: averages of the gradient and of its square for each weight"},
                           {"adafactor",
                            "Adafactor: averages for rows and columns; lr_max is relative to a tensor's size"}}}),
          number("dropout", "Fraction of the embeddings and of each branch that is set to 0 in training.", 0, 0, 0.95),
          number("layerdrop", "Fraction of the layers skipped in each training step.", 0, 0, 0.95)};
}

void apply_regularisation(const ParameterValues& values, TrainerOptions& options) {
  options.optimiser = values.choice("optimiser") == "adafactor" ? OptimiserKind::adafactor : OptimiserKind::adamw;
  options.dropout = values.real("dropout");
  options.layerdrop = values.real("layerdrop");
  options.seed = static_cast<std::uint64_t>(values.integer("seed"));
}

TransformerConfig sized_config(const ParameterValues& values, Index vocabulary) {
  TransformerConfig config;
  config.vocab = vocabulary;
  config.d_model = values.integer("d_model");
  config.n_layers = values.integer("n_layers");
  config.n_heads = values.integer("n_heads");
  const Index kv_heads = values.integer("n_kv_heads");
  config.n_kv_heads = kv_heads == 0 ? config.n_heads : kv_heads;
  config.head_dim = std::max<Index>(1, config.d_model / config.n_heads);
  config.d_ff = values.integer("d_ff");
  if (values.choice("layer") == "shga") use_gated_layers(config, values.integer("d_k"), values.integer("d_v"));
  return config;
}

/// Parsed like a config file, so that the names of kinds are defined in one place.
Result<TransformerConfig> model_config(const ParameterValues& values, Index vocabulary) {
  JsonObject object = transformer_json(sized_config(values, vocabulary));
  const std::string& attention = values.choice("attn");
  const bool vq = attention == "vq", memorizing = attention == "memorizing", xl = attention == "xl";
  for (const char* name : {"pos", "attn"}) object[name] = values.choice(name);
  const bool rotates = values.choice("pos") == "rope" || values.choice("pos") == "xpos";
  if (rotates) object["bias"] = values.choice("bias");
  if (values.choice("layer") == "transformer") object["qk_bias"] = values.boolean("qk_bias");
  if (values.choice("pos") == "xl") {
    object["clamp_len"] = values.integer("clamp_len");
    object["xl_base"] = values.real("xl_base");
  }
  const bool fire = values.choice("pos") == "fire" || (rotates && values.choice("bias") == "fire");
  if (fire) object["fire_threshold"] = values.real("fire_threshold");
  if (attention == "window") object["window"] = values.integer("window");
  if (attention == "mask") object["mask"] = values.text("mask");
  if (xl || memorizing || attention.starts_with("infini")) object["segment"] = values.integer("segment");
  if (xl || memorizing) object["memory"] = values.integer("memory");
  if (xl) object["same_length"] = values.boolean("same_length");
  if (memorizing) object["top_k"] = values.integer("top_k");
  for (const char* name : {"n_code", "block_len"})
    if (vq) object[name] = values.integer(name);
  if (vq) {
    object["cache"] = values.boolean("cache");
    object["grad_mode"] = values.choice("grad_mode");
    object["backprop_blocks"] = values.integer("backprop_blocks");
  }
  const auto json = read_json(indented_json(object));
  if (!json) return json.error();
  return read_transformer_config(*json);
}

ParameterSpec bptt_parameter() {
  return make_parameter("bptt_len", "Training",
                        "VQ attention, truncated backpropagation: a step takes the next window of so many tokens, a "
                        "multiple of the block; attention's state is carried to it as a constant.",
                        {.label = "BPTT window",
                         .default_value = Index{0},
                         .minimum = 0,
                         .maximum = 65536,
                         .unit = "tokens",
                         .automatic = "whole sequences"});
}

Index bptt_len(const ParameterValues& values) {
  const bool is_offered = values.find("attn") && values.find("bptt_len");  // not by masked_language
  return is_offered && values.choice("attn") == "vq" ? values.integer("bptt_len") : 0;
}

TrainerOptions trainer_options(const ParameterValues& values) {
  const double decay = values.real("weight_decay"), clip = values.real("clip");
  TrainerOptions options{.adamw = {.weight_decay = decay, .clip = clip},
                         .adafactor = {.weight_decay = decay, .clip = clip},
                         .rate = {.lr_max = values.real("lr_max"),
                                  .lr_min_ratio = values.real("lr_min_ratio"),
                                  .warmup_steps = values.integer("warmup_steps"),
                                  .total_steps = values.integer("steps")}};
  options.bptt_len = bptt_len(values);
  apply_regularisation(values, options);
  return options;
}

}  // namespace vqscope
