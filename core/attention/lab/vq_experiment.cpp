// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/lab/vq_experiment.h"

#include "core/base/random.h"

#include <algorithm>
#include <cassert>

namespace vqscope {
namespace {

constexpr Index keys_a_step = 512;

/// Normal numbers of a stream of their own.
std::vector<float> drawn(std::uint64_t seed, std::uint64_t stream, Index count, Index width) {
  return sample_keys({.kind = KeyKind::independent, .seed = SeededRandom(seed).bits() ^ stream}, count, width);
}

VqData sampled(const VqSetting& setting) {
  VqData data{.d_k = setting.d_k, .d_v = setting.d_v};
  data.train = sample_keys(setting.keys, setting.train_keys + setting.q_length, setting.d_k);
  data.queries = drawn(setting.keys.seed, 1, setting.q_length, setting.d_k);
  data.values = drawn(setting.keys.seed, 2, setting.q_length, setting.d_v);
  const auto tokens = data.train.begin() + setting.train_keys * setting.d_k;
  data.keys.assign(tokens, data.train.end());
  data.train.erase(tokens, data.train.end());
  return data;
}

std::vector<float> some_rows(const std::vector<float>& all, Range rows, Index width) {
  return {all.begin() + rows.begin * width, all.begin() + rows.end * width};
}

/// What a method did not ask for is drawn: it reads the size alone.
VqData given(const VqSetting& setting) {
  const VqTokens& tokens = *setting.tokens;
  const Range first{0, setting.q_length};
  VqData data{.d_k = setting.d_k, .d_v = setting.d_v};
  data.train = some_rows(tokens.keys, training_keys(setting), setting.d_k);
  data.keys = some_rows(tokens.keys, first, setting.d_k);
  data.queries = tokens.queries.empty() ? drawn(setting.keys.seed, 1, setting.q_length, setting.d_k)
                                        : some_rows(tokens.queries, first, setting.d_k);
  data.values = tokens.values.empty() ? drawn(setting.keys.seed, 2, setting.q_length, setting.d_v)
                                      : some_rows(tokens.values, first, setting.d_v);
  data.codewords = tokens.codewords;
  return data;
}

}  // namespace

VqData draw_vq(const VqSetting& setting) {
  VqData data = setting.tokens ? given(setting) : sampled(setting);
  for (auto* rows : {&data.train, &data.queries, &data.keys}) normalize_rows(*rows, setting.d_k, setting.norm);
  return data;
}

MatrixView matrix_of(const std::vector<float>& rows, Index width) {
  return {rows.data(), static_cast<Index>(rows.size()) / width, width, width};
}

MatrixView rows_of(const MatrixView& matrix, Range rows) {
  assert(0 <= rows.begin && rows.begin <= rows.end && rows.end <= matrix.rows);
  return {matrix.data + rows.begin * matrix.stride, rows.size(), matrix.cols, matrix.stride};
}

Result<LearntCodebook> learn_vq(const VqSetting& setting, const MatrixView& train, const Work& work,
                                const std::function<void(const CodebookFit&)>& on_step) {
  return learn_codebook(train,
                        {.n_code = setting.n_code,
                         .gamma = setting.gamma,
                         .steps = setting.steps,
                         .batch = keys_a_step,
                         .seed = setting.keys.seed},
                        work, on_step);
}

QuantisedKeys quantise(const MatrixView& keys, const MatrixView& codewords) {
  QuantisedKeys quantised;
  quantised.codes.resize(static_cast<std::size_t>(keys.rows));
  const Quantiser quantiser(codewords, best_kernels());
  Room room;
  quantiser.encode(keys, nullptr, room, quantised.codes.data());
  quantised.keys.reserve(static_cast<std::size_t>(keys.rows * keys.cols));
  for (Index i = 0; i < keys.rows; ++i) {
    const float* codeword = codewords.data + quantised.codes[static_cast<std::size_t>(i)] * codewords.stride;
    const float* key = keys.data + i * keys.stride;
    for (Index c = 0; c < keys.cols; ++c) {
      const double apart = static_cast<double>(key[c]) - static_cast<double>(codeword[c]);
      quantised.commit_loss += apart * apart;
      quantised.keys.push_back(codeword[c]);
    }
  }
  quantised.commit_loss /= static_cast<double>(keys.rows);
  return quantised;
}

std::vector<Index> code_counts(const std::vector<std::int32_t>& codes, Index n_code) {
  std::vector<Index> counts(static_cast<std::size_t>(n_code));
  for (const std::int32_t code : codes) ++counts[static_cast<std::size_t>(code)];
  return counts;
}

Result<VqExperiment> run_vq(const VqSetting& setting, const Work& work) {
  VqExperiment experiment{.data = draw_vq(setting), .codewords = {}, .quantised = {}};
  experiment.codewords = experiment.data.codewords;
  if (experiment.codewords.empty()) {
    auto learnt = learn_vq(setting, matrix_of(experiment.data.train, setting.d_k), work);
    if (!learnt) return learnt.error();
    experiment.codewords = std::move(learnt->codewords);
  }
  experiment.quantised =
      quantise(matrix_of(experiment.data.keys, setting.d_k), matrix_of(experiment.codewords, setting.d_k));
  return experiment;
}

std::vector<double> powers_of_two(Index first, Index last) {
  assert(0 < first && first <= last);
  std::vector<double> powers;
  for (Index x = first; x < last; x *= 2) powers.push_back(static_cast<double>(x));
  powers.push_back(static_cast<double>(last));
  return powers;
}

}  // namespace vqscope
