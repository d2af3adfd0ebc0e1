// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/measure/vq_throughput.h"

#include "core/attention/forms/form_parts.h"
#include "core/base/sentence.h"
#include "core/experiment/measure/measured_time.h"
#include "core/experiment/methods.h"
#include "core/experiment/setting/vq_experiment.h"
#include "core/experiment/setting/vq_parameters.h"
#include "core/method/curve_set.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace vqscope {
namespace {

constexpr Index first_length = 64;
constexpr double most_seconds = 2;
constexpr std::array forms{AttentionForm::exact, AttentionForm::vq_quadratic, AttentionForm::vq_linear};

std::vector<ParameterSpec> vq_throughput_parameters() {
  auto specs = vq_parameters({"q_length", "normalize", "train_keys", "steps", "gamma", "k_tensor"});
  specs.push_back(length_max_parameter());
  specs.push_back(threads_parameter());
  specs.push_back(repeats_parameter());
  specs.back().relevant = {{"cost", {"seconds"}}};
  add_parameter(specs, "cost", "Curve", "Cost to plot.",
                {.default_value = std::string("seconds"),
                 .choices = {{"seconds", "measured on this machine, now"},
                             {"flops", "floating-point operations, counted"},
                             {"bytes", "memory of the output and scratch buffers, counted"}}});
  return specs;
}

/// Whether costs are measured. Counted costs need no numbers.
bool measures_time(const ParameterValues& values) { return values.choice("cost") == "seconds"; }

/// Data without numbers has only shapes.
AttentionInput input_of(const VqSetting& setting, const VqData& data) {
  const auto first = [](const std::vector<float>& numbers, Index rows, Index width) {
    const auto count = std::min(numbers.size(), static_cast<std::size_t>(rows * width));
    return TensorView{{numbers.data(), count}, 1, rows, width};
  };
  AttentionInput input;
  input.q = first(data.queries, setting.q_length, setting.d_k);
  input.k = first(data.keys, setting.q_length, setting.d_k);
  input.v = first(data.values, setting.q_length, setting.d_v);
  input.codebook = first(data.train, setting.n_code, setting.d_k);
  return input;
}

/// Costs of one form at increasing lengths; skips what would take too long.
class Costs {
 public:
  Costs(const ParameterValues& values, const VqData& data, AttentionForm form)
      : m_cost(values.choice("cost")),
        m_setting(timed_setting(values)),
        m_data(data),
        m_times(form == AttentionForm::vq_linear ? 1 : 2, most_seconds, values.integer("repeats")) {
    m_options.form = form;
    m_options.block_len = m_setting.block_len;
    m_options.threads = static_cast<int>(values.integer("threads"));
  }

  Result<Spread> at(Index length, const Work& work) {
    m_setting.q_length = length;
    const AttentionInput input = input_of(m_setting, m_data);
    if (m_cost == "flops") return counted(attention_flops(m_options.form, m_setting));
    if (m_cost == "bytes") return counted(attention_memory(input, m_options));
    Result<void> done;
    const Spread seconds = m_times.at(length, work, [&] {
      if (auto output = attention(input, m_options, work); !output) done = output.error();
    });
    if (!done) return done.error();
    return work.stop.stop_requested() ? Result<Spread>(cancelled()) : seconds;
  }

 private:
  static Spread counted(double cost) { return {cost, cost, cost}; }

