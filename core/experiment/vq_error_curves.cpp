// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/methods.h"

#include "core/base/sentence.h"
#include "core/base/work.h"
#include "core/experiment/setting/row_errors.h"
#include "core/experiment/setting/scored_tokens.h"
#include "core/experiment/setting/vq_answer.h"
#include "core/experiment/setting/vq_experiment.h"
#include "core/experiment/setting/vq_parameters.h"
#include "core/method/curve_set.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace vqscope {
namespace {

constexpr Index most_queries = 64;
constexpr Index shortest_context = 64;
constexpr Index most_tokens_by_token = 16384;
constexpr double learning_fraction = 0.5;  // of the progress, a guess

const std::string what_they_are =
    "commit loss: mean of |k − k̂|²; total variation: half the sum of |weight with codewords − weight|; output error: "
    "|o − ô| / |o|; ";

/// The last queries of `length` tokens. Curves over lengths use only these, so that time is linear
/// in the length.
Range last_queries(Index length) { return {std::max<Index>(length - most_queries, 0), length}; }

std::vector<Curve> named(std::initializer_list<const char*> names) {
  std::vector<Curve> curves;
  for (const char* name : names) curves.push_back({name, {}});
  return curves;
}

/// The fastest rate at which the loss for independent keys can fall, starting at the first
/// codebook's loss.
std::vector<double> reference(const std::vector<double>& n_code, double first_loss, Index d_k) {
  std::vector<double> y;
  for (const double s : n_code) y.push_back(first_loss * std::pow(s / n_code[0], -2 / static_cast<double>(d_k)));
  return y;
}

Result<CurveSet> make_by_codes(const ParameterValues& values, const Work& work) {
  auto read = vq_setting(values, work);
  if (!read) return read.error();
  VqSetting& setting = *read;
  CurveSet set{.x_name = "n_code",
               .x_title = "codewords S",
               .y_title = "error",
               .formula = fmt::format("{}attention of the last {} queries; independent_rate: S^(−2/d_k), the fastest "
                                      "rate for independent keys, through the first commit loss; {}",
                                      what_they_are, most_queries, vq_measured),
               .log_x = true,
               .log_y = true,
               .x = powers_of_two(1, setting.n_code),
               .curves = named({"commit_loss", "total_variation", "output_error", "independent_rate"}),
               .exact = false};
  if (!setting.tokens && setting.keys.kind == KeyKind::clustered && setting.keys.clusters <= setting.n_code)
    set.marks = {{static_cast<double>(setting.keys.clusters), grouped(setting.keys.clusters) + " clusters"}};
  const VqData data = draw_vq(setting, work.stop);
  if (work.stop.stop_requested()) return cancelled();
  // The work of a size is about proportional to it.
  const double all_codes = std::accumulate(set.x.begin(), set.x.end(), 0.0);
  double codes_before = 0;
  for (std::size_t i = 0; i < set.x.size(); ++i) {
    setting.n_code = static_cast<Index>(set.x[i]);
    const auto learnt = learn_vq(setting, matrix_of(data.train, data.d_k),
                                 part_of(work, codes_before / all_codes, set.x[i] / all_codes));
    if (!learnt) return learnt.error();
    const auto quantised = quantise(matrix_of(data.keys, data.d_k), matrix_of(learnt->codewords, data.d_k), work.stop);
    const ScoredTokens tokens(setting, data, quantised, work.stop);
    const auto rows =
        row_errors(tokens.attention(), last_queries(setting.q_length), {.progress = {}, .stop = work.stop});
    if (!rows) return rows.error();
    const MeanError mean = mean_of(*rows);
    const double y[] = {quantised.commit_loss, mean.total_variation, mean.output_error};
    for (std::size_t c = 0; c < 3; ++c) set.curves[c].y.push_back(y[c]);
    if (i == 0) set.curves[3].y = reference(set.x, quantised.commit_loss, data.d_k);
    codes_before += set.x[i];
    if (work.partial) work.partial(set);
  }
  return set;
}

Result<CurveSet> make_by_length(const ParameterValues& values, const Work& work) {
  const auto read = vq_setting(values, work);
  if (!read) return read.error();
  const VqSetting& setting = *read;
  const Work quiet{.progress = {}, .stop = work.stop};
  const auto experiment = run_vq(setting, part_of(work, 0, learning_fraction));
  if (!experiment) return experiment.error();
  CurveSet set{.x_name = "length",
               .x_title = "sequence length T (tokens)",
               .y_title = "error",
               .formula = fmt::format("{}commit loss of all T keys, attention of the last {} queries; {}",
                                      what_they_are, most_queries, vq_measured),
               .log_x = true,
               .log_y = true,
               .x = powers_of_two(std::min(shortest_context, setting.q_length), setting.q_length),
               .curves = named({"commit_loss", "total_variation", "output_error"}),
               .exact = false};
  const ScoredTokens scored(setting, experiment->data, experiment->quantised, work.stop);
  const ComparedAttention all = scored.attention();
  const auto keys = matrix_of(experiment->data.keys, setting.d_k);
  const auto codewords = matrix_of(experiment->codewords, setting.d_k);
  for (const double x : set.x) {
    const auto length = static_cast<Index>(x);
    const auto rows = row_errors(all.first(length), last_queries(length), quiet);
    if (!rows) return rows.error();
    const MeanError mean = mean_of(*rows);
    const double y[] = {quantise(rows_of(keys, {0, length}), codewords, work.stop).commit_loss, mean.total_variation,
                        mean.output_error};
    if (work.stop.stop_requested()) return cancelled();
    for (std::size_t c = 0; c < 3; ++c) set.curves[c].y.push_back(y[c]);
    work.report(learning_fraction + (1 - learning_fraction) * x / set.x.back());
    if (work.partial) work.partial(set);
  }
  return set;
}

Result<CurveSet> make_by_token(const ParameterValues& values, const Work& work) {
  const auto read = vq_setting(values, work);
  if (!read) return read.error();
  const VqSetting& setting = *read;
  const auto experiment = run_vq(setting, part_of(work, 0, learning_fraction));
  if (!experiment) return experiment.error();
  const ScoredTokens tokens(setting, experiment->data, experiment->quantised, work.stop);
  const auto rows =
      row_errors(tokens.attention(), {0, setting.q_length}, part_of(work, learning_fraction, 1 - learning_fraction));
  if (!rows) return rows.error();
  CurveSet set{.x_name = "query",
               .x_title = "query position q (tokens)",
               .y_title = "error of the query's attention",
               .formula =
                   "total variation: half the sum over keys of |weight with codewords − weight|; output error: "
                   "|o − ô| / |o|; " +
                   vq_measured,
               .curves = named({"total_variation", "output_error"})};
  for (Index q = 0; q < setting.q_length; ++q) {
    const RowError& row = (*rows)[static_cast<std::size_t>(q)];
    set.x.push_back(static_cast<double>(q));
    set.curves[0].y.push_back(row.total_variation);
    set.curves[1].y.push_back(row.relative());
  }
  const MeanError mean = mean_of(*rows);
  set.facts = {{"commit_loss", experiment->quantised.commit_loss},
               {"mean_total_variation", mean.total_variation},
               {"output_error", mean.output_error}};
  return set;
}

Result<void> check_by_token(const ParameterValues& values) {
  if (auto checked = check_vq(values); !checked) return checked;
  const Index length = values.integer("q_length");
  if (length <= most_tokens_by_token) return {};
  return invalid("q_length is {} but must be at most {} for the attention of every query", length,
                 most_tokens_by_token);
}

Method error_method(const char* id, const char* title, const char* help, std::vector<ParameterSpec> parameters,
                    CurveRecipe recipe) {
  recipe.origin = CurveOrigin::measured;
  return {.id = id,
          .title = title,
          .help = help,
          .citation = vq_citation("sections 2.2 and 3.1"),
          .parameters = std::move(parameters),
          .check = check_vq,
          .remark = vq_remark,
          .recipe = std::move(recipe)};
}

}  // namespace

Method vq_error_vs_codes_method() {
  auto specs = biased_vq_parameters({"n_code", "codebook_tensor"});
  specs.push_back(n_code_max_parameter());
  return error_method("vq_error_vs_codes", "VQ error by codebook size",
                      "Error from replacing keys by codewords, against the codebook size.", std::move(specs),
                      {.make = make_by_codes, .related = {"vq_theorem_2_2"}});
}

Method vq_error_vs_length_method() {
  auto specs = biased_vq_parameters({"q_length"});
  specs.push_back(length_max_parameter());
  return error_method("vq_error_vs_length", "VQ error by length",
                      "Error from replacing keys by codewords, against the number of tokens.", std::move(specs),
                      {.make = make_by_length, .related = {"vq_error_by_token"}});
}

Method vq_error_by_token_method() {
  Method method = error_method("vq_error_by_token", "VQ error by token",
                               "Error of each query's weights and output, against exact attention.",
                               biased_vq_parameters(), {.make = make_by_token});
  method.check = check_by_token;
  return method;
}

}  // namespace vqscope
