// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/methods.h"

#include "core/attention/codebook/code_use.h"
#include "core/base/text.h"
#include "core/experiment/setting/vq_answer.h"
#include "core/experiment/setting/vq_experiment.h"
#include "core/experiment/setting/vq_parameters.h"
#include "core/method/curve_set.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace vqscope {
namespace {

Result<CurveSet> make_vq_occupancy(const ParameterValues& values, const Work& work) {
  const auto setting = vq_setting(values, work);
  if (!setting) return setting.error();
  const auto experiment = shared_experiment(values, *setting)(work);
  if (!experiment) return experiment.error();
  auto counts = code_counts((*experiment)->quantised.codes, setting->n_code);
  std::ranges::sort(counts, std::greater());
  const bool bias = values.choice("occupancy") == "bias";
  CurveSet set{.x_name = "rank",
               .x_title = "code, by rank",
               .y_title = bias ? "count bias ln n_s" : "keys that have the code, n_s",
               .formula =
                   "n_s: number of keys whose nearest codeword is s, most frequent first; ln n_s is what the cache "
                   "adds to q·c; " +
                   vq_measured,
               .integer = !bias,
               .curves = {{bias ? "ln_count" : "count", {}}}};
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const auto n = static_cast<double>(counts[i]);
    set.x.push_back(static_cast<double>(i + 1));
    set.curves[0].y.push_back(!bias ? n : n > 0 ? std::log(n) : no_value);
  }
  const double even = static_cast<double>(setting->q_length) / static_cast<double>(setting->n_code);
  set.levels = {{bias ? std::log(even) : even, "all codes alike"}};
  const CodeUse use = code_use((*experiment)->quantised.codes, setting->n_code);
  const auto occupied = static_cast<double>(use.used);
  set.facts = {{"perplexity", use.perplexity},
               {"occupied", occupied},
               {"dead_codes", static_cast<double>(setting->n_code) - occupied},
               {"occupied_if_alike", expected_occupied(setting->n_code, setting->q_length)}};
  return set;
}

/// The codewords are named where no key has them.
std::string vq_occupancy_remark(const ParameterValues& values, const Work& work) {
  std::string text = vq_remark(values, work);
  const auto setting = vq_setting(values, work);
  if (!setting) return text;
  const auto experiment = shared_experiment(values, *setting)(work);
  if (!experiment) return text;
  std::string dead = dead_codes_sentence(code_use((*experiment)->quantised.codes, setting->n_code));
  if (dead.empty()) return text;
  dead[0] = 'C';
  return text + (text.empty() ? "" : " ") + dead + ".";
}

}  // namespace

Method vq_occupancy_method() {
  auto specs = vq_parameters({"block_len", "d_v", "q_tensor", "v_tensor"});
  add_parameter(specs, "occupancy", "VQ attention", "Quantity to plot for each code.",
                {.default_value = std::string("count"),
                 .choices = {{"count", "n_s: number of keys with this code"},
                             {"bias", "ln n_s, which the cache adds to the score; no value for an empty code"}}});
  return {.id = "vq_occupancy",
          .title = "Occupancy of codes",
          .help = "Number of keys with each code, most frequent first.",
          .citation = vq_citation("remark 3.9"),
          .parameters = std::move(specs),
          .check = check_vq,
          .remark = vq_occupancy_remark,
          .recipe = CurveRecipe{.make = make_vq_occupancy, .origin = CurveOrigin::measured}};
}

}  // namespace vqscope
