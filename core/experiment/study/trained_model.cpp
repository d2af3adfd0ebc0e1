// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/study/trained_model.h"

#include "core/model/pass/transformer_pass.h"

#include <algorithm>

namespace vqscope {
namespace {

using Pass = TransformerPass<float>;

/// Maximum number of tokens in rows that are processed together.
constexpr Index most_tested_tokens = 8192;
/// About how many tokens a segment has.
constexpr Index segment_tokens = 2048;

/// How sequences of a length are passed.
struct TestShape {
  Index rows = 1;    ///< at a time
  Index length = 0;  ///< at a time: of a segment
  Index carried = 0;
};

/// In segments if that is possible, with memory that does not grow with the length.
TestShape test_shape(const TransformerConfig& config, Index length, bool positions) {
  TestShape shape{.length = length};
  if (length > segment_tokens && !positions) shape.carried = carried_tokens(config);
  const Index unit = segment_unit(config);
  if (shape.carried > 0) shape.length = std::min(length, std::max<Index>(1, segment_tokens / unit) * unit);
  shape.rows = std::max<Index>(1, most_tested_tokens / shape.length);
  return shape;
}

/// Passes parts of a batch, some rows and some columns at a time, and calls take(pass, losses, part, first row).
template <class Take>
class TestPasses {
 public:
  TestPasses(const TransformerConfig& config, const Parameters<float>& parameters, const std::stop_token& stop,
             const Take& take)
      : m_config(config), m_parameters(parameters), m_stop(stop), m_take(take) {}

  Result<void> run(const Batch& all) {
    m_shape = test_shape(m_config, all.length, !all.position_ids.empty());
    for (Index begin = 0; begin < all.rows; begin += m_shape.rows) {
      const Range some{begin, std::min(all.rows, begin + m_shape.rows)};
      const Batch rows{some.size(), all.length, all.rows_of(all.tokens, some), all.rows_of(all.labels, some),
                       all.rows_of(all.position_ids, some)};
      auto done = m_shape.carried > 0 ? in_segments(rows, begin) : whole(rows, begin);
      if (!done) return done;
    }
    return {};
  }

 private:
  Result<void> whole(const Batch& rows, Index first_row) {
    if (auto made = make_pass(rows.rows, rows.length); !made) return made;
    return taken(m_pass->run(m_parameters, rows, nullptr, 1, m_stop), rows, first_row);
  }

  Result<void> in_segments(const Batch& rows, Index first_row) {
    CarriedState<float> state(m_config, rows.rows);
    for (Index begin = 0; begin < rows.length; begin += m_shape.length) {
      const Range some{begin, std::min(rows.length, begin + m_shape.length)};
      const auto tokens = columns_of(rows.tokens, rows.length, some),
                 labels = columns_of(rows.labels, rows.length, some);
      const Batch segment{rows.rows, some.size(), tokens, labels};
      if (auto made = make_pass(rows.rows, some.size()); !made) return made;
      auto done = taken(m_pass->run_segment(m_parameters, segment, state, nullptr, 1, m_stop), segment, first_row);
      if (!done) return done;
    }
    return {};
  }

  Result<void> make_pass(Index rows, Index length) {
    if (m_pass && m_made == std::pair(rows, length)) return {};
    m_pass.reset();
    auto made = Pass::create(m_config, m_parameters.layout, rows, length, Keep::logits, m_shape.carried);
    if (!made) return made.error();
    m_pass = std::move(*made);
    m_made = {rows, length};
    return {};
  }

  Result<void> taken(const Result<Losses>& losses, const Batch& part, Index first_row) {
    if (!losses) return losses.error();
    m_take(*m_pass, *losses, part, first_row);
    return {};
  }

