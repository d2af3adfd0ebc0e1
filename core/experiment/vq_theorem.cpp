// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/methods.h"

#include "core/attention/codebook/code_use.h"
#include "core/base/text.h"
#include "core/base/work.h"
#include "core/experiment/setting/vq_experiment.h"
#include "core/experiment/setting/vq_parameters.h"
#include "core/method/curve_set.h"

#include <numeric>

namespace vqscope {
namespace {

std::vector<ParameterSpec> vq_theorem_parameters() {
  auto specs = vq_parameters({"q_length", "block_len", "d_v", "n_code", "k_tensor"});
  specs.push_back(n_code_max_parameter());
  add_parameter(specs, "pairs", "Data", "Number of query–key pairs averaged over.",
                {.default_value = Index{4096}, .minimum = 1, .maximum = 1048576, .logarithmic = true});
  add_parameter(specs, "side", "VQ attention", "Both sides of the theorem, or their ratio.",
                {.label = "Draw",
                 .default_value = std::string("both"),
                 .choices = {{"both", "the error of the scores, and σ² times the error of the keys"},
                             {"ratio", "the first over the second: 1 if the theorem's conditions hold"}}});
  return specs;
}

/// A setting with a token for each pair and the smallest possible values.
VqSetting setting_of_pairs(const ParameterValues& values) {
  VqSetting setting = drawn_vq_setting(values);
  setting.q_length = values.integer("pairs");
  setting.d_v = 1;
  return setting;
}

Result<void> check_vq_theorem(const ParameterValues& values) {
  return check_vq_setting(setting_of_pairs(values), "pairs", "n_code_max");
}

Result<ScoreError> measure(const VqSetting& setting, const VqData& data, const Work& work) {
  const auto learnt = learn_vq(setting, matrix_of(data.train, data.d_k), work);
  if (!learnt) return learnt.error();
  const StridedMatrix keys = matrix_of(data.keys, data.d_k);
  const auto quantised = quantise(keys, matrix_of(learnt->codewords, data.d_k), work.stop);
  if (work.stop.stop_requested()) return cancelled();
  const ScoreError error =
      score_error(matrix_of(data.queries, data.d_k), keys, matrix_of(quantised.keys, data.d_k), work.stop);
  if (work.stop.stop_requested()) return cancelled();
  return error;
}

Result<CurveSet> make_vq_theorem(const ParameterValues& values, const Work& work) {
  VqSetting setting = setting_of_pairs(values);
  const bool ratio = values.choice("side") == "ratio";
  CurveSet set{.x_name = "n_code",
               .x_title = "codewords S",
               .y_title = ratio ? "error of scores / σ² · error of keys" : "mean squared error",
               .formula =
                   "error of scores: mean of (q·k − q·k̂)²; of keys: σ² times the mean of |k − k̂|², σ² the mean of "
                   "|q|² / d_k; they are equal for isotropic queries; queries normalised by LayerNorm "
                   "are isotropic only in d_k − 1 dimensions, so the ratio is d_k / (d_k − 1); " +
                   vq_measured,
               .log_x = true,
               .log_y = !ratio,
               .x = powers_of_two(1, setting.n_code),
               .exact = false};
  const VqData data = draw_vq(setting, work.stop);
  if (work.stop.stop_requested()) return cancelled();
  Curve scores{"of_scores", {}};
  Curve keys{"of_keys", {}};
  Curve both{"ratio", {}};
  // The work of a size is about proportional to it.
  const double all_codes = std::accumulate(set.x.begin(), set.x.end(), 0.0);
  double codes_before = 0;
  for (const double n_code : set.x) {
    setting.n_code = static_cast<Index>(n_code);
    const auto error = measure(setting, data, part_of(work, codes_before / all_codes, n_code / all_codes));
    if (!error) return error.error();
    scores.y.push_back(error->of_scores);
    keys.y.push_back(error->of_keys);
    both.y.push_back(error->ratio);
    codes_before += n_code;
  }
  const auto d = static_cast<double>(setting.d_k);
  const double expected = setting.norm == QueryKeyNorm::layer_norm ? d / (d - 1) : 1;
  set.facts = {{"ratio", both.y.back()}, {"expected_ratio", expected}};
  if (ratio) {
    set.curves = {std::move(both)};
    set.levels = {{expected, setting.norm == QueryKeyNorm::layer_norm ? "d_k / (d_k − 1)" : "isotropic queries"}};
  } else {
    set.curves = {std::move(scores), std::move(keys)};
  }
  return set;
}

}  // namespace

Method vq_theorem_2_2_method() {
  return {.id = "vq_theorem_2_2",
          .title = "Theorem 2.2 measured",
          .help = "Is the error of scores proportional to the quantisation error of keys? Tests theorem 2.2.",
          .citation = vq_citation("theorem 2.2"),
          .parameters = vq_theorem_parameters(),
          .check = check_vq_theorem,
          .recipe = CurveRecipe{.make = make_vq_theorem, .origin = CurveOrigin::measured}};
}

}  // namespace vqscope
