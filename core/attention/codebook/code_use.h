// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/attention/tensor_view.h"
#include "core/base/index.h"

#include <cstdint>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace vqscope {

/// How evenly keys use the codewords of a codebook.
struct CodeUse {
  double perplexity = 0;         ///< exp of the entropy of the codes: the effective number in use; 0 without a key
  Index used = 0;                ///< codes with a key
  std::vector<Index> dead = {};  ///< codes without a key, ascending
};

/// "codewords without a key: 3, 7 and 30 more"; empty: there are none.
std::string dead_codes_sentence(const CodeUse& use);

/// Use of codes, each below n_code, by some keys. -1 marks an invalid key, which is not counted.
CodeUse code_use(std::span<const std::int32_t> codes, Index n_code);

/// Expected number of distinct codes among `draws` samples of `codes` equally likely codes.
double expected_occupied(Index codes, Index draws);

/// Both sides of theorem 2.2 of Transformer-VQ, averaged over pairs of a query and a key:
/// E (q·k - q·k̂)² = σ² E |k - k̂|² if q is independent of k and E q qᵀ = σ² I. Queries after
/// LayerNorm have no component along the constant direction and are isotropic only in the other D -
/// 1: the ratio is then near D / (D - 1).
struct ScoreError {
  double of_scores = 0;  ///< mean of (q·k - q·k̂)²
  double of_keys = 0;    ///< σ² times the mean of |k - k̂|², with σ² the mean of |q|² / D
  double ratio = 0;      ///< of_scores / of_keys; 1 if both are 0
};

/// Pairs row i of the queries with row i of the keys and of the quantised keys; all three are
/// [rows, D]. After a stop the result is undefined.
ScoreError score_error(const StridedMatrix& queries, const StridedMatrix& keys, const StridedMatrix& quantised,
                       const std::stop_token& stop = {});

}  // namespace vqscope
