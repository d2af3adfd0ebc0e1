// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/methods.h"

#include "core/base/deferred.h"
#include "core/base/sentence.h"
#include "core/base/shared_computation.h"
#include "core/experiment/memory/memory_setting.h"
#include "core/field/block_walk.h"

#include <algorithm>
#include <cmath>

namespace vqscope {
namespace {

constexpr Index most_shown_tokens = 16384;

/// Everything from which the weights of every query are computed.
struct RetrievedWeights {
  MemoryTokens tokens;
  RetrievalOutput output;
};

Result<RetrievedWeights> weigh_retrieved(const RetrievalSetting& setting, const Work& work) {
  RetrievedWeights all{.tokens = memory_tokens(setting.memory, work.stop), .output = {}};
  if (work.stop.stop_requested()) return cancelled();
  auto output = retrieval_attention(all.tokens.input(), setting.options, {0, setting.memory.q_length}, work);
  if (!output) return output.error();
  all.output = std::move(*output);
  return all;
}

class MemorizingWeightField : public Field {
 public:
  MemorizingWeightField(const RetrievalSetting& setting, std::vector<std::string> words,
                        Deferred<RetrievedWeights>::Compute weights)
      : m_setting(setting), m_words(std::move(words)), m_weights(std::move(weights)) {}

  Extent extent() const override { return {m_setting.memory.q_length, m_setting.memory.q_length}; }
  CellType cell_type() const override { return CellType::float32; }
  Result<void> prepare(const Work& work) const override {
    const auto weights = m_weights.get(work);
    return weights ? Result<void>() : weights.error();
  }
  double at(Index row, Index col) const override;
  double cell_cost() const override { return 2; }
  void read(const Rect& block, CellSpan out) const override;
  /// Local keys share the weight that the memory leaves; a planted key has more.
  std::pair<double, double> value_range() const override {
    return {0, std::min(1.0, 16 / static_cast<double>(m_setting.options.segment_len))};
  }
  CellReport report(Index row, Index col) const override;

 private:
  Range local_keys(Index row) const { return {memory_range(row, m_setting.options).end, row + 1}; }
  /// The retrieved keys [top_k] of a query.
  std::span<const RetrievedKey> retrieved(const RetrievedWeights& of, Index row) const {
    return std::span(of.output.retrieved)
        .subspan(static_cast<std::size_t>(row * m_setting.options.top_k),
                 static_cast<std::size_t>(m_setting.options.top_k));
  }
  float weight_of_rank(const RetrievedWeights& of, Index row, Index rank) const {
    return of.output.weights[static_cast<std::size_t>(row * m_setting.options.top_k + rank)];
  }
  double local_score(const RetrievedWeights& of, Index row, Index col) const;
  template <class Cell>
  void fill(const Rect& block, Cell* out) const;

