// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/methods.h"

#include "core/attention/forms/attention.h"
#include "core/attention/run/attention_run.h"
#include "core/base/sentence.h"
#include "core/base/work.h"
#include "core/experiment/setting/vq_experiment.h"
#include "core/experiment/setting/vq_parameters.h"
#include "core/method/curve_set.h"
#include "core/method/shared/common_parameters.h"

#include <algorithm>
#include <cmath>

namespace vqscope {
namespace {

/// The quadratic form is computed for every block_len.
constexpr Index most_quadratic_tokens = 8192;

std::vector<ParameterSpec> vq_block_invariance_parameters() {
  auto specs = biased_vq_parameters({"block_len", "rotation_order"});
  std::erase_if(specs, [](const ParameterSpec& spec) { return spec.name == "mask"; });
  ParameterSpec reductions = make_parameter("reductions", "VQ attention",
                                            "Reduction by which the linear form computes the cache of each block.",
                                            {.default_value = std::vector<std::string>{"serial_scan"}});
  reductions.choices = find_spec(vq_attention_parameters(), "reduction")->choices;
  specs.push_back(std::move(reductions));
  ParameterSpec weights = *find_spec(vq_attention_parameters(), "weights");
  weights.group = "VQ attention";
  specs.push_back(std::move(weights));
  return specs;
}

/// Both forms with one block_len over the same tokens.
class Forms {
 public:
  Forms(const ParameterValues& values, const VqSetting& setting, const VqExperiment& experiment)
      : m_values(values), m_setting(setting), m_experiment(experiment) {
    for (const float x : experiment.data.values)
      m_largest_value = std::max(m_largest_value, std::abs(static_cast<double>(x)));
  }

  Result<ChosenBias> bias(Index block_len, const Work& work) const {
    return ChosenBias::make(m_values, {.length = m_setting.q_length, .window = block_len, .d_k = m_setting.d_k}, work);
  }

  /// Largest difference of the outputs divided by the largest |value|, by reduction.
  Result<std::vector<double>> apart(Index block_len, const Work& work) const {
    const auto chosen = bias(block_len, work);
    if (!chosen) return chosen.error();
    const auto quadratic = output(chosen->whole(), {.form = AttentionForm::vq_quadratic, .weights = weights()}, work);
    if (!quadratic) return quadratic.error();
    std::vector<double> distances;
    for (const auto& id : m_values.choices("reductions")) {
      const auto linear = output(chosen->within_window(),
                                 {.weights = weights(), .block_len = block_len, .reduction = reduction_of(id)}, work);
      if (!linear) return linear.error();
      double largest = 0, size = m_largest_value;
      for (std::size_t i = 0; i < linear->values.size(); ++i)
        largest = std::max(
            largest, std::abs(static_cast<double>(linear->values[i]) - static_cast<double>(quadratic->values[i])));
      // Weights that nothing divides have no sum of 1: the output's own size is what they are
      // measured by.
      if (weights() != WeightFunction::softmax)
        for (const float x : quadratic->values) size = std::max(size, std::abs(static_cast<double>(x)));
      distances.push_back(size > 0 ? largest / size : largest);
    }
    return distances;
  }

 private:
  WeightFunction weights() const { return weight_function_of(m_values.choice("weights")); }

  Result<AttentionOutput> output(const LocalBias& bias, const AttentionOptions& options, const Work& work) const {
    const VqData& data = m_experiment.data;
    const auto tensor = [](const std::vector<float>& rows, Index width) {
      return TensorView{rows, 1, static_cast<Index>(rows.size()) / width, width};
    };
    AttentionInput input{.q = tensor(data.queries, data.d_k),
                         .k = tensor(data.keys, data.d_k),
                         .v = tensor(data.values, data.d_v),
                         .codebook = tensor(m_experiment.codewords, data.d_k)};
    input.bias = bias;
    return attention(input, options, {.progress = {}, .stop = work.stop});
  }

  const ParameterValues& m_values;
  const VqSetting& m_setting;
  const VqExperiment& m_experiment;
  double m_largest_value = 0;
};

CurveSet vq_block_invariance_described() {
  return {.x_name = "block_len",
          .x_title = "block_len L (tokens)",
          .y_title = "largest |linear − quadratic| / max |v|",
          .formula =
              "outputs of the linear form (theorem 3.7, with element-wise weights 3.6) with blocks of L and of the "
              "quadratic form (definition 3.1), "
              "float32; if the bias is constant beyond L they differ only by rounding, otherwise the linear form "
              "takes the value at L + 1 for all larger distances; " +
              vq_measured,
          .log_x = true,
          .log_y = true,
          .exact = false};
}

Result<CurveSet> make_vq_block_invariance(const ParameterValues& values, const Work& work) {
  const auto setting = vq_setting(values, work);
  if (!setting) return setting.error();
  constexpr double learning_fraction = 0.5;
  const auto experiment = run_vq(*setting, part_of(work, 0, learning_fraction));
  if (!experiment) return experiment.error();
  const Forms forms(values, *setting, *experiment);
  CurveSet set = vq_block_invariance_described();
  set.x = powers_of_two(std::min<Index>(8, setting->q_length), setting->q_length);
  for (const auto& id : values.choices("reductions")) set.curves.push_back({id, {}});
  for (const double x : set.x) {
    if (work.stop.stop_requested()) return cancelled();
    const auto block_len = static_cast<Index>(x);
    const auto apart = forms.apart(block_len, work);
    if (!apart) return apart.error();
    for (std::size_t i = 0; i < apart->size(); ++i) set.curves[i].y.push_back((*apart)[i]);
    const auto bias = forms.bias(block_len, {.progress = {}, .stop = work.stop});
    if (!bias) return bias.error();
    if (set.marks.empty() && bias->hypothesis().constant) set.marks.push_back({x, "constant beyond L from here on"});
    work.report(learning_fraction + (1 - learning_fraction) * x / set.x.back());
    if (work.partial) work.partial(set);
  }
  if (!set.marks.empty() && set.marks.front().x == set.x.front()) set.marks.clear();
  set.levels = {{0x1p-23, "2⁻²³, float32's step at 1"}};
  return set;
}

Result<void> check_vq_block_invariance(const ParameterValues& values) {
  if (auto checked = check_chosen(values, "reductions"); !checked) return checked;
  if (auto checked = check_vq(values); !checked) return checked;
  const Index length = values.integer("q_length");
  if (length <= most_quadratic_tokens) return {};
  return invalid("q_length is {} but must be at most {} for the quadratic form of every block_len", length,
                 most_quadratic_tokens);
}

}  // namespace

Method vq_block_invariance_method() {
  return {.id = "vq_block_invariance",
          .title = "Linear against quadratic by block length",
          .help = "How far outputs of the linear and quadratic form differ, by block length.",
          .citation = vq_citation("theorems 3.6 and 3.7"),
          .parameters = vq_block_invariance_parameters(),
          .check = check_vq_block_invariance,
          .recipe = CurveRecipe{
              .make = make_vq_block_invariance, .origin = CurveOrigin::measured, .related = {"vq_throughput"}}};
}

}  // namespace vqscope
