// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/methods.h"

#include "core/attention/kernels/kernels.h"
#include "core/attention/methods.h"
#include "core/experiment/verdict/experiment_verdicts.h"
#include "core/method/method_list.h"
#include "core/model/report/model_report.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace vqscope {
namespace {

/// The title of a figure of measured curves names data, seeds and training steps, also where they
/// are the defaults.
void name_what_was_measured(Method& method) {
  constexpr std::array<std::string_view, 10> names{"data",        "clusters",   "task",  "seed",        "seed_count",
                                                   "train_steps", "iterations", "steps", "model_steps", "most_seconds"};
  const CurveRecipe* curves = method.curves();
  if (!curves || curves->origin != CurveOrigin::measured) return;
  for (ParameterSpec& spec : method.parameters)
    if (std::ranges::count(names, spec.name) > 0 && spec.in_summary == InSummary::if_changed)
      spec.in_summary = InSummary::always;
}

/// Measurements use attention's inner loops unless the method names others.
void complete_method(Method& method) {
  auto* curves = std::get_if<CurveRecipe>(&method.recipe);
  if (method.run_curves) curves = &*method.run_curves;
  if (curves && method.category == "experiments") curves->verdict = experiment_verdict(method.id);
  if (curves && curves->origin == CurveOrigin::measured && curves->kernels.empty())
    curves->kernels = best_kernels().name;
  name_what_was_measured(method);
}

std::vector<Method> completed_methods(std::span<const MethodMaker> makers) {
  std::vector<Method> all = make_methods(makers, "experiments");
  std::ranges::for_each(all, complete_method);
  return all;
}

}  // namespace

std::span<const Method> experiment_methods() {
  // One line per method, in the order of every list.
  // clang-format off
  static constexpr MethodMaker makers[]{
      vq_weights_method,
      vq_weight_error_method,
      vq_weight_parts_method,
      vq_query_codes_method,
      vq_code_values_method,
      vq_shortcodes_method,
      vq_codewords_method,
      vq_cache_method,
      memorizing_weights_method,
      infini_memory_method,
      xl_reach_method,
      decode_trace_method,
      vq_attention_method,
      vq_codebook_training_method,
      vq_error_vs_codes_method,
      vq_error_vs_length_method,
      vq_error_by_token_method,
      vq_occupancy_method,
      vq_cache_codes_method,
      vq_theorem_2_2_method,
      vq_rotation_orders_method,
      vq_extrapolation_method,
      length_extrapolation_method,
      length_generalisation_method,
      vq_model_method,
      train_model_method,
      masked_language_method,
      generate_tokens_method,
      model_gradients_method,
      vq_throughput_method,
      vq_table_method,
      train_throughput_method,
      vq_decode_method,
      vq_block_invariance_method,
      mask_test_method,
      long_context_costs_method,
      xl_costs_method,
      xl_gradient_paths_method,
      kv_cache_method,
      sink_softmax_method,
      memorizing_recall_method,
      memorizing_query_method,
      memorizing_cost_method,
      infini_capacity_method,
      infini_readout_method,
      decode_scores_method,
  };
  // clang-format on
  static const std::vector<Method> all = completed_methods(makers);
  return all;
}

}  // namespace vqscope
