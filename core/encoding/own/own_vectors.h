// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"
#include "core/base/result.h"
#include "core/method/parameter.h"

#include <span>
#include <stop_token>
#include <vector>

namespace vqscope {

/// Queries and keys of one head before rotation, with their biases added.
struct OwnVectors {
  Index dims = 0;
  std::vector<double> queries;  ///< [q_length, dims]
  std::vector<double> keys;     ///< [kv_length, dims]

  std::span<const double> query(Index row) const { return row_of(queries, row); }
  std::span<const double> key(Index row) const { return row_of(keys, row); }

 private:
  std::span<const double> row_of(const std::vector<double>& of, Index row) const {
    return std::span(of).subspan(static_cast<std::size_t>(row * dims), static_cast<std::size_t>(dims));
  }
};

/// `vectors`, `q_tensor`, `k_tensor`, `seed`, `q_bias_vector`, `k_bias_vector`.
std::vector<ParameterSpec> own_vector_parameters();

/// Reads or samples them. `head_dim` is the size of sampled vectors; tensors have their own. Limits on memory and all
/// that a file can have wrong are errors. Stopped: Errc::cancelled.
Result<OwnVectors> own_vectors(const ParameterValues& values, Index q_length, Index kv_length,
                               const std::stop_token& stop = {});

/// Checks that need no file.
Result<void> check_own_vectors(const ParameterValues& values, Index q_length, Index kv_length);

}  // namespace vqscope
