// SPDX-License-Identifier: GPL-3.0-or-later
// The factors Q Cᵀ and Δ V, of which the weights of many keys are made.
#include "core/experiment/methods.h"

#include "core/base/sentence.h"
#include "core/experiment/setting/vq_experiment.h"
#include "core/experiment/setting/vq_parameters.h"
#include "core/experiment/vq_parts.h"

#include <algorithm>
#include <cmath>

namespace vqscope {
namespace {

/// Numbers that are computed before the map is created, because its colour scale depends on them.
class FactorField : public Field {
 public:
  using Report = std::function<CellReport(Index row, Index col, double value)>;

  FactorField(Extent extent, std::vector<double> numbers, Report report)
      : m_extent(extent), m_numbers(std::move(numbers)), m_report(std::move(report)) {
    for (const double number : m_numbers) m_largest = std::max(m_largest, std::abs(number));
  }

  Extent extent() const override { return m_extent; }
  CellType cell_type() const override { return CellType::float32; }
  double at(Index row, Index col) const override {
    return m_numbers[static_cast<std::size_t>(row * m_extent.cols + col)];
  }
  std::pair<double, double> value_range() const override { return {-m_largest, m_largest}; }
  CellReport report(Index row, Index col) const override { return m_report(row, col, at(row, col)); }

 private:
  Extent m_extent;
  std::vector<double> m_numbers;
  Report m_report;
  double m_largest = 0;
};

Result<DeferredWeighed::Value> weighed_tokens(const ParameterValues& values, const Work& work) {
  const auto setting = vq_setting(values, work);
  if (!setting) return setting.error();
  if (auto checked = check_linear_form(*setting); !checked) return checked.error();
  return shared_weighed(values, *setting)(work);
}

Result<std::shared_ptr<const Field>> make_query_codes(const ParameterValues& values, const Work& work) {
  const auto weighed = weighed_tokens(values, work);
  if (!weighed) return weighed.error();
  const WeighedTokens& of = ***weighed;
  const Extent extent{of.compared().queries.rows,
                      static_cast<Index>(of.experiment().codewords.size()) / of.compared().queries.cols};
  std::vector<double> scores;
  scores.reserve(static_cast<std::size_t>(extent.rows * extent.cols));
  for (Index row = 0; row < extent.rows && !work.stop.stop_requested(); ++row)
    for (Index code = 0; code < extent.cols; ++code) scores.push_back(code_score(of, row, code));
  if (work.stop.stop_requested()) return cancelled();
  return std::shared_ptr<const Field>(
      std::make_shared<FactorField>(extent, std::move(scores), [](Index row, Index code, double score) {
        return CellReport{
            {{"q", to_text(row)}, {"code", to_text(code)}, {"q·c", to_text(score, 7)}},
            fmt::format("every cached key of codeword {} has this score with query {}", code, grouped(row))};
      }));
}

/// Δ V: row s is the sum of the values of the first `keys` keys with code s.
std::vector<double> values_by_code(const VqExperiment& experiment, Index keys, Index n_code) {
  const Index d_v = experiment.data.d_v;
  std::vector<double> sums(static_cast<std::size_t>(n_code * d_v));
  for (Index j = 0; j < keys; ++j) {
    const Index code = experiment.quantised.codes[static_cast<std::size_t>(j)];
    for (Index c = 0; c < d_v; ++c)
      sums[static_cast<std::size_t>(code * d_v + c)] +=
          static_cast<double>(experiment.data.values[static_cast<std::size_t>(j * d_v + c)]);
  }
  return sums;
}

Result<std::shared_ptr<const Field>> make_code_values(const ParameterValues& values, const Work& work) {
  const auto weighed = weighed_tokens(values, work);
  if (!weighed) return weighed.error();
  const VqExperiment& experiment = (***weighed).experiment();
  const Index n_code = static_cast<Index>(experiment.codewords.size()) / experiment.data.d_k;
  const Index keys = std::min(values.integer("filled") * values.integer("block_len"), values.integer("q_length"));
  std::vector<double> sums = values_by_code(experiment, keys, n_code);
  std::vector<std::int32_t> codes = experiment.quantised.codes;
  codes.resize(static_cast<std::size_t>(keys));
  auto counts = code_counts(codes, n_code);
  if (values.choice("summed") == "mean")
    for (std::size_t i = 0; i < sums.size(); ++i) {
      const Index count = counts[i / static_cast<std::size_t>(experiment.data.d_v)];
      if (count > 0) sums[i] /= static_cast<double>(count);
    }
  return std::shared_ptr<const Field>(std::make_shared<FactorField>(
      Extent{n_code, experiment.data.d_v}, std::move(sums),
      [counts = std::move(counts), keys](Index code, Index dimension, double value) {
        return CellReport{{{"code", to_text(code)}, {"dimension", to_text(dimension)}, {"value", to_text(value, 7)}},
                          fmt::format("{} of the first {} keys have codeword {}",
                                      grouped(counts[static_cast<std::size_t>(code)]), grouped(keys), code)};
      }));
}

}  // namespace

Method vq_query_codes_method() {
  return part_method("vq_query_codes", "Scores of codewords, Q Cᵀ",
                     "Score of each codeword with each query. All keys of a codeword share it.",
                     {.row_title = "query position q",
                      .col_title = "code s",
                      .value_title = "q·c",
                      .scale = ValueScale::diverging,
                      .col_name = [](const ParameterValues&) { return std::string("code"); },
                      .make = make_query_codes});
}

Method vq_code_values_method() {
  Method method = part_method("vq_code_values", "Values by codeword, Δ V",
                              "Values of the keys of the first blocks, summed by codeword.",
                              {.row_title = "code s",
                               .col_title = "dimension of values",
                               .value_title = "sum of values",
                               .scale = ValueScale::diverging,
                               .row_name = "code",
                               .col_name = [](const ParameterValues&) { return std::string("dimension"); },
                               .make = make_code_values});
  add_parameter(method.parameters, "summed", "VQ attention", "Sum of the values of a codeword, or their mean.",
                {.default_value = std::string("sum"),
                 .choices = {{"sum", "Δ V: the sum"}, {"mean", "μ_s: the mean, which the cache keeps"}}});
  for (auto& spec : filled_parameter(default_values(method.parameters))) method.parameters.push_back(std::move(spec));
  method.free_parameters = filled_parameter;
  return method;
}

}  // namespace vqscope
