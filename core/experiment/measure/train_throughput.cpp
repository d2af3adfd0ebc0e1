// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/sentence.h"
#include "core/experiment/measure/throughput_curves.h"
#include "core/experiment/methods.h"
#include "core/experiment/setting/vq_parameters.h"
#include "core/experiment/study/study_work.h"
#include "core/method/curve_set.h"
#include "core/method/shared/common_parameters.h"
#include "core/model/kernels/products.h"

#include <algorithm>
#include <array>

namespace vqscope {
namespace {

Result<CurveSet> make_train_throughput(const ParameterValues& values, const Work& work) {
  auto models = timed_models(values);
  if (!models) return models.error();
  return ThroughputCurves(values, std::move(*models)).measured(work);
}

/// Of all passes with their repeats, those that take too long up to the limit of time.
double train_throughput_work(const ParameterValues& values) {
  constexpr double work_of_a_second = 1e10;  // on one core, about
  const double most = values.real("most_seconds") * work_of_a_second;
  const Index rows = values.integer("batch_rows");
  double work = 0;
  for (const double length : timed_lengths(values.integer("length_max")))
    for (const auto& model : values.choices("models"))
      for (const auto& pass : values.choices("passes")) {
        const auto config = timed_config(values, model);
        if (!config) continue;
        const auto tokens = static_cast<Index>(length);
        work +=
            std::min(most, pass == "training" ? step_work(*config, rows, tokens) : pass_work(*config, rows, tokens));
      }
  return static_cast<double>(values.integer("repeats") + 1) * work;
}

Result<void> check_train_throughput(const ParameterValues& values) {
  for (const char* set : {"models", "passes"})
    if (auto chosen = check_chosen(values, set); !chosen) return chosen;
  if (values.choice("quantity") == "speed_up" &&
      (!is_chosen(values, "models", "full") || values.choices("models").size() < 2))
    return invalid("models is {} but must name full and another model to plot the speed-up",
                   join(values.choices("models"), ", "));
  for (const auto& model : values.choices("models"))
    if (const auto config = timed_config(values, model); !config) return config.error();
  return {};
}

std::vector<ParameterSpec> compared_throughputs() {
  return {make_parameter("quantity", "Curve", "Quantity to plot.",
                         {.default_value = std::string("tokens_per_second"),
                          .choices = {{"tokens_per_second", "tokens per second of each model"},
                                      {"speed_up", "seconds with full attention / seconds of each other model"}}}),
          make_parameter("models", "Curve", "Models to measure; their sizes are the same.",
                         {.default_value = std::vector<std::string>{"full", "vq"},
                          .choices = {{"full", "every key up to the query"},
                                      {"vq", "keys replaced by codewords, in time linear in the length"},
                                      {"vq_without_cache", "codewords at distances up to block_len only"}}}),
          make_parameter("passes", "Curve", "Passes to measure.",
                         {.default_value = std::vector<std::string>{"training", "evaluation"},
                          .choices = {{"training", "forward, backward and a step of AdamW"},
                                      {"evaluation", "forward with logits and loss"}}})};
}

/// Those of a trained model that change its speed and have a meaning with full attention too.
std::vector<ParameterSpec> timed_model_parameters() {
  std::vector<ParameterSpec> specs;
  for (auto& spec : every_model_parameter()) {
    constexpr std::array<std::string_view, 7> others{"attn",  "segment", "memory", "same_length",
                                                     "top_k", "window",  "mask"};
    constexpr std::array<std::string_view, 6> fixed{"cache",     "backprop_blocks", "grad_mode",
                                                    "clamp_len", "xl_base",         "fire_threshold"};
    if (std::ranges::count(others, spec.name) + std::ranges::count(fixed, spec.name) > 0) continue;
    if (spec.name == "pos")
      std::erase_if(spec.choices, [](const Choice& choice) { return choice.id == "vq" || choice.id == "learned"; });
    std::erase_if(spec.relevant, [](const Relevance& relevance) { return relevance.name == "attn"; });
    specs.push_back(std::move(spec));
  }
  return specs;
}

std::vector<ParameterSpec> train_throughput_parameters() {
  auto specs = compared_throughputs();
  specs.push_back(length_max_parameter());
  specs.back().default_value = Index{8192};
  add_parameter(specs, "batch_rows", "Sequence", "Number of sequences per batch, which the threads share.",
                {.default_value = Index{1}, .minimum = 1, .maximum = 64});
  for (auto& spec : timed_model_parameters()) specs.push_back(std::move(spec));
  specs.push_back(threads_parameter());
  specs.back().help = "Number of threads, which share the sequences of a batch.";
  specs.push_back(repeats_parameter());
  specs.push_back(most_seconds_parameter());
  specs.push_back(seed_parameter("Machine", "Random seed of the weights and of the tokens."));
  return specs;
}

}  // namespace

Method train_throughput_method() {
  return {.id = "train_throughput",
          .title = "Throughput of training by length",
          .help = "Tokens per second with full and VQ attention, in training and in evaluation.",
          .citation = vq_citation("section 5 and appendix B, table 6"),
          .parameters = train_throughput_parameters(),
          .check = check_train_throughput,
          .recipe = CurveRecipe{.make = make_train_throughput,
                                .origin = CurveOrigin::measured,
                                .kernels = best_products<float>().name,
                                .clocked = true,
                                .related = {"vq_table", "vq_throughput"},
                                .work = train_throughput_work}};
}

}  // namespace vqscope
