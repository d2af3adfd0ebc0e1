// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/methods.h"

#include "core/base/text.h"
#include "core/experiment/setting/vq_experiment.h"
#include "core/experiment/setting/vq_parameters.h"
#include "core/method/curve_set.h"
#include "core/method/shared/common_parameters.h"

namespace vqscope {
namespace {

std::vector<ParameterSpec> vq_codebook_training_parameters() {
  auto specs = vq_parameters({"q_length", "block_len", "d_v", "q_tensor", "v_tensor", "codebook_tensor"});
  auto& steps = spec_of(specs, "steps");
  steps.minimum = 1;
  add_parameter(specs, "fits", "Codebook", "Quantity to plot at each training step.",
                {.label = "Draw",
                 .default_value = std::vector<std::string>{"commit_loss", "perplexity"},
                 .choices = {{"commit_loss", "mean of |k − c|², c the nearest codeword"},
                             {"perplexity", "exp of the entropy of the codes: the effective number in use"},
                             {"dead_codes", "number of codewords that no key of the step uses"},
                             {"commit_loss_after",
                              "commit loss of the same keys if they were quantised after the "
                              "step's update"},
                             {"codes_changed", "fraction of the keys whose code would then be another"}}});
  return specs;
}

double fit_of(const CodebookFit& fit, const std::string& id) {
  if (id == "commit_loss") return fit.commit_loss;
  if (id == "commit_loss_after") return fit.commit_loss_after;
  if (id == "codes_changed") return fit.codes_changed;
  return id == "perplexity" ? fit.perplexity : static_cast<double>(fit.dead_codes);
}

/// The keys to learn from, plus one token.
ParameterValues with_one_token(ParameterValues values) {
  values.set("q_length", Index{1});
  return values;
}

Result<void> check_vq_codebook_training(const ParameterValues& values) {
  const auto sizes = vq_sizes(with_one_token(values));
  return sizes ? check_vq_setting(*sizes, "q_length", "n_code") : sizes.error();
}

/// The curve set before the first step.
CurveSet vq_codebook_training_described(const ParameterValues& values, const VqSetting& setting) {
  CurveSet set{.x_name = "step",
               .x_title = "step of learning",
               .y_title = "commit loss (|k|²), perplexity (codes)",
               .formula =
                   "count ← γ count + (1 − γ) n, sum ← γ sum + (1 − γ) Σ k, codeword = sum / max(count, 0.01), from a "
                   "k-means++ start; each value is for the step's keys before learning from them; " +
                   vq_measured,
               .log_y = true};
  for (Index step = 0; step < setting.steps; ++step) set.x.push_back(static_cast<double>(step));
  for (const auto& id : values.choices("fits")) set.curves.push_back({id, {}});
  set.levels = {{static_cast<double>(setting.n_code), "n_code " + grouped(setting.n_code)}};
  return set;
}

Result<CurveSet> make_vq_codebook_training(const ParameterValues& values, const Work& work) {
  auto read = vq_setting(with_one_token(values), work);
  if (!read) return read.error();
  VqSetting& setting = *read;
  setting.fits_after = is_chosen(values, "fits", "commit_loss_after") || is_chosen(values, "fits", "codes_changed");
  const VqData data = draw_vq(setting, work.stop);
  if (work.stop.stop_requested()) return cancelled();
  CurveSet set = vq_codebook_training_described(values, setting);
  const auto learnt = learn_vq(setting, matrix_of(data.train, setting.d_k), work, [&](const CodebookFit& fit) {
    for (auto& curve : set.curves) curve.y.push_back(fit_of(fit, curve.name));
    if (work.partial) work.partial(set);
  });
  if (!learnt) return learnt.error();
  const CodebookFit& last = learnt->steps.back();
  set.facts = {{"commit_loss", last.commit_loss},
               {"perplexity", last.perplexity},
               {"dead_codes", static_cast<double>(last.dead_codes)}};
  if (setting.fits_after) {
    set.facts.emplace_back("commit_loss_after", last.commit_loss_after);
    set.facts.emplace_back("codes_changed", last.codes_changed);
  }
  return set;
}

}  // namespace

Method vq_codebook_training_method() {
  return {.id = "vq_codebook_training",
          .title = "Training of a codebook",
          .help =
              "How well codewords fit the keys at each training step. A step quantises with the codebook of its start, "
              "then updates it.",
          .citation = vq_citation("section 3.4.1"),
          .parameters = vq_codebook_training_parameters(),
          .check = check_vq_codebook_training,
          .recipe = CurveRecipe{
              .make = make_vq_codebook_training, .origin = CurveOrigin::measured, .related = {"vq_occupancy"}}};
}

}  // namespace vqscope
