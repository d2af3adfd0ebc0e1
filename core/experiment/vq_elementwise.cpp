// SPDX-License-Identifier: GPL-3.0-or-later
// Weights φ(q·k̂ + B) without softmax: theorems 3.4 and 3.6 of the Transformer-VQ paper.
#include "core/experiment/vq_maps.h"

#include "core/base/sentence.h"
#include "core/experiment/vq_parts.h"

#include <algorithm>
#include <cmath>

namespace vqscope {
namespace {

constexpr Index range_cells = 48;  // rows and columns that the colour scale looks at

double phi(WeightFunction function, double score) {
  if (function == WeightFunction::exponential) return std::exp(score);
  return score > 0 ? score * score : 0;
}

class ElementwiseField : public Field {
 public:
  ElementwiseField(const VqSetting& setting, const VqElementwise& shown, DeferredWeighed::Value weighed)
      : m_length(setting.q_length),
        m_block(std::min(setting.block_len, setting.q_length)),
        m_shown(shown),
        m_biased(setting.bias != nullptr),
        m_weighed(std::move(weighed)),
        m_range(range()) {}

  Extent extent() const override { return {m_length, m_length}; }
  CellType cell_type() const override { return CellType::float32; }
  double at(Index row, Index col) const override {
    const double of_key = m_shown.weights != VqWeights::quantised ? weight(false, row, col) : 0;
    return m_shown.weights == VqWeights::exact ? of_key : weight(true, row, col) - of_key;
  }
  double cell_cost() const override { return static_cast<double>(of().compared().queries.cols) / 2; }
  std::pair<double, double> value_range() const override {
    return {m_shown.weights == VqWeights::difference ? -m_range : 0, m_range};
  }
  CellReport report(Index row, Index col) const override;

 private:
  const WeighedTokens& of() const { return **m_weighed; }
  Index code(Index col) const { return of().experiment().quantised.codes[static_cast<std::size_t>(col)]; }
  /// Scored once for all keys of the codeword; without the causal mask every key is.
  bool is_cached(Index row, Index col) const { return m_shown.all_keys || col < (row / m_block - 1) * m_block; }
  double score_of_code(Index row, Index col) const {
    return is_cached(row, col) ? code_score(of(), row, code(col)) : of().scores().product(of().codewords(), row, col);
  }
  /// Keys after the query have none.
  double bias_of(Index row, Index col) const { return m_shown.all_keys ? 0 : of().scores().bias(row, col); }
  /// 0 where the query does not see the key.
  double weight(bool of_code, Index row, Index col) const;
  double range() const;

  Index m_length, m_block;
  VqElementwise m_shown;
  bool m_biased;
  DeferredWeighed::Value m_weighed;
  double m_range;
};

double ElementwiseField::weight(bool of_code, Index row, Index col) const {
  if (!m_shown.all_keys && col > row) return 0;
  const double bias = bias_of(row, col);
  if (std::isinf(bias)) return 0;
  return phi(m_shown.function,
             (of_code ? score_of_code(row, col) : of().scores().product(of().keys(), row, col)) + bias);
}

/// The same for keys and codewords, half of it for their difference. Few weights are far above the
/// others: one cell in 200 is out of range.
double ElementwiseField::range() const {
  const Index step = std::max<Index>(1, m_length / range_cells);
  std::vector<double> weights;
  for (Index row = 0; row < m_length; row += step)
    for (Index col = 0; col < m_length; col += step)
      if (m_shown.all_keys || col <= row)
        weights.insert(weights.end(), {weight(false, row, col), weight(true, row, col)});
  const auto most = weights.end() - 1 - static_cast<std::ptrdiff_t>(weights.size() / 200);
  std::nth_element(weights.begin(), most, weights.end());
  const double largest = *most > 0 ? std::min(*most, 1e30) : 1;
  return m_shown.weights == VqWeights::difference ? largest / 2 : largest;
}

CellReport ElementwiseField::report(Index row, Index col) const {
  CellReport report{{{"q", to_text(row)}, {"k", to_text(col)}}, {}};
  if (!m_shown.all_keys && col > row) {
    report.why = "the key comes after the query: causal attention does not see it";
    return report;
  }
  const double bias = bias_of(row, col);
  if (std::isinf(bias)) {
    report.why = fmt::format("bias or mask hides key {} from query {}", grouped(col), grouped(row));
    return report;
  }
  const double of_key = of().scores().product(of().keys(), row, col), of_code = score_of_code(row, col);
  report.facts.insert(report.facts.end(), {{"q·k", to_text(of_key, 6)},
                                           {"code", to_text(code(col))},
                                           {"q·k̂", to_text(of_code, 6)},
                                           {"weight", to_text(phi(m_shown.function, of_key + bias), 6)},
                                           {"quantised weight", to_text(phi(m_shown.function, of_code + bias), 6)}});
  if (m_biased) report.facts.emplace_back("B", to_text(bias, 6));
  report.why = is_cached(row, col)
                   ? fmt::format(
                         "every cached key of codeword {} has this weight: the output adds the sum of their "
                         "values once",
                         code(col))
                   : fmt::format(
                         "key {} is in the query's block or the one before and is scored by itself, through "
                         "codeword {}",
                         grouped(col), code(col));
  return report;
}

}  // namespace

Result<std::shared_ptr<const Field>> make_vq_elementwise(const VqSetting& setting, const VqElementwise& shown,
                                                         DeferredWeighed::Value weighed) {
  if (auto checked = check_linear_form(setting); !checked) return checked.error();
  if (setting.bias && !setting.bias->sinks().empty())
    return invalid("form={} takes no sinks: they are terms of the softmax",
                   shown.all_keys ? "elementwise_all" : "elementwise");
  if (shown.all_keys && setting.bias)
    return invalid("form=elementwise_all takes no bias and no mask: theorem 3.4 has none; form=elementwise does");
  if (shown.all_keys && (*weighed)->compared().far.queries.rows > 0)
    return invalid("form=elementwise_all takes no distances to clip: rotation_order must be rotate_first");
  return std::shared_ptr<const Field>(std::make_shared<ElementwiseField>(setting, shown, std::move(weighed)));
}

}  // namespace vqscope
