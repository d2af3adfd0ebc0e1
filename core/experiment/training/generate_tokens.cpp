// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/methods.h"

#include "core/base/result.h"
#include "core/base/sentence.h"
#include "core/data/alphabet.h"
#include "core/method/shared/common_parameters.h"
#include "core/model/config/transformer_json.h"
#include "core/model/generate/generation.h"
#include "core/model/report/model_report.h"

#include <chrono>

namespace vqscope {
namespace {

/// Automatic: bytes for a model of 256 tokens, else numbers.
Alphabet alphabet_of(const ParameterValues& values, const TransformerConfig& config) {
  const std::string& chosen = values.choice("alphabet");
  if (chosen == "numbers") return Alphabet::numbers;
  if (chosen == "language") return Alphabet::language;
  if (chosen == "task") return Alphabet::task;
  return chosen == "bytes" || config.vocab == byte_vocabulary ? Alphabet::bytes : Alphabet::numbers;
}

/// The prompt's text if there is one, else its tokens.
Result<std::vector<std::int32_t>> prompt_of(const ParameterValues& values, Alphabet alphabet) {
  const std::string& text = values.text("prompt_text");
  if (!text.empty()) {
    auto tokens = tokens_of_text(alphabet == Alphabet::numbers ? Alphabet::bytes : alphabet, text);
    return tokens ? tokens : within("prompt_text", tokens.error());
  }
  std::vector<std::int32_t> tokens;
  for (const Index token : values.integers("prompt")) tokens.push_back(static_cast<std::int32_t>(token));
  return tokens;
}

/// Checks the memory for the parameters and for all keys and values of the cache before allocating.
Result<void> check_memory(const TransformerConfig& config, const ParameterLayout& layout, Index tokens, double size,
                          double memory) {
  const double each = static_cast<double>(config.attention_layers()) *
                      static_cast<double>(2 * config.key_width() + config.value_width() + config.n_heads);
  const double needed = size * (static_cast<double>(layout.count) + each * static_cast<double>(tokens));
  if (memory <= 0 || needed <= memory) return {};
  return too_large("this model and {} tokens need {} of memory, this machine has {}", tokens, byte_count(needed),
                   byte_count(memory));
}

GenerationOptions options_of(const ParameterValues& values) {
  return {.count = values.integer("count"),
          .sampler = {.temperature = values.real("temperature"), .top_p = values.real("top_p")},
          .seed = static_cast<std::uint64_t>(values.integer("seed")),
          .cache = values.boolean("use_cache")};
}

template <class Real>
Result<RunResult> make_as(const RunRequest& request, const ParameterValues& values, const Work& work) {
  const RunFile& file = request.files.at("config");
  const auto json = read_config_file(file);
  if (!json) return json.error();
  constexpr std::string_view also[]{"optimizer"};
  const auto config = read_transformer_config(*json, also);
  if (!config) return within(file.path, config.error());
  const auto layout = parameter_layout(*config);
  if (!layout) return layout.error();
  const auto weights = open_tensors(request.files.at("weights"));
  if (!weights) return weights.error();
  const Alphabet alphabet = alphabet_of(values, *config);
  const auto prompt = prompt_of(values, alphabet);
  if (!prompt) return prompt.error();
  const auto whole = static_cast<Index>(prompt->size()) + values.integer("count");
  if (auto fits = check_memory(*config, **layout, whole, sizeof(Real), request.memory); !fits) return fits.error();
  const auto parameters = read_parameters<Real>(*weights, *layout);
  if (!parameters) return parameters.error();
  const auto begin = std::chrono::steady_clock::now();
  const auto tokens = generate<Real>(*config, *parameters, *prompt, options_of(values), work);
  if (!tokens) return tokens.error();
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  RunResult result;
  const std::string text = text_of_tokens(alphabet, *tokens);
  result.contents["txt"] = alphabet == Alphabet::bytes ? text : text + "\n";
  result.facts.set("tokens", std::vector<Index>(tokens->begin(), tokens->end()));
  result.facts.set("prompt_tokens", static_cast<Index>(prompt->size()));
  result.facts.set("tokens_per_second", static_cast<double>(tokens->size()) / seconds);
  result.seconds.emplace_back("generate", seconds);
  return result;
}

Result<RunResult> make_generate_tokens_method(const RunRequest& request, const ParameterValues& values,
                                              const Work& work) {
  return values.choice("precision") == "float64" ? make_as<double>(request, values, work)
                                                 : make_as<float>(request, values, work);
}

std::vector<ParameterSpec> parameters() {
  return {
      make_parameter("prompt", "Generation", "Tokens that the sequence begins with.",
                     {.default_value = std::vector<Index>{0}, .minimum = 0, .maximum = 16777215}),
      make_parameter("prompt_text", "Generation",
                     "Text that the sequence begins with, in the characters of alphabet, instead of prompt.",
                     {.kind = ParameterKind::text, .default_value = std::string()}),
      make_parameter(
          "alphabet", "Generation", "Text form of the tokens.",
          {.default_value = std::string("automatic"),
           .choices = {{"automatic", "bytes for a model of 256 tokens, else numbers"},
                       {"numbers", "numbers separated by spaces; prompt_text is read as bytes"},
                       {"bytes", "one byte per token"},
                       {"language", "the synthetic language: brackets ( [ { < ) ] } >, words a to z and A to F"},
                       {"task", "the tasks: begin ^, separator |, end $, letters, values 0 to 9 and + - * / = %"}}}),
      make_parameter("count", "Generation", "Number of new tokens.",
                     {.default_value = Index{64}, .minimum = 1, .maximum = 1048576}),
      make_parameter("temperature", "Generation",
                     "Divisor of the logits before tokens are sampled; 0 takes the most likely token.",
                     {.default_value = 0.0, .minimum = 0, .maximum = 100}),
      make_parameter("top_p", "Generation",
                     "Tokens are sampled from the smallest set whose probabilities sum to this (nucleus sampling).",
                     {.default_value = 1.0, .minimum = 0, .maximum = 1}),
      seed_parameter("Generation", "Random seed."),
      make_parameter(
          "use_cache", "Generation",
          "Whether keys and values are cached. False: the whole sequence is recomputed for each token, with the "
          "same result.",
          {.default_value = true}),
      precision_parameter("float32")};
}

}  // namespace

Method generate_tokens_method() {
  return {
      .id = "generate_tokens",
      .title = "Tokens from a model of your own",
      .help = "Tokens that a small transformer generates after a prompt: the most likely ones, or sampled.",
      .citation = {"Holtzman et al. 2020, The Curious Case of Neural Text Degeneration, section 3.1",
                   "Hugging Face transformers, generation: temperature, top_p"},
      .parameters = parameters(),
      .recipe = RunRecipe{
          .inputs =
              {{.name = "config", .help = "JSON object, as model_gradients reads it", .required = true, .file = true},
               {.name = "weights",
                .help = ".safetensors with every parameter by its name",
                .required = true,
                .file = true}},
          .outputs = {{"txt", "the prompt and the new tokens, in the form set by alphabet"},
                      {"json", "a report with parameters, files, tokens, tokens_per_second, machine"}},
          .implied = {},
          .make = make_generate_tokens_method}};
}

}  // namespace vqscope
