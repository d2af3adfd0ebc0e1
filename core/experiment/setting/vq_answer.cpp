// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/setting/vq_answer.h"

#include "core/experiment/setting/row_errors.h"
#include "core/experiment/setting/vq_experiment.h"

#include <algorithm>

namespace vqscope {
namespace {

constexpr Index most_weights = Index{1} << 22;  // cells of attention whose errors are measured
constexpr Index ranges_of_queries = 16;
constexpr double most_seconds_of_search = 2;  // by an estimate
constexpr double products_a_second = 1e9;     // of one core, a guess

/// All queries, or ranges of them at equal distances.
std::vector<Range> measured_queries(Index length) {
  const Index count = std::clamp<Index>(most_weights / length, std::min(length, ranges_of_queries), length);
  if (count == length) return {{0, length}};
  std::vector<Range> ranges;
  const Index each = count / ranges_of_queries;
  for (Index i = 0; i < ranges_of_queries; ++i) {
    const Index end = length * (i + 1) / ranges_of_queries;
    ranges.push_back({end - each, end});
  }
  return ranges;
}

Result<MeanError> measured(const VqSetting& setting, const Work& work) {
  const auto experiment = run_vq(setting, work);
  if (!experiment) return experiment.error();
  const VqData& data = experiment->data;
  const ComparedAttention compared{matrix_of(data.queries, data.d_k), matrix_of(data.keys, data.d_k),
                                   matrix_of(experiment->quantised.keys, data.d_k), matrix_of(data.values, data.d_v),
                                   setting.bias};
  std::vector<RowError> all;
  for (const Range& queries : measured_queries(setting.q_length)) {
    const auto rows = row_errors(compared, queries, {{}, work.stop});
    if (!rows) return rows.error();
    all.insert(all.end(), rows->begin(), rows->end());
  }
  return mean_of(all);
}

VqSetting with_codes(VqSetting setting, Index n_code) {
  setting.n_code = n_code;
  return setting;
}

double seconds_of(const VqSetting& setting) {
  Index queries = 0;
  for (const Range& range : measured_queries(setting.q_length)) queries += range.size();
  const auto product = [](Index a, Index b, Index c) {
    return static_cast<double>(a) * static_cast<double>(b) * static_cast<double>(c);
  };
  return seconds_to_learn(setting) + (product(setting.q_length, setting.n_code, setting.d_k) +
                                      product(queries, setting.q_length, 2 * setting.d_k + 2 * setting.d_v)) /
                                         products_a_second;
}

}  // namespace

Result<VqAnswer> vq_answer(const VqSetting& setting, const Work& work) {
  const auto error = measured(setting, work);
  if (!error) return error.error();
  VqAnswer answer{
      .n_code = setting.n_code, .output_error = error->output_error, .total_variation = error->total_variation};
  if (setting.tokens && setting.tokens->n_code > 0) return answer;
  const Index keys = setting.tokens ? setting.tokens->length : setting.train_keys;
  const CodeSearch search{.known = setting.n_code,
                          .error = error->output_error,
                          .most = std::max(std::min(keys, setting.train_keys), setting.n_code),
                          .seconds = [&](Index n_code) { return seconds_of(with_codes(setting, n_code)); },
                          .most_seconds = most_seconds_of_search};
  auto needed = search_needed_codes(search, [&](Index n_code) -> Result<double> {
    const auto other = measured(with_codes(setting, n_code), work);
    if (!other) return other.error();
    return other->output_error;
  });
  if (!needed) return needed.error();
  answer.needed = std::move(*needed);
  return answer;
}

namespace {

/// The answer to what codewords cost the user's tensors; empty: stopped, or nothing to compare.
std::string cost_of_codes(const ParameterValues& values, const Work& work) {
  if (!values.find("n_code") || !values.find("q_tensor") || values.choice("data") != "tensors") return {};
  const auto setting = vq_setting(values, work);
  const auto answer = setting ? vq_answer(*setting, work) : Result<VqAnswer>(setting.error());
  return answer ? answer_sentence(*answer) + "." : std::string();
}

}  // namespace

std::string vq_remark(const ParameterValues& values, const Work& work) {
  const std::string answer = cost_of_codes(values, work), setting = setting_remark(values, work);
  return answer + (answer.empty() || setting.empty() ? "" : " ") + setting;
}

}  // namespace vqscope
