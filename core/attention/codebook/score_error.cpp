// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/codebook/score_error.h"

namespace vqscope {

ScoreError score_error(const StridedMatrix& queries, const StridedMatrix& keys, const StridedMatrix& quantised,
                       const std::stop_token& stop) {
  assert(queries.rows == keys.rows && keys.rows == quantised.rows && queries.rows > 0);
  double of_scores = 0;
  double key_distance = 0;
  double query_length = 0;
  for (Index i = 0; i < keys.rows && !stop.stop_requested(); ++i) {
    double apart = 0;
    for (Index c = 0; c < keys.cols; ++c) {
      const auto q = static_cast<double>(queries.data[i * queries.stride + c]);
      const double error = static_cast<double>(keys.data[i * keys.stride + c]) -
                           static_cast<double>(quantised.data[i * quantised.stride + c]);
      apart += q * error;
      key_distance += error * error;
      query_length += q * q;
    }
    of_scores += apart * apart;
  }
  const auto rows = static_cast<double>(keys.rows);
  const double variance = query_length / rows / static_cast<double>(keys.cols);
  ScoreError result{of_scores / rows, variance * key_distance / rows, 1};
  if (result.of_keys > 0) result.ratio = result.of_scores / result.of_keys;
  return result;
}

}  // namespace vqscope
