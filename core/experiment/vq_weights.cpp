// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/vq_maps.h"

#include "core/attention/run/attention_run.h"
#include "core/attention/tensor_view.h"
#include "core/base/sentence.h"
#include "core/experiment/methods.h"
#include "core/experiment/setting/vq_answer.h"
#include "core/experiment/setting/vq_experiment.h"
#include "core/experiment/setting/vq_parameters.h"
#include "core/experiment/setting/weighed_tokens.h"
#include "core/field/block_walk.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

namespace vqscope {
namespace {

class VqWeightField : public Field {
 public:
  VqWeightField(const VqSetting& setting, VqWeights weights, DeferredWeighed::Compute weighed)
      : m_setting(setting), m_weights(weights), m_weighed(std::move(weighed)) {}

  Extent extent() const override { return {m_setting.q_length, m_setting.q_length}; }
  CellType cell_type() const override { return CellType::float32; }
  Result<void> prepare(const Work& work) const override {
    const auto weighed = m_weighed.get(work);
    return weighed ? Result<void>() : weighed.error();
  }
  double at(Index row, Index col) const override;
  double cell_cost() const override { return static_cast<double>(m_setting.d_k) / 4; }
  void read(const Rect& block, CellSpan out) const override;
  std::pair<double, double> value_range() const override;
  CellReport report(Index row, Index col) const override;

 private:
  /// Null: not enough memory.
  const WeighedTokens* weighed() const {
    const OwnWeighed* own = m_weighed.find();
    return own != nullptr ? own->get() : nullptr;
  }
  template <class Cell>
  void fill(const Rect& block, Cell* out) const;
  template <class Cell>
  static void add_weights(const WeighedTokens& of, const Rect& block, const ScoredKeys& keys,
                          const std::vector<double>& sums, double sign, Cell* out);

