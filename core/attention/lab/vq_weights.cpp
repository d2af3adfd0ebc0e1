// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/lab/vq_weights.h"

#include "core/attention/lab/once.h"
#include "core/attention/lab/vq_experiment.h"
#include "core/base/text.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace vqscope {
namespace {

constexpr Index rows_at_once = 32;

double dot(const float* a, const float* b, Index n) {
  double sum = 0;
  for (Index i = 0; i < n; ++i) sum += static_cast<double>(a[i]) * static_cast<double>(b[i]);
  return sum;
}

/// Logarithm of the sum over keys up to the query's own of exp of their scores, by query.
std::vector<double> log_sums(const MatrixView& queries, const MatrixView& keys) {
  const AttentionKernels& kernels = best_kernels();
  std::vector<float> scores(static_cast<std::size_t>(rows_at_once * keys.rows));
  std::vector<double> sums;
  for (Index begin = 0; begin < queries.rows; begin += rows_at_once) {
    const Index end = std::min(begin + rows_at_once, queries.rows);
    kernels.row_products(rows_of(queries, {begin, end}), rows_of(keys, {0, end}), scores.data(), end);
    for (Index row = begin; row < end; ++row) {
      float* of_row = scores.data() + (row - begin) * end;
      const float max = kernels.largest(of_row, row + 1);
      const float sum = kernels.exponentials(of_row, row + 1, max);
      sums.push_back(static_cast<double>(max) + std::log(static_cast<double>(sum)));
    }
  }
  return sums;
}

/// What weights follow from without their being stored.
struct Weighed {
  VqExperiment experiment;
  std::vector<double> exact, quantised;  ///< log_sums
};

Weighed weigh(const VqSetting& setting) {
  auto experiment = run_vq(setting);
  assert(experiment);
  Weighed weighed{std::move(*experiment), {}, {}};
  const MatrixView queries = matrix_of(weighed.experiment.data.queries, setting.d_k);
  weighed.exact = log_sums(queries, matrix_of(weighed.experiment.data.keys, setting.d_k));
  weighed.quantised = log_sums(queries, matrix_of(weighed.experiment.quantised.keys, setting.d_k));
  return weighed;
}

class VqWeightField : public Field {
 public:
  VqWeightField(const VqSetting& setting, VqWeights weights)
      : m_setting(setting), m_weights(weights), m_weighed([setting] { return weigh(setting); }) {}

  Extent extent() const override { return {m_setting.q_length, m_setting.q_length}; }
  CellType cell_type() const override { return CellType::float32; }
  double at(Index row, Index col) const override;
  void read(const Rect& block, CellSpan out) const override;
  std::pair<double, double> value_range() const override;
  CellReport report(Index row, Index col) const override;

 private:
  double score(const std::vector<float>& keys, Index row, Index col) const;
  double exact(Index row, Index col) const;
  double quantised(Index row, Index col) const;
  template <class Cell>
  void fill(const Rect& block, Cell* out) const;
  template <class Cell>
  void add_weights(const Rect& block, const std::vector<float>& keys, const std::vector<double>& sums, double sign,
                   Cell* out) const;

