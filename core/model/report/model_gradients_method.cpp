// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/method/shared/common_parameters.h"
#include "core/model/kernels/products.h"
#include "core/model/report/model_report.h"

#include <algorithm>

namespace vqscope {
namespace {

template <class Member>
std::vector<double> of_steps(const std::vector<ModelStep>& steps, Member member) {
  std::vector<double> all;
  for (const ModelStep& step : steps) all.push_back(step.*member);
  return all;
}

ParameterValues facts_of(const ModelGradients& report, bool float32) {
  ParameterValues facts;
  facts.set("kernels", std::string(float32 ? best_products<float>().name : best_products<double>().name));
  facts.set("parameter_count", report.count);
  if (const auto& losses = report.losses) {
    facts.set("loss", losses->loss);
    facts.set("ce_loss", losses->ce_loss);
    facts.set("commit_loss", losses->commit_loss);
    facts.set("counted_labels", losses->counted);
  }
  if (report.steps.empty()) return facts;
  facts.set("steps.lr", of_steps(report.steps, &ModelStep::learning_rate));
  facts.set("steps.loss", of_steps(report.steps, &ModelStep::loss));
  facts.set("steps.grad_norm", of_steps(report.steps, &ModelStep::gradient_norm));
  facts.set("steps.clip_coef", of_steps(report.steps, &ModelStep::clip_coefficient));
  return facts;
}

std::vector<std::string> remarks_of(const ModelGradients& report) {
  std::vector<std::string> remarks;
  if (report.losses && report.losses->counted == 0)
    remarks.emplace_back("no label is counted: the cross-entropy and its gradients are 0");
  if (report.losses &&
      !std::ranges::any_of(report.tensors, [](const NamedTensor& tensor) { return tensor.name.starts_with("grad."); }))
    remarks.emplace_back("rerope_window is for evaluation only: no gradients are computed");
  return remarks;
}

Result<RunResult> make_model_gradients_method(RunRequest request, const ParameterValues& values, const Work& work) {
  const RunFile& config_file = request.files.at("config");
  auto config = read_config_file(config_file);
  if (!config) return config.error();
  auto weights = open_tensors(request.files.at("weights"));
  if (!weights) return weights.error();
  auto inputs = open_tensors(request.files.at("inputs"));
  if (!inputs) return inputs.error();
  const ModelGradientsInput input{.config = std::move(*config),
                                  .weights = std::move(*weights),
                                  .inputs = std::move(*inputs),
                                  .float32 = values.choice("precision") == "float32",
                                  .threads = worker_threads(values),
                                  .memory = request.memory,
                                  .config_path = config_file.path};
  auto report = model_gradients(input, work.stop);
  if (!report) return report.error();
  RunResult result{.threads = input.threads, .facts = facts_of(*report, input.float32), .remarks = remarks_of(*report)};
  result.contents["safetensors"] = std::move(report->tensors);
  return result;
}

}  // namespace

Method model_gradients_method() {
  return {.id = "model_gradients",
          .title = "Gradients of a model of your own",
          .help =
              "Logits, losses, attention weights and the gradient of every parameter of a small transformer, or its "
              "parameters after some steps of AdamW, for comparison with another framework.",
          .citation = {"Lingle 2023, Transformer-VQ, section 3; the papers of the position encodings",
                       "Hugging Face transformers, models/llama: names and layout of the tensors"},
          .parameters = {precision_parameter("float64"), worker_threads_parameter("Machine")},
          .recipe = RunRecipe{
              .inputs = {{.name = "config",
                          .help = "JSON object: vocab, d_model, n_layers, n_heads, d_ff (or layer_kind, d_k, d_v), "
                                  "pos, attn, ...; with "
                                  "optimizer, AdamW takes a step for each batch",
                          .required = true,
                          .file = true},
                         {.name = "weights",
                          .help = ".safetensors with every parameter by its name, or name@d0xd1 for its shape",
                          .required = true,
                          .file = true},
                         {.name = "inputs",
                          .help = ".safetensors with in.tokens, in.labels, in.position_ids, in.doc_ids, in.pad_mask "
                                  "[rows, length], the first required; with optimizer in.tokens.step1, "
                                  "in.labels.step1, in.tokens.step2, ...",
                          .required = true,
                          .file = true}},
              .outputs = {{"safetensors",
                           "logits, loss, ce_loss, commit_loss, grad.*, attn.layerN, codes.layerN, "
                           "after.*, as float64 and int32"},
                          {"json", "a report with parameters, files, losses, steps, shapes, kernels, machine"}},
              .implied = {},
              .make = make_model_gradients_method}};
}

}  // namespace vqscope
