// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/methods.h"

#include "core/base/sentence.h"
#include "core/experiment/setting/scored_tokens.h"
#include "core/experiment/setting/vq_answer.h"
#include "core/experiment/setting/vq_experiment.h"
#include "core/experiment/setting/vq_parameters.h"
#include "core/method/curve_set.h"
#include "core/method/shared/common_parameters.h"

#include <algorithm>
#include <optional>

namespace vqscope {
namespace {

constexpr Index queries_of_a_length = 64;
constexpr Index shortest_sequence = 64;
const std::string unrotated_order = "none";
const std::string clip_alone = "clip_alone";
constexpr const char* clipped_order = "quantise_first_clipped";

std::vector<ParameterSpec> vq_rotation_orders_parameters() {
  auto specs = vq_parameters({"q_length", "rotation_order"});
  specs.push_back(length_max_parameter());
  ParameterSpec& type = spec_of(specs, "rope_type");
  std::erase_if(type.choices, [](const Choice& choice) { return choice.id == unrotated_order; });
  type.default_value = std::string("default");
  std::erase_if(spec_of(specs, "data").choices, [](const Choice& choice) { return choice.id == "model"; });
  std::erase_if(specs, [](const ParameterSpec& spec) { return spec.name.starts_with("model_"); });
  const ParameterSpec orders = rotation_order_parameter("Rotation");
  ParameterSpec compared = make_parameter("orders", "Rotation", "Orders to compare, with a curve for each.",
                                          {.default_value = std::vector<std::string>{}, .choices = orders.choices});
  compared.choices.insert(compared.choices.begin(),
                          Choice{unrotated_order, "keys and queries are not rotated at all, also in exact attention"});
  compared.choices.push_back({clip_alone, "keys are not quantised: what the clip of distances at block_len costs"});
  std::vector<std::string> all;
  for (const Choice& choice : compared.choices) all.push_back(choice.id);
  compared.default_value = std::move(all);
  specs.push_back(std::move(compared));
  add_parameter(specs, "measure", "Curve", "Error of the last queries of each length.",
                {.default_value = std::string("output_error"),
                 .choices = {{"output_error", "|o − ô| / |o| of the outputs"},
                             {"total_variation", "total variation between the weights"}}});
  return specs;
}

VqSetting setting_of_order(VqSetting setting, const std::string& order) {
  if (order == unrotated_order) setting.rotation = nullptr;
  if (order == "quantise_first") setting.order = RotationOrder::quantise_first;
  if (order == clipped_order || order == clip_alone) setting.order = RotationOrder::quantise_first_clipped;
  return setting;
}

/// Tokens with one codebook for rotated keys, and one for the unrotated keys of all other orders.
class OrderedTokens {
 public:
  Result<const VqExperiment*> of(const VqSetting& setting, const Work& work) {
    auto& known = setting.rotation && setting.order == RotationOrder::rotate_first ? m_rotated : m_unrotated;
    if (known) return &*known;
    auto experiment = run_vq(setting, work);
    if (!experiment) return experiment.error();
    known = std::move(*experiment);
    return &*known;
  }

 private:
  std::optional<VqExperiment> m_rotated, m_unrotated;
};

/// Exact attention is always that of the model, whose distances nothing clips.
ComparedAttention attention_of_order(const ScoredTokens& tokens, const std::string& order) {
  ComparedAttention compared = tokens.attention();
  if (order == clip_alone) {
    compared.quantised = compared.keys;
    compared.far.quantised = compared.far.keys;
  }
  compared.far.keys = {};
  return compared;
}

CurveSet vq_rotation_orders_described(const ParameterValues& values, const VqSetting& setting) {
  CurveSet set{.x_name = "length",
               .x_title = "sequence length T (tokens)",
               .y_title = values.choice("measure") == "total_variation" ? "total variation" : "output error",
               .formula = fmt::format("error of the last {} queries against exact attention with the rotation, of none "
                                      "without; clipped: distances beyond block_len {} count as block_len; {}",
                                      queries_of_a_length, setting.block_len, vq_measured),
               .log_x = true,
               .log_y = true,
               .x = powers_of_two(std::min(shortest_sequence, setting.q_length), setting.q_length),
               .exact = false};
  for (const auto& order : values.choices("orders")) set.curves.push_back({order, {}});
  if (setting.block_len < setting.q_length)
    set.marks.push_back({static_cast<double>(setting.block_len), "block_len " + grouped(setting.block_len)});
  return set;
}

/// Errors at each length of `set`, in the order of `curve`.
Result<void> measure_order(const ParameterValues& values, const VqSetting& setting, const VqExperiment& experiment,
                           const Work& work, const CurveSet& set, Curve& curve) {
  const bool variation = values.choice("measure") == "total_variation";
  const ScoredTokens tokens(setting, experiment.data, experiment.quantised, work.stop);
  const ComparedAttention compared = attention_of_order(tokens, curve.name);
  for (const double x : set.x) {
    const auto length = static_cast<Index>(x);
    const auto rows = row_errors(compared.first(length), {std::max<Index>(length - queries_of_a_length, 0), length},
                                 {.progress = {}, .stop = work.stop});
    if (!rows) return rows.error();
    const MeanError mean = mean_of(*rows);
    curve.y.push_back(variation ? mean.total_variation : mean.output_error);
    work.report(x / set.x.back());
  }
  return {};
}

Result<CurveSet> make_vq_rotation_orders(const ParameterValues& values, const Work& work) {
  const auto setting = vq_setting(values, work);
  if (!setting) return setting.error();
  CurveSet set = vq_rotation_orders_described(values, *setting);
  OrderedTokens tokens;
  const double part = 0.5 / static_cast<double>(set.curves.size());
  for (std::size_t i = 0; i < set.curves.size(); ++i) {
    const VqSetting ordered = setting_of_order(*setting, set.curves[i].name);
    const double before = 2 * part * static_cast<double>(i);
    const auto experiment = tokens.of(ordered, part_of(work, before, part));
    if (!experiment) return experiment.error();
    if (auto measured =
            measure_order(values, ordered, **experiment, part_of(work, before + part, part), set, set.curves[i]);
        !measured)
      return measured.error();
    set.facts.emplace_back(set.curves[i].name, set.curves[i].y.back());
    if (work.partial) work.partial(set);
  }
  return set;
}

Result<void> check_vq_rotation_orders(const ParameterValues& values) {
  if (auto checked = check_chosen(values, "orders"); !checked) return checked;
  return check_vq(values);
}

}  // namespace

Method vq_rotation_orders_method() {
  return {.id = "vq_rotation_orders",
          .title = "Quantise before or after RoPE",
          .help = "Error of attention by length, by the order of rotation and quantisation. Lower is better.",
          .citation = {"Lingle 2023, Transformer-VQ, section 3; Su et al. 2021, RoFormer, section 3.2; Su 2023, ReRoPE",
                       "transformer-vq/transformer_vq, nn/vq.py and nn/attn.py"},
          .parameters = vq_rotation_orders_parameters(),
          .check = check_vq_rotation_orders,
          .remark = vq_remark,
          .recipe = CurveRecipe{.make = make_vq_rotation_orders,
                                .origin = CurveOrigin::measured,
                                .related = {"vq_error_vs_length", "vq_extrapolation"}}};
}

}  // namespace vqscope
