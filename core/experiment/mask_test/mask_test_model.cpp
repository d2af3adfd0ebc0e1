// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/mask_test/mask_test_model.h"

#include "core/base/random.h"
#include "core/method/curve_set.h"
#include "core/model/generate/decoder.h"
#include "core/model/train/initial_weights.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace vqscope {
namespace {

/// Number of rows that pass through the model at a time.
constexpr Index passes_at_once = 16;
/// Scales up an untrained head, which hardly distinguishes tokens.
constexpr double higher_logit_scale = 50;

std::vector<double> no_values(Index count) { return std::vector<double>(static_cast<std::size_t>(count), no_value); }

std::vector<std::int32_t> indices(Index count) {
  std::vector<std::int32_t> all(static_cast<std::size_t>(count));
  std::iota(all.begin(), all.end(), 0);
  return all;
}

}  // namespace

double TestDifferences::largest() const {
  double most = 0;
  for (const double difference : by_token) most = std::fmax(most, difference);
  return most;
}

double TestDifferences::first() const {
  const auto found = std::ranges::find_if(by_token, [](double difference) { return difference > allowed; });
  return found == by_token.end() ? no_value : static_cast<double>(found - by_token.begin());
}

Result<MaskTestModel> MaskTestModel::create(const TransformerConfig& config, Index length, std::uint64_t seed,
                                            const Work& work) {
  auto layout = parameter_layout(config);
  if (!layout) return layout.error();
  auto weights = initial_weights<double>(config, *layout, seed);
  if (!config.tie_word_embeddings)
    for (Index i = 0; i < config.vocab * config.d_model; ++i) *weights.at((*layout)->head + i) *= higher_logit_scale;
  SeededRandom random(seed);
  Tokens tokens;
  for (Index i = 0; i < length; ++i)
    tokens.push_back(static_cast<std::int32_t>(random.bits() % static_cast<std::uint64_t>(config.vocab)));
  return MaskTestModel(config, std::move(weights), std::move(tokens), work);
}

std::int32_t MaskTestModel::other(std::int32_t token) const {
  return static_cast<std::int32_t>((token + 1) % m_config.vocab);
}

Result<std::vector<std::vector<double>>> MaskTestModel::logits(const std::vector<Row>& rows) const {
  const auto length = static_cast<Index>(rows.front().tokens.size());
  std::vector<std::vector<double>> all;
  for (std::size_t begin = 0; begin < rows.size(); begin += passes_at_once) {
    const std::size_t end = std::min(rows.size(), begin + passes_at_once);
    Tokens tokens, positions;
    std::vector<const Mask*> masks;
    for (std::size_t i = begin; i < end; ++i) {
      tokens.insert(tokens.end(), rows[i].tokens.begin(), rows[i].tokens.end());
      positions.insert(positions.end(), rows[i].positions.begin(), rows[i].positions.end());
      masks.push_back(rows[i].mask);
    }
    const auto count = static_cast<Index>(end - begin);
    auto pass = TransformerPass<double>::create(m_config, m_weights.layout, count, length, Keep::everything);
    if (!pass) return pass.error();
    Batch batch{.rows = count, .length = length, .tokens = tokens, .position_ids = positions, .masks = masks};
    if (auto done = (*pass)->run(m_weights, batch, nullptr, 1, m_work.stop); !done) return done.error();
    for (Index row = 0; row < count; ++row) {
      const auto of_row = (*pass)->logits(row);
      all.emplace_back(of_row.begin(), of_row.end());
    }
  }
  return all;
}

void MaskTestModel::compare(const std::vector<double>& a, Index at_a, const std::vector<double>& b, Index at_b,
                            double& largest) const {
  largest = std::fmax(largest, 0);
  for (Index i = 0; i < m_config.vocab; ++i)
    largest = std::fmax(largest, std::abs(a[static_cast<std::size_t>(at_a * m_config.vocab + i)] -
                                          b[static_cast<std::size_t>(at_b * m_config.vocab + i)]));
}

Result<TestDifferences> MaskTestModel::later_tokens(const MaskScenario& sequence) const {
  const auto positions = sequence.positions();
  std::vector<Row> rows{{m_tokens, positions, sequence.mask.get()}};
  for (std::size_t changed = 1; changed < m_tokens.size(); ++changed) {
    rows.push_back(rows.front());
    rows.back().tokens[changed] = other(m_tokens[changed]);
  }
  const auto all = logits(rows);
  if (!all) return all.error();
  const auto length = static_cast<Index>(m_tokens.size());
  TestDifferences differences{no_values(length)};
  for (Index changed = 1; changed < length; ++changed)
    for (Index token = 0; token < changed; ++token)
      compare(all->front(), token, (*all)[static_cast<std::size_t>(changed)], token,
              differences.by_token[static_cast<std::size_t>(token)]);
  return differences;
}

