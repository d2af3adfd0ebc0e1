// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/attention/codebook/codebook.h"
#include "core/base/deferred.h"
#include "core/experiment/setting/vq_setting.h"

#include <memory>

namespace vqscope {

/// Tokens, synthetic or given. A longer sequence begins with the same tokens.
struct VqData {
  Index d_k = 0;
  Index d_v = 0;
  std::vector<float> train;      ///< [train_keys, d_k]
  std::vector<float> queries;    ///< [q_length, d_k]
  std::vector<float> keys;       ///< [q_length, d_k]
  std::vector<float> values;     ///< [q_length, d_v]
  std::vector<float> codewords;  ///< [n_code, d_k]; empty: to be learnt
};

/// Synthetic tokens, or the setting's tokens, which must have been read with their numbers; after
/// normalisation, and rotation unless keys are quantised first. Training keys are a sequence of
/// their own, from position 0. Undefined after a stop.
VqData draw_vq(const VqSetting& setting, const std::stop_token& stop = {});

/// All rows as a matrix [rows, width].
StridedMatrix matrix_of(const std::vector<float>& rows, Index width);

/// Some rows of a matrix.
StridedMatrix rows_of(const StridedMatrix& matrix, Range rows);

/// Codewords learnt from `train` according to the setting.
Result<LearntCodebook> learn_vq(const VqSetting& setting, const StridedMatrix& train, const Work& work,
                                const std::function<void(const CodebookFit&)>& on_step = {});

/// Keys replaced by codewords.
struct QuantisedKeys {
  std::vector<std::int32_t> codes;  ///< [keys]
  std::vector<float> keys;          ///< [keys, d_k]
  double commit_loss = 0;           ///< mean of |k - k̂|²
};
/// Undefined after a stop.
QuantisedKeys quantise(const StridedMatrix& keys, const StridedMatrix& codewords, const std::stop_token& stop = {});

/// Number of keys with each code.
std::vector<Index> code_counts(const std::vector<std::int32_t>& codes, Index n_code);

/// All data of a setting, which must have passed check_vq.
struct VqExperiment {
  VqData data;
  std::vector<float> codewords;  ///< [n_code, d_k]
  QuantisedKeys quantised;       ///< data.keys
};
Result<VqExperiment> run_vq(const VqSetting& setting, const Work& work = {});

/// 1, 2, 4, ... and `last` itself.
std::vector<double> powers_of_two(Index first, Index last);

/// Tokens with their codes, computed once for all maps with the same values; `shown` names the
/// parameters that only decide what a map shows.
Deferred<VqExperiment>::Compute shared_experiment(const ParameterValues& values, const VqSetting& setting);

/// Content of the cache for every code after every block: [blocks, n_code].
struct CacheFill {
  Index blocks = 0;
  Index n_code = 0;
  std::vector<double> counts;   ///< n_s
  std::vector<double> lengths;  ///< |μ_s|, norm of the mean value

  std::size_t place(Index block, Index code) const { return static_cast<std::size_t>(block * n_code + code); }
};

Index cache_blocks(const VqSetting& setting);

/// Samples or reads the tokens, learns and counts. The only error is cancellation.
Result<CacheFill> fill_cache(const VqSetting& setting, const Work& work = {});

/// The same, computed once for all values that differ only in what they show.
Result<std::shared_ptr<const CacheFill>> shared_cache_fill(const ParameterValues& values, const VqSetting& setting,
                                                           const Work& work);

/// Parameters of the cache: those of the setting, and `filled`.
std::vector<ParameterSpec> cache_parameters();
/// `filled`, from 1 to the number of blocks.
std::vector<ParameterSpec> filled_parameter(const ParameterValues& values);
/// Refuses what check_vq refuses, and more blocks times codes than fit in most_vq_bytes.
Result<void> check_cache(const ParameterValues& values);

}  // namespace vqscope