  std::string m_cost;
  VqSetting m_setting;
  const VqData& m_data;
  AttentionOptions m_options;
  RisingTimes m_times;
};

CurveSet vq_throughput_described(const ParameterValues& values) {
  const std::string& cost = values.choice("cost");
  return {.x_name = "length",
          .x_title = "sequence length T (tokens)",
          .y_title = cost == "seconds" ? "seconds"
                     : cost == "flops" ? "floating-point operations"
                                       : "bytes",
          .formula = fmt::format("full: softmax(Q Kᵀ) V block by block up to the diagonal; vq_quadratic: the same with "
                                 "codewords in place of keys; vq_linear: theorem 3.7; both include finding codewords; "
                                 "{}, float32, one head, median of {}, up to {} s each; {}",
                                 machine_text(values.integer("threads")), values.integer("repeats"),
                                 to_text(most_seconds), vq_measured),
          .log_x = true,
          .log_y = true,
          .curves = {{"full", {}}, {"vq_quadratic", {}}, {"vq_linear", {}}},
          .exact = false};
}

void add_crossover(CurveSet& set) {
  const double at = crossover(set.x, set.curves[0].y, set.curves[2].y);
  set.facts.emplace_back("crossover", at);
  if (!std::isnan(at))
    set.marks.push_back({at, fmt::format("crossover at {} tokens", grouped(static_cast<Index>(std::llround(at))))});
  double ratio = no_value;
  for (std::size_t i = 0; i < set.x.size(); ++i)
    if (!std::isnan(set.curves[0].y[i]) && !std::isnan(set.curves[2].y[i]))
      ratio = set.curves[0].y[i] / set.curves[2].y[i];
  set.facts.emplace_back("full_over_linear", ratio);
}

Result<CurveSet> make_vq_throughput(const ParameterValues& values, const Work& work) {
  const VqSetting setting = timed_setting(values);
  CurveSet set = vq_throughput_described(values);
  set.x = powers_of_two(std::min(first_length, setting.q_length), setting.q_length);
  const VqData data = measures_time(values) ? draw_vq(setting, work.stop) : VqData{};
  if (work.stop.stop_requested()) return cancelled();
  if (measures_time(values)) add_spread_curves(set);
  std::vector<Costs> costs;
  for (const AttentionForm form : forms) costs.emplace_back(values, data, form);
  for (const double length : set.x) {
    for (std::size_t f = 0; f < costs.size(); ++f) {
      if (work.stop.stop_requested()) return cancelled();
      const auto cost = costs[f].at(static_cast<Index>(length), {.progress = {}, .stop = work.stop});
      if (!cost) return cost.error();
      add_spread(set, f, *cost);
    }
    if (work.partial) work.partial(set);
    work.report(length / set.x.back());
  }
  add_crossover(set);
  mark_skipped(set, fmt::format("above {} s", to_text(most_seconds)));
  set.facts.emplace_back("threads", static_cast<double>(values.integer("threads")));
  return set;
}

Result<void> check_vq_throughput(const ParameterValues& values) {
  if (!measures_time(values)) return {};
  return check_vq_setting(timed_setting(values), "length_max", "n_code");
}

}  // namespace

double attention_flops(AttentionForm form, const VqSetting& setting) {
  const auto length = static_cast<double>(setting.q_length);
  const auto n_code = static_cast<double>(setting.n_code);
  const auto d_k = static_cast<double>(setting.d_k);
  const auto d_v = static_cast<double>(setting.d_v);
  const double full = (d_k + d_v) * length * (length + 1);
  const double nearest = 2 * length * n_code * d_k;
  if (form == AttentionForm::exact) return full;
  if (form == AttentionForm::vq_quadratic) return full + nearest;
  const Index block_len = std::min({setting.block_len, setting.q_length, strip_queries});
  const auto whole = static_cast<double>(setting.q_length / block_len);
  const auto rest = static_cast<double>(setting.q_length % block_len);
  const auto block = static_cast<double>(block_len);
  const double own = d_v * (whole * block * (block + 1) + rest * (rest + 1));
  const double cached = 2 * (length - block) * (n_code + 1) * d_v;
  return 2 * nearest + own + cached;
}

double crossover(std::span<const double> x, std::span<const double> above, std::span<const double> below) {
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double now = std::log(below[i] / above[i]);
    if (std::isnan(now)) return no_value;
    if (now > 0) continue;
    if (i == 0) return no_value;
    const double before = std::log(below[i - 1] / above[i - 1]);
    return x[i - 1] * std::pow(x[i] / x[i - 1], before / (before - now));
  }
  return no_value;
}

Method vq_throughput_method() {
  return {.id = "vq_throughput",
          .title = "Cost of attention by length",
          .help =
              "Seconds, operations or bytes of exact and VQ attention by length. VQ attention is measured in its "
              "quadratic and its linear form, on this machine.",
          .citation = vq_citation("theorem 3.7 and appendix E"),
          .parameters = vq_throughput_parameters(),
          .check = check_vq_throughput,
          .recipe = CurveRecipe{.make = make_vq_throughput,
                                .origin = CurveOrigin::measured,
                                .clocked = true,
                                .related = {"vq_decode", "vq_table"}}};
}

}  // namespace vqscope
