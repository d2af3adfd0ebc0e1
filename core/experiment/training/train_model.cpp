// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/methods.h"

#include "core/base/machine.h"
#include "core/base/sentence.h"
#include "core/data/task.h"
#include "core/experiment/corpus/corpus.h"
#include "core/experiment/study/study_work.h"
#include "core/experiment/training/model_training.h"
#include "core/experiment/training/training_data.h"
#include "core/method/curve_set.h"
#include "core/method/shared/common_parameters.h"
#include "core/model/kernels/products.h"
#include "core/model/report/model_report.h"

#include <algorithm>

namespace vqscope {
namespace {

std::vector<ParameterSpec> train_model_parameters() {
  std::vector<ParameterSpec> specs{
      make_parameter("data", "Training", "Training data.",
                     {.default_value = std::string("language"),
                      .choices = {{"language", "a synthetic language of words, brackets, topics and copies; 40 tokens"},
                                  {"copy", "up to 12 symbols, and the same again; 84 tokens, as all tasks"},
                                  {"reverse", "up to 12 symbols, and the same backwards"},
                                  {"sort", "up to 8 symbols, and the same in order"},
                                  {"recall", "up to 6 pairs of key and value, and the same in another order"},
                                  {"passkey", "one key among up to 60 tokens, requested at the end"}}})};
  const auto texts = corpus_choices();
  specs.front().choices.insert(specs.front().choices.end(), texts.begin(), texts.end());
  specs.push_back(score_parameter("Training"));
  for (const auto& more :
       {model_kind_parameters(), model_size_parameters(), optimiser_parameters(), regularisation_parameters()})
    specs.insert(specs.end(), more.begin(), more.end());
  specs.push_back(bptt_parameter());
  specs.back().relevant = {{"attn", {"vq"}}};
  add_parameter(specs, "stop_after", "Training",
                "Training stops after this step; resume continues it to the same weights.",
                {.default_value = Index{0}, .minimum = 0, .maximum = 10000000, .automatic = "steps"});
  add_parameter(specs, "random_positions", "Training",
                "Gives each sequence sorted random positions below this number (Ruoss et al. 2023).",
                {.default_value = Index{0}, .minimum = 0, .maximum = 1048576, .automatic = "positions 0, 1, 2, ..."});
  specs.push_back(seed_parameter("Training", "Random seed of the data and of the initial weights."));
  specs.push_back(precision_parameter("float32"));
  specs.push_back(worker_threads_parameter("Machine"));
  return specs;
}

Result<CurveSet> loss_by_step(const ParameterValues& values, const Work& work) {
  const RunRequest request{
      .inputs = {}, .memory = this_machine().memory, .files = {}, .accept = {}, .outputs = {{}}};  // only the curves
  const auto trained = run_training(request, values, work);
  if (!trained) return trained.error();
  if (work.stop.stop_requested()) return cancelled();
  return *trained->curves;
}

double training_work(const ParameterValues& values) {
  const auto config = model_config(values, 40);
  if (!config) return 0;
  const auto& data = values.choice("data");
  const auto task = std::ranges::find(task_infos(), data, &TaskInfo::id);
  const Index rows = values.integer("batch_rows"), all = values.integer("steps"), last = values.integer("stop_after");
  const Index length =
      task == task_infos().end() ? values.integer("length") : TrainingData::task(task->task, 0, rows).first_shape()[1];
  const Index window = bptt_len(values), passed = window > 0 ? std::min(length, window) : length;
  const auto at_a_time = static_cast<double>(std::min<Index>(rows, worker_threads(values)));
  return static_cast<double>(last > 0 ? std::min(all, last) : all) * step_work(*config, rows, passed) / at_a_time;
}

Result<void> check_train_model(const ParameterValues& values) {
  if (values.choice("pos") == "learned" && values.integer("random_positions") > TransformerConfig().max_pos)
    return invalid("random_positions is {} but must be at most 1024, the learned positions, for pos learned",
                   values.integer("random_positions"));
  const auto config = model_config(values, 2);
  if (!config) return config.error();
  const Index window = bptt_len(values);
  if (window == 0) return {};
  if (window % config->block_len != 0)
    return invalid("bptt_len is {} but must be a multiple of block_len, {}", window, config->block_len);
  const auto& data = values.choice("data");
  if (std::ranges::count(task_infos(), data, &TaskInfo::id) > 0)
    return invalid("bptt_len is {} but must be 0 for data {}, whose sequences have different lengths", window, data);
  for (const char* name : {"random_positions", "layerdrop"})
    if (const double value =
            name == std::string("layerdrop") ? values.real(name) : static_cast<double>(values.integer(name));
        value > 0)
      return invalid("{} is {} but must be 0 with bptt_len: windows continue each other's positions and layers", name,
                     to_text(value));
  return {};
}

}  // namespace

Method train_model_method() {
  return {
      .id = "train_model",
      .title = "Training of a small model",
      .help = "Trains a small transformer: weights, config and the loss of every step.",
      .citation = {"Loshchilov and Hutter 2019, Decoupled Weight Decay Regularization",
                   "Hugging Face transformers, models/llama: names and layout of the tensors"},
      .parameters = train_model_parameters(),
      .check = check_train_model,
      .recipe =
          RunRecipe{.inputs = {{.name = "config",
                                .help = "JSON object of the model, as model_gradients reads it, instead of the "
                                        "parameters from pos to d_ff",
                                .file = true},
                               {.name = "text",
                                .help = "file or folder to train on as bytes, for data=text; its last tenth is kept "
                                        "for the test",
                                .file = true,
                                .folder = true},
                               {.name = "resume",
                                .help = "a .state.safetensors of the same model and parameters, to continue from",
                                .file = true}},
                    .outputs = {{"safetensors", "the weights, each by its name"},
                                {"state.safetensors",
                                 "the weights, the state of the optimiser and what bptt_len carries, for resume"},
                                {"capture.safetensors",
                                 "what each layer sees of the first sequence, as heads, parity and check read it"},
                                {"config.json", "the model's config"},
                                {"csv",
                                 "loss, learning rate and gradient norm of each step; for VQ attention also commitment "
                                 "loss and fraction of codewords in use by layer"},
                                {"json", "a report with parameters, files, loss curve, tokens_per_second, machine"}},
                    .implied = {},
                    .make = run_training},
      .run_curves = CurveRecipe{.make = loss_by_step,
                                .origin = CurveOrigin::measured,
                                .kernels = best_products<float>().name,
                                .work = training_work}};
}

}  // namespace vqscope
