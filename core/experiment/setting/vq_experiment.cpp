// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/setting/vq_experiment.h"

#include "core/base/random.h"
#include "core/base/shared_computation.h"
#include "core/encoding/own/own_rotation.h"

#include <algorithm>
#include <cassert>

namespace vqscope {
namespace {

/// Normal numbers from a separate stream.
std::vector<float> drawn(std::uint64_t seed, std::uint64_t stream, Index count, Index width,
                         const std::stop_token& stop) {
  return sample_keys({.kind = KeyKind::independent, .seed = SeededRandom(seed).bits() ^ stream}, count, width, stop);
}

VqData sampled(const VqSetting& setting, const std::stop_token& stop) {
  VqData data{.d_k = setting.d_k, .d_v = setting.d_v};
  KeySampler sampler(setting.keys, setting.d_k, stop);
  sampler.append(data.train, setting.train_keys, stop);
  sampler.append(data.keys, setting.q_length, stop);
  data.queries = drawn(setting.keys.seed, 1, setting.q_length, setting.d_k, stop);
  data.values = drawn(setting.keys.seed, 2, setting.q_length, setting.d_v, stop);
  return data;
}

/// After a stop, only the first rows.
std::vector<float> some_rows(const std::vector<float>& all, Range rows, Index width, const std::stop_token& stop) {
  constexpr Index at_once = 1024;
  std::vector<float> some;
  some.reserve(static_cast<std::size_t>(rows.size() * width));
  for (Index begin = rows.begin; begin < rows.end && !stop.stop_requested(); begin += at_once)
    some.insert(some.end(), all.begin() + begin * width, all.begin() + std::min(begin + at_once, rows.end) * width);
  return some;
}

/// Takes the user's tokens; samples what they lack.
VqData given(const VqSetting& setting, const std::stop_token& stop) {
  const VqTokens& tokens = *setting.tokens;
  const Range first{0, setting.q_length};
  VqData data{.d_k = setting.d_k, .d_v = setting.d_v};
  data.train = some_rows(tokens.keys, training_keys(setting), setting.d_k, stop);
  data.keys = some_rows(tokens.keys, first, setting.d_k, stop);
  data.queries = tokens.queries.empty() ? drawn(setting.keys.seed, 1, setting.q_length, setting.d_k, stop)
                                        : some_rows(tokens.queries, first, setting.d_k, stop);
  data.values = tokens.values.empty() ? drawn(setting.keys.seed, 2, setting.q_length, setting.d_v, stop)
                                      : some_rows(tokens.values, first, setting.d_v, stop);
  data.codewords = tokens.codewords;
  return data;
}

/// Each row is normalised on its own, so that rows can be processed in parts.
void normalize_all(std::vector<float>& rows, Index width, QueryKeyNorm norm, const std::stop_token& stop) {
  const std::size_t some = 1024 * static_cast<std::size_t>(width);
  for (std::size_t done = 0; done < rows.size() && !stop.stop_requested(); done += some)
    normalize_rows(std::span(rows).subspan(done, std::min(some, rows.size() - done)), width, norm);
}

CodebookOptions codebook_options_of(const VqSetting& setting) {
  return {.n_code = setting.n_code,
          .gamma = setting.gamma,
          .steps = setting.steps,
          .batch = setting.batch,
          .seed = setting.keys.seed,
          .fits_after = setting.fits_after};
}

}  // namespace

VqData draw_vq(const VqSetting& setting, const std::stop_token& stop) {
  VqData data = setting.tokens ? given(setting, stop) : sampled(setting, stop);
  for (auto* rows : {&data.train, &data.queries, &data.keys}) normalize_all(*rows, setting.d_k, setting.norm, stop);
  if (!setting.rotation || setting.order != RotationOrder::rotate_first) return data;
  for (auto* rows : {&data.queries, &data.keys, &data.train})
    rotate_tokens(*setting.rotation, *rows, setting.d_k, 0, stop);
  return data;
}

StridedMatrix matrix_of(const std::vector<float>& rows, Index width) {
  return {rows.data(), static_cast<Index>(rows.size()) / width, width, width};
}

StridedMatrix rows_of(const StridedMatrix& matrix, Range rows) {
  assert(0 <= rows.begin && rows.begin <= rows.end && rows.end <= matrix.rows);
  return {matrix.data + rows.begin * matrix.stride, rows.size(), matrix.cols, matrix.stride};
}

Result<LearntCodebook> learn_vq(const VqSetting& setting, const StridedMatrix& train, const Work& work,
                                const std::function<void(const CodebookFit&)>& on_step) {
  return learn_codebook(train, codebook_options_of(setting), work, on_step);
}

QuantisedKeys quantise(const StridedMatrix& keys, const StridedMatrix& codewords, const std::stop_token& stop) {
  constexpr Index some = 128;
  QuantisedKeys quantised;
  quantised.codes.resize(static_cast<std::size_t>(keys.rows));
  const Quantiser quantiser(codewords, best_kernels());
  Scratch scratch;
  for (Index begin = 0; begin < keys.rows && !stop.stop_requested(); begin += some)
    quantiser.encode(rows_of(keys, {begin, std::min(begin + some, keys.rows)}), nullptr, scratch,
                     quantised.codes.data() + begin);
  quantised.keys.reserve(static_cast<std::size_t>(keys.rows * keys.cols));
  for (Index i = 0; i < keys.rows && !stop.stop_requested(); ++i) {
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
  VqExperiment experiment{.data = draw_vq(setting, work.stop), .codewords = {}, .quantised = {}};
  if (work.stop.stop_requested()) return cancelled();
  experiment.codewords = experiment.data.codewords;
  if (experiment.codewords.empty()) {
    auto learnt = learn_vq(setting, matrix_of(experiment.data.train, setting.d_k), work);
    if (!learnt) return learnt.error();
    experiment.codewords = std::move(learnt->codewords);
  }
  experiment.quantised =
      quantise(matrix_of(experiment.data.keys, setting.d_k), matrix_of(experiment.codewords, setting.d_k), work.stop);
  if (work.stop.stop_requested()) return cancelled();
  return experiment;
}

std::vector<double> powers_of_two(Index first, Index last) {
  assert(0 < first && first <= last);
  std::vector<double> powers;
  for (Index x = first; x < last; x *= 2) powers.push_back(static_cast<double>(x));
  powers.push_back(static_cast<double>(last));
  return powers;
}

Deferred<VqExperiment>::Compute shared_experiment(const ParameterValues& values, const VqSetting& setting) {
  static SharedComputation<SettingKey, VqExperiment> known;
  return [key = key_of(values, setting, {"shown", "occupancy"}), setting](const Work& work) {
    return known.get(key, work, [setting](const Work& shared) { return run_vq(setting, shared); });
  };
}

}  // namespace vqscope
