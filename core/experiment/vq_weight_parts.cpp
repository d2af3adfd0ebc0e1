// SPDX-License-Identifier: GPL-3.0-or-later
// The weights and factors of figure 2 of the Transformer-VQ paper.
#include "core/experiment/methods.h"

#include "core/base/sentence.h"
#include "core/experiment/setting/vq_answer.h"
#include "core/experiment/setting/vq_parameters.h"
#include "core/experiment/setting/weighed_tokens.h"
#include "core/experiment/vq_parts.h"
#include "core/field/block_walk.h"

#include <algorithm>
#include <cmath>

namespace vqscope {
namespace {

/// Rows are queries; columns are the codewords of the cache, then the keys of the previous block and
/// of the query's own.
class WeightPartsField : public Field {
 public:
  WeightPartsField(const VqSetting& setting, DeferredWeighed::Compute weighed)
      : m_setting(setting), m_block(std::min(setting.block_len, setting.q_length)), m_weighed(std::move(weighed)) {}

  Extent extent() const override { return {m_setting.q_length, m_setting.n_code + 2 * m_block}; }
  CellType cell_type() const override { return CellType::float32; }
  Result<void> prepare(const Work& work) const override {
    const auto weighed = m_weighed.get(work);
    return weighed ? Result<void>() : weighed.error();
  }
  double at(Index row, Index col) const override;
  double cell_cost() const override { return static_cast<double>(m_setting.d_k + m_setting.q_length) / 2; }
  void read(const Rect& block, CellSpan out) const override;
  std::pair<double, double> value_range() const override;
  CellReport report(Index row, Index col) const override;
  /// A label is left of its line.
  std::vector<Mark> marks() const override {
    const auto codes = static_cast<double>(m_setting.n_code);
    return {{Mark::Axis::col, codes, "cache"},
            {Mark::Axis::col, codes + static_cast<double>(m_block), "previous block"}};
  }

 private:
  const WeighedTokens* weighed() const {
    const OwnWeighed* own = m_weighed.find();
    return own != nullptr ? own->get() : nullptr;
  }
  /// Keys of the blocks before the previous one.
  Index cached(Index row) const { return std::max<Index>(row / m_block - 1, 0) * m_block; }
  /// The key of a column behind the codewords; below 0 or after the query: there is none.
  Index key(Index row, Index col) const { return (row / m_block - 1) * m_block + col - m_setting.n_code; }
  /// Keys of the cache with each code.
  std::vector<Index> counts(const WeighedTokens& of, Index row) const {
    const auto first = of.experiment().quantised.codes.begin();
    return code_counts({first, first + cached(row)}, m_setting.n_code);
  }
  double weight(const WeighedTokens& of, const std::vector<Index>& counts, Index row, Index col) const;

  VqSetting m_setting;
  Index m_block;
  DeferredWeighed m_weighed;
};

double WeightPartsField::at(Index row, Index col) const {
  const WeighedTokens* of = weighed();
  return of != nullptr ? weight(*of, counts(*of, row), row, col) : no_part;
}

void WeightPartsField::read(const Rect& block, CellSpan out) const {
  const WeighedTokens* of = weighed();
  read_rows(block, out, [&](Index row) {
    return [this, of, row, in_cache = of != nullptr ? counts(*of, row) : std::vector<Index>()](Index col) {
      return of != nullptr ? weight(*of, in_cache, row, col) : no_part;
    };
  });
}

double WeightPartsField::weight(const WeighedTokens& of, const std::vector<Index>& counts, Index row, Index col) const {
  if (col >= m_setting.n_code) {
    const Index own = key(row, col);
    return own < 0 || own > row ? 0 : of.weight_of_codeword(row, own);
  }
  const auto keys = static_cast<double>(counts[static_cast<std::size_t>(col)]);
  if (keys == 0) return 0;
  const double score = code_score(of, row, col) + of.scores().bias(row, 0);  // the same at all cached keys
  return keys * std::exp(score - of.log_sums_of_codewords()[static_cast<std::size_t>(row)]);
}

/// Weights of single keys are around 1/T, those of codewords around 1/S.
std::pair<double, double> WeightPartsField::value_range() const {
  const double keys = 16 / static_cast<double>(m_setting.q_length), codes = 4 / static_cast<double>(m_setting.n_code);
  return {0, std::min(1.0, std::max({keys, codes, m_setting.bias ? 0.25 : 0.0}))};
}

CellReport WeightPartsField::report(Index row, Index col) const {
  CellReport report{{{"q", to_text(row)}}, {}};
  const WeighedTokens* of = weighed();
  if (of == nullptr) {
    report.why = "there is not enough memory for the weights";
    return report;
  }
  const bool is_code = col < m_setting.n_code;
  const Index own = is_code ? 0 : key(row, col);
  const Index keys = is_code ? counts(*of, row)[static_cast<std::size_t>(col)] : 0;
  report.facts.emplace_back(is_code ? "code" : "k", own < 0 ? "none" : to_text(is_code ? col : own));
  report.facts.emplace_back("weight", to_text(at(row, col), 6));
  if (is_code) {
    report.facts.insert(report.facts.end(), {{"n_s", to_text(keys)}, {"q·c", to_text(code_score(*of, row, col), 6)}});
    report.why = keys == 0 ? fmt::format("no key of the cache has codeword {}", col)
                           : fmt::format("{} keys of the cache have codeword {}, which is scored once: q·c + ln {}",
                                         grouped(keys), col, grouped(keys));
  } else if (own < 0) {
    report.why = "there is no previous block";
  } else if (own > row) {
    report.why = "the key comes after the query: causal attention does not see it";
  } else {
    report.why = fmt::format("key {} is scored by itself, through codeword {}", grouped(own),
                             of->experiment().quantised.codes[static_cast<std::size_t>(own)]);
  }
  return report;
}

Result<std::shared_ptr<const Field>> make_weight_parts(const ParameterValues& values, const Work& work) {
  const auto setting = vq_setting(values, work);
  if (!setting) return setting.error();
  if (auto checked = check_linear_form(*setting); !checked) return checked.error();
  return std::shared_ptr<const Field>(std::make_shared<WeightPartsField>(*setting, shared_weighed(values, *setting)));
}

}  // namespace

double code_score(const WeighedTokens& of, Index row, Index code) {
  const ComparedAttention& compared = of.compared();
  const StridedMatrix& queries = compared.far.queries.rows > 0 ? compared.far.queries : compared.queries;
  const float* q = queries.data + row * queries.stride;
  const float* c = of.experiment().codewords.data() + code * queries.cols;
  double sum = 0;
  for (Index i = 0; i < queries.cols; ++i) sum += static_cast<double>(q[i]) * static_cast<double>(c[i]);
  return sum;
}

Method part_method(const char* id, const char* title, const char* help, FieldRecipe recipe) {
  recipe.related = {"vq_cache_codes", "vq_error_by_token"};
  return {.id = id,
          .title = title,
          .category = "vq",
          .help = help,
          .citation = vq_citation("figure 2, theorems 3.5 and 3.7"),
          .parameters = biased_vq_parameters(),
          .check = check_weighed,
          .remark = vq_remark,
          .recipe = std::move(recipe)};
}

Method vq_weight_parts_method() {
  return part_method("vq_weight_parts", "Cache, previous and present block",
                     "Weights of the linear form: codewords of the cache with their counts, then single keys.",
                     {.row_title = "query position q",
                      .col_title = "code s of the cache, then keys of the previous and present block",
                      .value_title = "weight",
                      .col_name = [](const ParameterValues&) { return std::string("column"); },
                      .make = make_weight_parts});
}

}  // namespace vqscope