  RetrievalSetting m_setting;
  std::vector<std::string> m_words;
  Deferred<RetrievedWeights> m_weights;
};

double MemorizingWeightField::local_score(const RetrievedWeights& of, Index row, Index col) const {
  const Index d_k = of.tokens.d_k;
  double score = 0;
  for (Index c = 0; c < d_k; ++c)
    score += static_cast<double>(of.tokens.queries[static_cast<std::size_t>(row * d_k + c)]) *
             static_cast<double>(of.tokens.keys[static_cast<std::size_t>(col * d_k + c)]);
  return score;
}

double MemorizingWeightField::at(Index row, Index col) const {
  const RetrievedWeights* of = m_weights.find();
  if (of == nullptr) return std::numeric_limits<double>::quiet_NaN();
  if (local_keys(row).contains(col))
    return std::exp(local_score(*of, row, col) - of->output.local_log_sum[static_cast<std::size_t>(row)]);
  const auto keys = retrieved(*of, row);
  const auto found = std::ranges::find(keys, col, &RetrievedKey::position);
  return found == keys.end() ? 0.0 : static_cast<double>(weight_of_rank(*of, row, found - keys.begin()));
}

template <class Cell>
void MemorizingWeightField::fill(const Rect& block, Cell* out) const {
  const RetrievedWeights* of = m_weights.find();
  std::fill_n(out, block.area(), of != nullptr ? Cell{0} : std::numeric_limits<Cell>::quiet_NaN());
  if (of == nullptr) return;
  for (Index row = block.rows.begin; row < block.rows.end; ++row, out += block.cols.size()) {
    const Range local = common(local_keys(row), block.cols);
    for (Index col = local.begin; col < local.end; ++col) out[col - block.cols.begin] = static_cast<Cell>(at(row, col));
    const auto keys = retrieved(*of, row);
    for (std::size_t rank = 0; rank < keys.size() && keys[rank].position >= 0; ++rank)
      if (block.cols.contains(keys[rank].position))
        out[keys[rank].position - block.cols.begin] =
            static_cast<Cell>(weight_of_rank(*of, row, static_cast<Index>(rank)));
  }
}

void MemorizingWeightField::read(const Rect& block, CellSpan out) const {
  if (!fill_reals(out, [&](auto* numbers) { fill(block, numbers); })) Field::read(block, out);
}

CellReport MemorizingWeightField::report(Index row, Index col) const {
  CellReport report;
  report.facts = {{"q", token_text(row, m_words)}, {"k", token_text(col, m_words)}};
  const RetrievedWeights* of = m_weights.find();
  if (of == nullptr) return report;
  const Range memory = memory_range(row, m_setting.options);
  if (col > row) {
    report.why = "the key comes after the query: causal attention does not see it";
    return report;
  }
  report.facts.insert(report.facts.end(),
                      {{"q·k", to_text(local_score(*of, row, col), 6)}, {"weight", to_text(at(row, col), 6)}});
  const auto keys = retrieved(*of, row);
  std::vector<std::string> named;
  for (std::size_t i = 0; i < std::min<std::size_t>(keys.size(), 5) && keys[i].position >= 0; ++i)
    named.push_back(fmt::format("{} ({})", token_text(keys[i].position, m_words), to_text(keys[i].score, 4)));
  if (!named.empty()) report.facts.emplace_back("retrieved", join(named, ", "));
  if (!of->tokens.matches.empty() && of->tokens.matches[static_cast<std::size_t>(row)] >= 0)
    report.facts.emplace_back("planted key", to_text(of->tokens.matches[static_cast<std::size_t>(row)]));
  const auto found = std::ranges::find(keys, col, &RetrievedKey::position);
  if (col >= memory.end)
    report.why = fmt::format("the key is in the query's own segment, which local attention sees from token {} on",
                             grouped(memory.end));
  else if (col < memory.begin)
    report.why = fmt::format("the key has left the memory, which begins at token {} here", grouped(memory.begin));
  else if (found == keys.end())
    report.why = fmt::format("the key is in the memory, but not among the {} that the query retrieves",
                             grouped(m_setting.options.top_k));
  else
    report.why = fmt::format("the query retrieves the key from the memory: rank {} of {}", found - keys.begin() + 1,
                             grouped(m_setting.options.top_k));
  return report;
}

/// Values, and the tensors that were read for them.
using WeightsKey = std::pair<ParameterValues, const VqTokens*>;

Result<std::shared_ptr<const Field>> make_memorizing_weights(const ParameterValues& values, const Work&) {
  const auto setting = retrieval_setting(values);
  if (!setting) return setting.error();
  static SharedComputation<WeightsKey, RetrievedWeights> known;
  const auto weights = [key = WeightsKey(values, setting->memory.tokens.get()), setting = *setting](const Work& work) {
    return known.get(key, work, [setting](const Work& shared) { return weigh_retrieved(setting, shared); });
  };
  return std::shared_ptr<const Field>(std::make_shared<MemorizingWeightField>(*setting, words_of(values), weights));
}

Result<void> check_memorizing_weights(const ParameterValues& values) {
  if (auto checked = check_retrieval_values(values); !checked) return checked;
  const Index length = values.integer("q_length"), top_k = values.integer("top_k");
  if (length > most_shown_tokens)
    return invalid(
        "q_length is {} but must be at most {} for weights: every query is computed before the first cell is shown",
        length, most_shown_tokens);
  return check_memory_bytes(fmt::format("q_length {} and top_k {}", length, top_k),
                            20 * static_cast<double>(length) * static_cast<double>(top_k));
}

}  // namespace

Method memorizing_weights_method() {
  auto specs = retrieval_parameters();
  specs.push_back(words_parameter());
  return {.id = "memorizing_weights",
          .title = "Memorizing Transformers: weights",
          .category = "memory",
          .help = "Attention weights of each query: local keys of its segment, and keys retrieved from the memory.",
          .citation = retrieval_citation(),
          .parameters = std::move(specs),
          .check = check_memorizing_weights,
          .remark = memory_remark,
          .recipe = FieldRecipe{.row_title = "query position q",
                                .col_title = "key position k",
                                .value_title = "weight",
                                .related = {"memorizing_query"},
                                .make = make_memorizing_weights}};
}

}  // namespace vqscope