  const TransformerConfig& m_config;
  const Parameters<float>& m_parameters;
  const std::stop_token& m_stop;
  const Take& m_take;
  TestShape m_shape;
  std::unique_ptr<Pass> m_pass;
  std::pair<Index, Index> m_made;
};

template <class Take>
Result<void> for_parts(const TransformerConfig& config, const Parameters<float>& parameters, const TokenBatch& batch,
                       std::span<const std::int32_t> positions, const std::stop_token& stop, const Take& take) {
  return TestPasses<Take>(config, parameters, stop, take)
      .run({batch.rows, batch.length, batch.tokens, batch.labels, positions});
}

struct Answers {
  Index right = 0;
  Index counted = 0;
};

Answers answers_of(const Pass& pass, const Batch& part, Index row, Index vocabulary) {
  const auto logits = pass.logits(row);
  const auto labels = part.rows_of(part.labels, {row, row + 1});
  Answers answers;
  for (std::size_t t = 0; t < labels.size(); ++t) {
    if (labels[t] == ignored_label) continue;
    const auto of_token =
        logits.subspan(t * static_cast<std::size_t>(vocabulary), static_cast<std::size_t>(vocabulary));
    ++answers.counted;
    answers.right += std::ranges::max_element(of_token) - of_token.begin() == labels[t];
  }
  return answers;
}

/// By row.
Result<std::vector<Answers>> answers_of(const TransformerConfig& config, const Parameters<float>& parameters,
                                        const TokenBatch& batch, std::span<const std::int32_t> positions,
                                        const std::stop_token& stop) {
  std::vector<Answers> all(static_cast<std::size_t>(batch.rows));
  const auto add = [&](const Pass& pass, const Losses&, const Batch& part, Index first_row) {
    for (Index row = 0; row < part.rows; ++row) {
      const Answers answers = answers_of(pass, part, row, config.vocab);
      Answers& sum = all[static_cast<std::size_t>(first_row + row)];
      sum.right += answers.right;
      sum.counted += answers.counted;
    }
  };
  if (auto done = for_parts(config, parameters, batch, positions, stop, add); !done) return done.error();
  return all;
}

double fraction(Index part, Index whole) {
  return static_cast<double>(part) / static_cast<double>(std::max<Index>(1, whole));
}

constexpr std::size_t most_numbers = (std::size_t{128} << 20) / sizeof(float);

std::size_t numbers_of(const TrainedModel& model) {
  return model.parameters() ? model.parameters()->values.size() : std::size_t{1};
}

}  // namespace

double test_bytes(const TransformerConfig& config, const ParameterLayout& layout, Index length, bool positions) {
  const TestShape shape = test_shape(config, length, positions);
  const auto pass =
      TransformerPass<float>::bytes(config, layout, shape.rows, shape.length, Keep::logits, shape.carried);
  const double state = shape.carried > 0 ? CarriedState<float>::bytes(config, shape.rows) : 0;
  return static_cast<double>(pass) + state;
}

Result<Measured> context_loss(const TransformerConfig& config, const Parameters<float>& parameters,
                              const TokenBatch& batch, std::span<const std::int32_t> positions,
                              const std::stop_token& stop) {
  Measured sum;
  Index counted = 0;
  const auto add = [&](const Pass&, const Losses& losses, const Batch&, Index) {
    const auto weight = static_cast<double>(losses.counted);
    sum.value += losses.ce_loss * weight;
    sum.cache_shares.resize(std::max(sum.cache_shares.size(), losses.cache_shares.size()));
    for (std::size_t layer = 0; layer < losses.cache_shares.size(); ++layer)
      sum.cache_shares[layer] += losses.cache_shares[layer] * weight;
    counted += losses.counted;
  };
  if (auto done = for_parts(config, parameters, batch, positions, stop, add); !done) return done.error();
  const auto all = static_cast<double>(std::max<Index>(1, counted));
  sum.value /= all;
  for (double& share : sum.cache_shares) share /= all;
  return sum;
}

Result<Measured> exact_match(const TransformerConfig& config, const Parameters<float>& parameters,
                             const TokenBatch& batch, std::span<const std::int32_t> positions,
                             const std::stop_token& stop) {
  const auto rows = answers_of(config, parameters, batch, positions, stop);
  if (!rows) return rows.error();
  return Measured{
      fraction(std::ranges::count_if(*rows, [](const Answers& a) { return a.right == a.counted; }), batch.rows)};
}

Result<Measured> token_accuracy(const TransformerConfig& config, const Parameters<float>& parameters,
                                const TokenBatch& batch, std::span<const std::int32_t> positions,
                                const std::stop_token& stop) {
  Answers all;
  const auto rows = answers_of(config, parameters, batch, positions, stop);
  if (!rows) return rows.error();
  for (const Answers& row : *rows) {
    all.right += row.right;
    all.counted += row.counted;
  }
  return Measured{fraction(all.right, all.counted)};
}

std::optional<Measured> TrainedModel::measured(const TestKey& key) const {
  const std::lock_guard lock(m_mutex);
  for (const auto& [known, value] : m_measured)
    if (known == key) return value;
  return std::nullopt;
}

void TrainedModel::keep(TestKey key, Measured measured) const {
  const std::lock_guard lock(m_mutex);
  m_measured.emplace_back(std::move(key), std::move(measured));
}

TrainedModels::Model TrainedModels::find(const TrainingKey& key) const {
  const std::lock_guard lock(m_mutex);
  const auto known = std::ranges::find(m_models, key, &std::pair<TrainingKey, Model>::first);
  return known == m_models.end() ? nullptr : known->second;
}

void TrainedModels::keep(TrainingKey key, Model model) {
  const std::lock_guard lock(m_mutex);
  m_models.emplace_front(std::move(key), std::move(model));
  std::size_t numbers = 0;
  const auto beyond = std::ranges::find_if(
      m_models, [&](const auto& entry) { return (numbers += numbers_of(*entry.second)) > most_numbers; });
  m_models.erase(std::max(beyond, m_models.begin() + 1), m_models.end());
}

TrainedModels& TrainedModels::shared() {
  static TrainedModels models;
  return models;
}

}  // namespace vqscope
