// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/encoding/rope/rope_scaling.h"
#include "core/experiment/setting/vq_experiment.h"

#include <string>
#include <vector>

namespace vqscope {

/// Total variation between two code histograms: half the sum of |frequency in a - frequency in b|.
/// 0 if both use codes alike, 1 if they have none in common.
double code_drift(const std::vector<Index>& a, const std::vector<Index>& b);

/// Rotates row i of [rows, head_dim], pairs half_split, as position i modulo `period`, cos and sin
/// times the scaling's attention factor. head_dim is even. After a stop some rows are unchanged.
void rotate_rows(std::vector<float>& rows, const RopeScaling& scaling, Index period, const std::stop_token& stop = {});

/// The id of the scheme that does not rotate.
inline const std::string unrotated = "unrotated";

/// The scaling of a scheme in a sequence of that length; a factor of 0 follows the length.
RopeScaling scaling_at(const ParameterValues& values, Index d_k, const std::string& scheme, Index length);

/// A position scheme, and the codebook learnt for it on keys at positions below the training
/// length. The constructor's arguments must outlive it.
class CodebookScheme {
 public:
  static Result<CodebookScheme> learn(const ParameterValues& values, const VqSetting& setting, const VqData& data,
                                      std::string name, const Work& work);

  /// One of the choices of `measure`, over the last tokens of a sequence. Measures of attention use
  /// the bias; null: none.
  Result<double> measure(Index length, const std::string& what, const std::shared_ptr<const ChosenBias>& bias,
                         const Work& work) const;

  /// Number of queries at the end of each sequence whose attention is measured.
  static constexpr Index most_queries = 64;

 private:
  CodebookScheme(const ParameterValues& values, const VqSetting& setting, const VqData& data, std::string name)
      : m_values(values), m_setting(setting), m_data(data), m_name(std::move(name)) {}

  bool rotated() const { return m_name != unrotated; }
  StridedMatrix codewords() const { return matrix_of(m_codewords, m_data.d_k); }
  std::vector<float> some(const std::vector<float>& rows, Index length, const std::stop_token& stop) const;

  const ParameterValues& m_values;
  const VqSetting& m_setting;
  const VqData& m_data;
  std::string m_name;
  std::vector<float> m_codewords;
  std::vector<Index> m_trained;  ///< number of training keys with each code
};

}  // namespace vqscope