  VqSetting m_setting;
  VqWeights m_weights;
  Once<Weighed> m_weighed;
};

double VqWeightField::score(const std::vector<float>& keys, Index row, Index col) const {
  const auto& queries = m_weighed.get().experiment.data.queries;
  return dot(queries.data() + row * m_setting.d_k, keys.data() + col * m_setting.d_k, m_setting.d_k);
}

double VqWeightField::exact(Index row, Index col) const {
  const Weighed& weighed = m_weighed.get();
  return std::exp(score(weighed.experiment.data.keys, row, col) - weighed.exact[static_cast<std::size_t>(row)]);
}

double VqWeightField::quantised(Index row, Index col) const {
  const Weighed& weighed = m_weighed.get();
  return std::exp(score(weighed.experiment.quantised.keys, row, col) -
                  weighed.quantised[static_cast<std::size_t>(row)]);
}

double VqWeightField::at(Index row, Index col) const {
  if (col > row) return 0;
  switch (m_weights) {
    case VqWeights::exact: return exact(row, col);
    case VqWeights::quantised: return quantised(row, col);
    case VqWeights::difference: break;
  }
  return quantised(row, col) - exact(row, col);
}

template <class Cell>
void VqWeightField::add_weights(const Rect& block, const std::vector<float>& keys, const std::vector<double>& sums,
                                double sign, Cell* out) const {
  const auto& queries = m_weighed.get().experiment.data.queries;
  const Index cols = block.cols.size();
  std::vector<float> scores(static_cast<std::size_t>(block.rows.size() * cols));
  best_kernels().row_products(rows_of(matrix_of(queries, m_setting.d_k), block.rows),
                              rows_of(matrix_of(keys, m_setting.d_k), block.cols), scores.data(), cols);
  for (Index i = 0; i < block.rows.size(); ++i) {
    const Index row = block.rows.begin + i;
    const double sum = sums[static_cast<std::size_t>(row)];
    const Index seen = std::clamp<Index>(row + 1 - block.cols.begin, 0, cols);
    for (Index at = i * cols; at < i * cols + seen; ++at)
      out[at] += static_cast<Cell>(sign * std::exp(static_cast<double>(scores[static_cast<std::size_t>(at)]) - sum));
  }
}

template <class Cell>
void VqWeightField::fill(const Rect& block, Cell* out) const {
  const Weighed& weighed = m_weighed.get();
  std::fill_n(out, block.area(), Cell{0});
  if (m_weights != VqWeights::exact) add_weights(block, weighed.experiment.quantised.keys, weighed.quantised, 1, out);
  if (m_weights != VqWeights::quantised)
    add_weights(block, weighed.experiment.data.keys, weighed.exact, m_weights == VqWeights::exact ? 1 : -1, out);
}

void VqWeightField::read(const Rect& block, CellSpan out) const {
  if (auto* floats = std::get_if<std::span<float>>(&out))
    fill(block, floats->data());
  else if (auto* doubles = std::get_if<std::span<double>>(&out))
    fill(block, doubles->data());
  else
    Field::read(block, out);
}

/// Weights over T keys lie around 1/T where scores have the deviation 1 that normalize gives them; a scale up to 1
/// would leave all but the first rows pale.
std::pair<double, double> VqWeightField::value_range() const {
  const bool difference = m_weights == VqWeights::difference;
  const double even = 1 / static_cast<double>(m_setting.q_length);
  const double most = m_setting.normalize ? std::min(1.0, (difference ? 8 : 16) * even) : 1.0;
  return {difference ? -most : 0, most};
}

CellReport VqWeightField::report(Index row, Index col) const {
  CellReport report;
  report.facts = {{"q", to_text(row)}, {"k", to_text(col)}};
  if (col > row) {
    report.why = "the key is ahead of the query: causal attention does not see it";
    return report;
  }
  const VqExperiment& experiment = m_weighed.get().experiment;
  const double score_of_key = score(experiment.data.keys, row, col);
  const double score_of_code = score(experiment.quantised.keys, row, col);
  const Index code = experiment.quantised.codes[static_cast<std::size_t>(col)];
  report.facts.insert(report.facts.end(), {{"q·k", to_text(score_of_key, 6)},
                                           {"code", to_text(code)},
                                           {"q·k̂", to_text(score_of_code, 6)},
                                           {"weight", to_text(exact(row, col), 6)},
                                           {"quantised weight", to_text(quantised(row, col), 6)}});
  report.why = "codeword " + to_text(code) + " is the nearest to key " + grouped(col) +
               " and scores q·k̂ = " + to_text(score_of_code, 4) +
               " where the key scores q·k = " + to_text(score_of_key, 4) + "; of " + grouped(row + 1) +
               " keys an even share is " + to_text(1 / static_cast<double>(row + 1), 4);
  return report;
}

std::vector<ParameterSpec> parameters() { return vq_parameters({"block_len", "d_v"}); }

Result<void> check(const ParameterValues& values) {
  if (auto checked = check_vq(values); !checked) return checked;
  const Index length = values.integer("q_length");
  if (length <= most_weighed_tokens) return {};
  return invalid("q_length is " + to_text(length) + ", must be at most " + to_text(most_weighed_tokens) +
                 " for weights: every row is summed before one cell is shown");
}

FieldRecipe recipe(const char* value_title, ValueScale scale) {
  return {.row_title = "query position q",
          .col_title = "key position k",
          .value_title = value_title,
          .scale = scale,
          .companions = {"vq_error_by_token"}};
}

LinkedMap weights_map(const char* id) {
  LinkedMap map{id, "vq_weights", {}};
  map.with.set("weights", std::string(id));
  return map;
}

}  // namespace

std::shared_ptr<const Field> make_vq_weights(const VqSetting& setting, VqWeights weights) {
  assert(setting.q_length <= most_weighed_tokens);
  return std::make_shared<VqWeightField>(setting, weights);
}

Method vq_weights_method() {
  auto specs = parameters();
  specs.push_back({.name = "weights",
                   .group = "VQ attention",
                   .help = "Which keys the scores are of.",
                   .kind = ParameterKind::choice,
                   .fallback = std::string("quantised"),
                   .choices = {{"exact", "the keys themselves: softmax(Q Kᵀ)"},
                               {"quantised", "their nearest codewords: softmax(Q K̂ᵀ)"}}});
  FieldRecipe of_weights = recipe("weight", ValueScale::sequential);
  of_weights.linked = {weights_map("exact"), weights_map("quantised"), {"difference", "vq_weight_error", {}}};
  of_weights.make = [](const ParameterValues& values) -> Result<std::shared_ptr<const Field>> {
    const bool exact = values.choice("weights") == "exact";
    return make_vq_weights(vq_setting(values), exact ? VqWeights::exact : VqWeights::quantised);
  };
  return {.id = "vq_weights",
          .title = "VQ attention weights",
          .category = "vq",
          .help = "Causal attention weights over drawn tokens, with keys or with their codewords.",
          .citation = vq_citation("definition 3.1"),
          .parameters = std::move(specs),
          .check = check,
          .recipe = std::move(of_weights)};
}

Method vq_weight_error_method() {
  FieldRecipe of_errors = recipe("quantised weight − weight", ValueScale::diverging);
  of_errors.make = [](const ParameterValues& values) -> Result<std::shared_ptr<const Field>> {
    return make_vq_weights(vq_setting(values), VqWeights::difference);
  };
  return {.id = "vq_weight_error",
          .title = "VQ weight error",
          .category = "vq",
          .help = "Attention weights with codewords in the place of keys, less the exact weights.",
          .citation = vq_citation("definition 3.1"),
          .parameters = parameters(),
          .check = check,
          .recipe = std::move(of_errors)};
}

}  // namespace vqscope
