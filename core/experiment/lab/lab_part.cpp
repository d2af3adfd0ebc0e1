// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/lab/lab_part.h"

#include "core/experiment/lab/compiled_lab_gallery_files.h"
#include "core/experiment/lab/compiled_question_files.h"
#include "core/experiment/methods.h"

namespace vqscope {
namespace {

/// Two models and one seed train in seconds; `vqscope run` uses the defaults, which take minutes.
ParameterValues first_experiment() {
  ParameterValues values;
  values.set("models", std::vector<std::string>{"rope", "alibi"});
  values.set("seed_count", Index{1});
  values.set("train_steps", Index{200});
  values.set("longest_multiple", Index{8});
  return values;
}

std::vector<MethodGroup> experiment_groups() {
  return {{"Trained models",
           {"length_extrapolation", "length_generalisation", "vq_model", "train_model", "masked_language"}},
          {"Quantised keys",
           {"vq_error_vs_codes", "vq_error_vs_length", "vq_error_by_token", "vq_codebook_training", "vq_occupancy",
            "vq_cache_codes", "vq_theorem_2_2", "vq_rotation_orders", "vq_extrapolation", "vq_block_invariance"}},
          {"Time and memory",
           {"vq_throughput", "vq_table", "train_throughput", "vq_decode", "long_context_costs", "xl_costs", "kv_cache",
            "memorizing_cost"}},
          {"Memories",
           {"memorizing_recall", "memorizing_query", "infini_capacity", "infini_readout", "xl_gradient_paths",
            "sink_softmax"}},
          {"Your mask", {"mask_test"}}};
}

std::vector<PartPage> pages() {
  return {{.id = "vq",
           .title = "VQ",
           .help = "Attention with keys replaced by codewords, on synthetic data or your own tensors: weights, "
                   "shortcodes, cache"},
          {.id = "memory",
           .title = "Memory",
           .help = "Attention with a memory of earlier segments, on synthetic data or your own tensors: retrieved keys "
                   "and compressive matrices"},
          {.id = "experiments",
           .title = "Experiments",
           .help = "Accuracy and run time of quantised keys, and models trained here and evaluated beyond their "
                   "training length, measured on synthetic data or your own tensors",
           .first = first_experiment(),
           .shares = false,
           .groups = experiment_groups()}};
}

std::vector<RoomInfo> rooms() {
  return {{.id = "attention",
           .title = "Attention",
           .help = "Attention with codewords or a memory, on synthetic data or your own tensors",
           .pages = {"vq", "memory"},
           .lists_methods = true},
          {.id = "experiments",
           .title = "Experiments",
           .help = "Models trained and measured here, and the cost of attention",
           .pages = {"experiments"}}};
}

}  // namespace

Part lab_part() {
  return {.methods = experiment_methods(),
          .pages = pages(),
          .rooms = rooms(),
          .gallery = compiled_lab_gallery_files,
          .questions = compiled_question_files,
          .tensor_view = "vq_weights",
          .mask_test = {"mask_test", mask_test_values}};
}

}  // namespace vqscope
