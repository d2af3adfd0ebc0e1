// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/attention/codebook/codebook.h"
#include "core/experiment/setting/vq_setting.h"

namespace vqscope {

/// Tokens, drawn or given. A longer sequence begins with the same ones.
struct VqData {
  Index d_k = 0;
  Index d_v = 0;
  std::vector<float> train;      ///< [train_keys, d_k]
  std::vector<float> queries;    ///< [q_length, d_k]
  std::vector<float> keys;       ///< [q_length, d_k]
  std::vector<float> values;     ///< [q_length, d_v]
  std::vector<float> codewords;  ///< [n_code, d_k], or empty: they are to be learnt
};

/// Drawn, or the setting's own tokens, which must have their numbers; after their norm. Stopped, they mean nothing.
VqData draw_vq(const VqSetting& setting, const std::stop_token& stop = {});

/// [rows, width], all of them.
StridedMatrix matrix_of(const std::vector<float>& rows, Index width);

/// Some rows of a matrix.
StridedMatrix rows_of(const StridedMatrix& matrix, Range rows);

/// Codewords learnt from `train` as the setting says.
Result<LearntCodebook> learn_vq(const VqSetting& setting, const StridedMatrix& train, const Work& work,
                                const std::function<void(const CodebookFit&)>& on_step = {});

/// Keys with the codewords in their place.
struct QuantisedKeys {
  std::vector<std::int32_t> codes;  ///< [keys]
  std::vector<float> keys;          ///< [keys, d_k]
  double commit_loss = 0;           ///< mean of |k - k̂|²
};
/// Stopped, they mean nothing.
QuantisedKeys quantise(const StridedMatrix& keys, const StridedMatrix& codewords, const std::stop_token& stop = {});

/// How many keys have each code.
std::vector<Index> code_counts(const std::vector<std::int32_t>& codes, Index n_code);

/// Everything of a setting. What check_vq refuses must not be asked for.
struct VqExperiment {
  VqData data;
  std::vector<float> codewords;  ///< [n_code, d_k]
  QuantisedKeys quantised;       ///< data.keys
};
Result<VqExperiment> run_vq(const VqSetting& setting, const Work& work = {});

/// 1, 2, 4, ... and `last` itself.
std::vector<double> powers_of_two(Index first, Index last);

}  // namespace vqscope
