// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/experiment/setting/row_errors.h"
#include "core/experiment/setting/vq_experiment.h"

namespace vqscope {

/// Queries, keys and codewords of an experiment as scores take them: rotated after the keys were
/// quantised, where the setting's order says so.
class ScoredTokens {
 public:
  /// `data` and `quantised` must outlive it. Undefined after a stop.
  ScoredTokens(const VqSetting& setting, const VqData& data, const QuantisedKeys& quantised,
               const std::stop_token& stop = {});

  ComparedAttention attention() const;

 private:
  const VqData& m_data;
  const QuantisedKeys& m_quantised;
  std::shared_ptr<const ChosenBias> m_bias;
  Index m_block_len;
  std::vector<float> m_rotated_queries, m_rotated_keys, m_rotated_codewords;  ///< empty: those of the experiment
  std::vector<float> m_far_queries;                                           ///< empty: no distance is clipped
};

}  // namespace vqscope
