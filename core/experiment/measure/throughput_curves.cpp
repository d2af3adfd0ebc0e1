// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/measure/throughput_curves.h"

#include "core/base/sentence.h"
#include "core/data/language.h"
#include "core/experiment/measure/throughput_tables.h"
#include "core/experiment/setting/vq_experiment.h"
#include "core/experiment/training/model_training.h"
#include "core/method/method.h"
#include "core/method/shared/common_parameters.h"

#include <algorithm>
#include <cmath>

namespace vqscope {
namespace {

constexpr double most_model_bytes = 2.0 * 1024 * 1024 * 1024;

bool plots_speed_up(const ParameterValues& values) { return values.choice("quantity") == "speed_up"; }

std::string head_type_of_model(const ParameterValues& values) {
  return values.choice("layer") == "shga" ? "shga" : "mha";
}

CurveSet train_throughput_described(const ParameterValues& values) {
  const bool speed_up = plots_speed_up(values);
  const Index rows = values.integer("batch_rows"), longest = values.integer("length_max");
  CurveSet set{
      .x_name = "length",
      .x_title = "sequence length T (tokens)",
      .y_title = speed_up ? "speed-up over full attention" : "tokens per second",
      .formula = fmt::format(
          "training: forward, backward and a step of AdamW; evaluation: forward with logits and loss; small "
          "transformers "
          "with untrained weights on {} of the synthetic language; {}, float32, median of {}; skips what is expected "
          "to "
          "take more than {} s or needs more than {}; published values are for models of 190M parameters on other "
          "machines",
          rows == 1 ? "one sequence" : fmt::format("{} sequences at a time", rows),
          machine_text(values.integer("threads")), values.integer("repeats"), plain_text(values.real("most_seconds")),
          byte_count(most_model_bytes)),
      .log_x = true,
      .log_y = true,
      .x = timed_lengths(longest),
      .exact = false};
  if (is_chosen(values, "passes", "training")) {
    set.published = published_throughput(speed_up, {head_type_of_model(values)}, {"serial_scan"});
    set.published->y_title = set.y_title;  // the same quantity: one axis
  }
  return set;
}

}  // namespace

std::vector<double> timed_lengths(Index longest) {
  constexpr Index shortest = 256;
  return powers_of_two(std::min(shortest, longest), longest);
}

std::vector<ParameterSpec> every_model_parameter() {
  auto specs = model_kind_parameters();
  for (auto& spec : model_size_parameters()) specs.push_back(std::move(spec));
  return specs;
}

Result<TransformerConfig> timed_config(const ParameterValues& values, const std::string& model) {
  ParameterValues all = completed_values(every_model_parameter(), values);
  all.set("attn", std::string(model == "full" ? "full" : "vq"));
  all.set("cache", model != "vq_without_cache");
  return model_config(all, language::vocabulary);
}

Result<std::vector<TimedModel>> timed_models(const ParameterValues& values) {
  const ModelTiming timing{.rows = values.integer("batch_rows"),
                           .threads = static_cast<int>(values.integer("threads")),
                           .repeats = values.integer("repeats"),
                           .most_seconds = values.real("most_seconds"),
                           .most_bytes = most_model_bytes,
                           .seed = static_cast<std::uint64_t>(values.integer("seed"))};
  std::vector<TimedModel> timed;
  for (const auto& pass : values.choices("passes"))
    for (const auto& model : values.choices("models")) {
      const auto config = timed_config(values, model);
      if (!config) return config.error();
      auto layout = parameter_layout(*config);
      if (!layout) return layout.error();
      const ModelPass kind = pass == "training" ? ModelPass::training : ModelPass::evaluation;
      timed.push_back({model + "_" + pass, kind, model == "full", {*config, std::move(*layout), kind, timing}});
    }
  return timed;
}

ThroughputCurves::ThroughputCurves(const ParameterValues& values, std::vector<TimedModel> models)
    : m_speed_up(plots_speed_up(values)),
      m_rows(static_cast<double>(values.integer("batch_rows"))),
      m_models(std::move(models)),
      m_set(train_throughput_described(values)),
      m_skipped(plain_text(values.real("most_seconds")) + " s", byte_count(most_model_bytes)) {
  for (const TimedModel& model : m_models)
    if (is_plotted(model)) m_set.curves.push_back({model.name, {}});
  add_spread_curves(m_set);
}

Result<CurveSet> ThroughputCurves::measured(const Work& work) {
  double all = 0, done = 0;
  for (const double length : m_set.x) all += length;
  for (const double length : m_set.x) {
    std::vector<Spread> seconds;
    for (TimedModel& model : m_models) {
      const auto spread = model.throughput.at(static_cast<Index>(length), {.progress = {}, .stop = work.stop});
      if (!spread) return spread.error();
      seconds.push_back(*spread);
      done += length / static_cast<double>(m_models.size());
      work.report(std::min(1.0, done / all));
    }
    add(length, seconds);
    if (work.partial) work.partial(m_set);
  }
  add_facts();
  m_skipped.mark(m_set);
  return m_set;
}

std::optional<std::size_t> ThroughputCurves::full_of(const TimedModel& model) const {
  for (std::size_t i = 0; i < m_models.size(); ++i)
    if (m_models[i].full && m_models[i].pass == model.pass) return i;
  return std::nullopt;
}

void ThroughputCurves::add(double length, const std::vector<Spread>& seconds) {
  std::size_t curve = 0;
  for (std::size_t i = 0; i < m_models.size(); ++i) {
    const TimedModel& model = m_models[i];
    const auto full = full_of(model);
    const Spread ratio = full ? ratio_of(seconds[*full], seconds[i]) : Spread();
    if (!model.full && std::isfinite(ratio.median)) m_last_ratio[model.name] = {length, ratio.median};
    if (!is_plotted(model)) continue;
    const Skipped by_full = m_speed_up ? seconds[*full].skipped : Skipped::no;
    m_skipped.add(model.name, length, by_full != Skipped::no ? by_full : seconds[i].skipped);
    add_spread(m_set, curve++, m_speed_up ? ratio : amount_by(m_rows * length, seconds[i]));
  }
}

void ThroughputCurves::add_facts() {
  for (const auto& [name, last] : m_last_ratio) {
    m_set.facts.emplace_back("speed_up_" + name, last.second);
    m_set.facts.emplace_back("length_of_speed_up_" + name, last.first);
  }
  if (m_speed_up) return;
  for (std::size_t i = 0; i < m_models.size(); ++i) {
    const auto& y = m_set.curves[i].y;
    const auto last = std::find_if(y.rbegin(), y.rend(), [](double rate) { return std::isfinite(rate); });
    if (last != y.rend()) m_set.facts.emplace_back("tokens_per_second_" + m_models[i].name, *last);
  }
}

}  // namespace vqscope