Result<TestDifferences> MaskTestModel::other_documents(const MaskScenario& sequence, bool by_index) const {
  const auto length = static_cast<Index>(m_tokens.size());
  const SequenceLayout& layout = sequence.layout;
  std::vector<Row> rows{{m_tokens, by_index ? indices(length) : sequence.positions(), sequence.mask.get()}};
  const Index documents = layout.q_document(length - 1) + 1;
  for (Index document = 0; document < documents; ++document) {
    rows.push_back(rows.front());
    for (Index token = 0; token < length; ++token)
      if (layout.q_document(token) == document) {
        auto& changed = rows.back().tokens[static_cast<std::size_t>(token)];
        changed = other(changed);
      }
  }
  const auto all = logits(rows);
  if (!all) return all.error();
  TestDifferences differences{no_values(length)};
  for (Index document = 0; document < documents; ++document)
    for (Index token = 0; token < length; ++token)
      if (layout.q_document(token) != document)
        compare(all->front(), token, (*all)[static_cast<std::size_t>(document + 1)], token,
                differences.by_token[static_cast<std::size_t>(token)]);
  return differences;
}

double MaskTestModel::cross_entropy_at(const std::vector<double>& logits, Index at, std::int32_t label) const {
  const double* row = logits.data() + at * m_config.vocab;
  const double most = *std::max_element(row, row + m_config.vocab);
  double sum = 0;
  for (Index i = 0; i < m_config.vocab; ++i) sum += std::exp(row[i] - most);
  return most + std::log(sum) - row[label];
}

Result<TestDifferences> MaskTestModel::left_padding(const MaskScenario& alone, const MaskScenario& padded,
                                                    bool by_index, MaskedLoss& loss) const {
  const auto length = static_cast<Index>(m_tokens.size()), whole = padded.layout.q_length(), padding = whole - length;
  Tokens tokens(static_cast<std::size_t>(padding), 0);
  tokens.insert(tokens.end(), m_tokens.begin(), m_tokens.end());
  const auto a = logits({{m_tokens, alone.positions(), alone.mask.get()}});
  if (!a) return a.error();
  const auto b = logits({{tokens, by_index ? indices(whole) : padded.positions(), padded.mask.get()}});
  if (!b) return b.error();
  TestDifferences differences{no_values(length)};
  for (Index token = 0; token < length; ++token)
    compare(a->front(), token, b->front(), padding + token, differences.by_token[static_cast<std::size_t>(token)]);
  double real = 0, all = 0;
  for (Index token = 0; token + 1 < whole; ++token) {
    const double of_token = cross_entropy_at(b->front(), token, tokens[static_cast<std::size_t>(token + 1)]);
    all += of_token;
    if (token >= padding) real += of_token;
  }
  double own = 0;
  for (Index token = 0; token + 1 < length; ++token)
    own += cross_entropy_at(a->front(), token, m_tokens[static_cast<std::size_t>(token + 1)]);
  loss = {own / static_cast<double>(length - 1), real / static_cast<double>(length - 1),
          all / static_cast<double>(whole - 1)};
  return differences;
}

Result<TestDifferences> MaskTestModel::cached_decode(const MaskScenario& whole, const MaskScenario& prefill,
                                                     std::span<const MaskScenario> decode, bool restart) const {
  const auto length = static_cast<Index>(m_tokens.size()), first = prefill.layout.q_length();
  const auto all = logits({{m_tokens, whole.positions(), whole.mask.get()}});
  if (!all) return all.error();
  const auto decoder = Decoder<double>::create(m_config, m_weights, length);
  if (!decoder) return decoder.error();
  TestDifferences differences{no_values(length)};
  for (Index token = 0; token < length; ++token) {
    if (m_work.stop.stop_requested()) return cancelled();
    const bool fills = token < first;
    const MaskScenario& step = fills ? prefill : decode[static_cast<std::size_t>(token - first)];
    const Index row = fills ? token : 0, position = restart && !fills ? token - first : step.layout.q_pos(row);
    const auto own = (*decoder)->read(m_tokens[static_cast<std::size_t>(token)], {*step.mask, row, position});
    compare(all->front(), token, {own.begin(), own.end()}, 0, differences.by_token[static_cast<std::size_t>(token)]);
  }
  return differences;
}

}  // namespace vqscope