  VqSetting m_setting;
  VqWeights m_weights;
  DeferredWeighed m_weighed;
};

double VqWeightField::at(Index row, Index col) const {
  if (col > row) return 0;
  const WeighedTokens* of = weighed();
  if (of == nullptr) return std::numeric_limits<double>::quiet_NaN();
  switch (m_weights) {
    case VqWeights::exact: return of->weight_of_key(row, col);
    case VqWeights::quantised: return of->weight_of_codeword(row, col);
    case VqWeights::difference: break;
  }
  return of->weight_of_codeword(row, col) - of->weight_of_key(row, col);
}

template <class Cell>
void VqWeightField::add_weights(const WeighedTokens& of, const Rect& block, const ScoredKeys& keys,
                                const std::vector<double>& sums, double sign, Cell* out) {
  const Index cols = block.cols.size();
  std::vector<float> scores(static_cast<std::size_t>(block.rows.size() * cols));
  of.scores().fill(keys, block.rows, block.cols, scores.data());
  for (Index i = 0; i < block.rows.size(); ++i) {
    const double sum = sums[static_cast<std::size_t>(block.rows.begin + i)];
    for (Index at = i * cols; at < (i + 1) * cols; ++at)
      if (const float score = scores[static_cast<std::size_t>(at)]; score != hidden_score)
        out[at] += static_cast<Cell>(sign * std::exp(static_cast<double>(score) - sum));
  }
}

template <class Cell>
void VqWeightField::fill(const Rect& block, Cell* out) const {
  const WeighedTokens* of = weighed();
  std::fill_n(out, block.area(), of != nullptr ? Cell{0} : std::numeric_limits<Cell>::quiet_NaN());
  if (of == nullptr) return;
  if (m_weights != VqWeights::exact) add_weights(*of, block, of->codewords(), of->log_sums_of_codewords(), 1, out);
  if (m_weights != VqWeights::quantised)
    add_weights(*of, block, of->keys(), of->log_sums_of_keys(), m_weights == VqWeights::exact ? 1 : -1, out);
}

void VqWeightField::read(const Rect& block, CellSpan out) const {
  if (!fill_reals(out, [&](auto* numbers) { fill(block, numbers); })) Field::read(block, out);
}

/// Weights over T keys are around 1/T when scores have standard deviation 1, as after normalize; a
/// scale up to 1 would leave all but the first rows pale.
std::pair<double, double> VqWeightField::value_range() const {
  const bool difference = m_weights == VqWeights::difference;
  const double even = 1 / static_cast<double>(m_setting.q_length);
  double most = m_setting.norm != QueryKeyNorm::none ? std::min(1.0, (difference ? 8 : 16) * even) : 1.0;
  if (m_setting.bias && !m_setting.bias->only_sinks())
    most = std::max(most, difference ? 0.125 : 0.25);  // a bias concentrates weight on few keys
  return {difference ? -most : 0, most};
}

CellReport VqWeightField::report(Index row, Index col) const {
  CellReport report;
  report.facts = {{"q", to_text(row)}, {"k", to_text(col)}};
  if (col > row) {
    report.why = "the key comes after the query: causal attention does not see it";
    return report;
  }
  const WeighedTokens* of = weighed();
  if (of == nullptr) {
    report.why = "there is not enough memory for the weights";
    return report;
  }
  const VqExperiment& experiment = of->experiment();
  const double score_of_key = of->scores().product(of->keys(), row, col);
  const double score_of_code = of->scores().product(of->codewords(), row, col);
  const double bias = of->scores().bias(row, col);
  if (std::isinf(bias)) {
    report.why = fmt::format("bias or mask hides key {} from query {}", grouped(col), grouped(row));
    return report;
  }
  const Index code = experiment.quantised.codes[static_cast<std::size_t>(col)];
  report.facts.insert(report.facts.end(), {{"q·k", to_text(score_of_key, 6)},
                                           {"code", to_text(code)},
                                           {"q·k̂", to_text(score_of_code, 6)},
                                           {"weight", to_text(of->weight_of_key(row, col), 6)},
                                           {"quantised weight", to_text(of->weight_of_codeword(row, col), 6)}});
  if (m_setting.bias && !m_setting.bias->only_sinks()) report.facts.emplace_back("B", to_text(bias, 6));
  if (const auto sink = static_cast<double>(of->scores().sink()); std::isfinite(sink)) {
    const auto weight_of = [&](const std::vector<double>& sums) {
      return to_text(std::exp(sink - sums[static_cast<std::size_t>(row)]), 6);
    };
    report.facts.emplace_back("sink", weight_of(of->log_sums_of_keys()));
    report.facts.emplace_back("quantised sink", weight_of(of->log_sums_of_codewords()));
  }
  report.why = fmt::format(
      "codeword {} is nearest to key {} and scores q·k̂ = {}; the key scores q·k = {}; equal weights over {} keys "
      "would be {}",
      code, grouped(col), to_text(score_of_code, 4), to_text(score_of_key, 4), grouped(row + 1),
      to_text(1 / static_cast<double>(row + 1), 4));
  return report;
}

Result<std::shared_ptr<const Field>> make_weights(const ParameterValues& values, VqWeights weights, const Work& work) {
  const auto setting = vq_setting(values, work);
  if (!setting) return setting.error();
  const std::string& form = values.choice("form");
  if (form.starts_with("elementwise")) {
    auto weighed = shared_weighed(values, *setting)(work);
    if (!weighed) return weighed.error();
    return make_vq_elementwise(*setting,
                               {weights, weight_function_of(values.choice("function")), form == "elementwise_all"},
                               std::move(*weighed));
  }
  if (form == "linear")
    if (auto checked = check_linear_form(*setting); !checked) return checked.error();
  return std::shared_ptr<const Field>(
      std::make_shared<VqWeightField>(*setting, weights, shared_weighed(values, *setting)));
}

std::string weight_remark(const ParameterValues& values, const Work& work) {
  if (!values.choice("form").starts_with("elementwise")) return vq_remark(values, work);
  return "Element-wise weights do not add up to 1. All cached keys of a codeword have one weight, so their values are "
         "added up once.";
}

Method weight_method(std::vector<ParameterSpec> parameters) {
  add_parameter(
      parameters, "form", "VQ attention",
      "Quadratic or linear form of softmax, which give the same weights, or element-wise weights. All but the "
      "quadratic form are refused if the bias or mask does not allow them.",
      {.default_value = std::string("quadratic"),
       .choices = {{"quadratic", "the definition (3.1), for any bias and mask"},
                   {"linear", "through the cache (theorem 3.7); the bias must be constant beyond block_len"},
                   {"elementwise", "a function of each score in place of softmax (theorem 3.6)"},
                   {"elementwise_all", "the same over all keys, also those after the query (theorem 3.4)"}}});
  ParameterSpec function = *find_spec(vq_attention_parameters(), "weights");
  function.name = "function";
  function.label = "Element-wise φ";
  function.help = "Function of each score.";
  function.group = "VQ attention";
  std::erase_if(function.choices, [](const Choice& choice) { return choice.id == "softmax"; });
  function.default_value = std::string("exponential");
  function.relevant = {{"form", {"elementwise", "elementwise_all"}}};
  parameters.push_back(std::move(function));
  return {.category = "vq",
          .citation = vq_citation("definition 3.1"),
          .parameters = std::move(parameters),
          .check = check_weighed,
          .remark = weight_remark};
}

FieldRecipe recipe(const char* value_title, ValueScale scale) {
  return {.row_title = "query position q",
          .col_title = "key position k",
          .value_title = value_title,
          .scale = scale,
          .related = {"vq_error_by_token"}};
}

LinkedMap weights_map(const char* id, const char* title) {
  LinkedMap map{title, "vq_weights", {}};
  map.with.set("weights", std::string(id));
  return map;
}

}  // namespace

std::shared_ptr<const Field> make_vq_weights(const VqSetting& setting, VqWeights weights) {
  assert(setting.q_length <= most_weighed_tokens);
  const auto weighed = [setting](const Work& work) -> Result<std::shared_ptr<const OwnWeighed>> {
    auto own = weigh_tokens(setting, work);
    if (!own) return own.error();
    return std::make_shared<const OwnWeighed>(std::move(*own));
  };
  return std::make_shared<VqWeightField>(setting, weights, weighed);
}

Method vq_weights_method() {
  auto specs = biased_vq_parameters({"d_v"});
  add_parameter(specs, "weights", "VQ attention", "Whether scores use the keys or their codewords.",
                {.default_value = std::string("quantised"),
                 .choices = {{"exact", "the keys themselves: softmax(Q Kᵀ + B)"},
                             {"quantised", "their nearest codewords: softmax(Q K̂ᵀ + B)"}}});
  FieldRecipe of_weights = recipe("weight", ValueScale::sequential);
  of_weights.linked = {weights_map("exact", "with keys"),
                       weights_map("quantised", "with codewords"),
                       {"difference", "vq_weight_error", {}}};
  of_weights.make = [](const ParameterValues& values, const Work& work) {
    return make_weights(values, values.choice("weights") == "exact" ? VqWeights::exact : VqWeights::quantised, work);
  };
  Method method = weight_method(std::move(specs));
  method.id = "vq_weights";
  method.title = "VQ attention weights";
  method.help = "Causal attention weights over tokens, with keys or with their codewords.";
  method.recipe = std::move(of_weights);
  return method;
}

Method vq_weight_error_method() {
  FieldRecipe of_errors = recipe("quantised weight − weight", ValueScale::diverging);
  of_errors.difference = true;
  of_errors.make = [](const ParameterValues& values, const Work& work) {
    return make_weights(values, VqWeights::difference, work);
  };
  Method method = weight_method(biased_vq_parameters({"d_v"}));
  method.id = "vq_weight_error";
  method.title = "VQ weight error";
  method.help = "Attention weights with codewords in place of keys, minus the exact weights.";
  method.recipe = std::move(of_errors);
  return method;
}

}  // namespace vqscope
