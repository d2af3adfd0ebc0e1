// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"

#include <cstdint>

namespace vqscope {

/// Keys of one sequence and their codewords (Transformer-VQ, Lingle 2023, section 3): k [length, heads · head_dim],
/// codebook [heads, n_code, head_dim], codes [heads, length].
struct VqShape {
  Index length = 0;
  Index heads = 1;
  Index head_dim = 1;
  Index n_code = 1;

  Index width() const { return heads * head_dim; }
};

/// z = argmin |k - c|², the lowest index of a tie; quantised = the codeword of each key,
/// [length, heads · head_dim].
/// Returns Σ |k - c_z|² over keys and heads.
template <class Real>
double quantise_keys(const VqShape& shape, const Real* k, const Real* codebook, std::int32_t* codes, Real* quantised);

/// Gradient of the commitment loss scale · Σ |k - c_z|² with codewords held fixed:
/// dk += scale · 2 (k - c_z). (The gradient of scores passes straight through a codeword to its
/// key: Bengio et al. 2013.)
template <class Real>
void commit_backward(const VqShape& shape, const Real* k, const Real* quantised, Real scale, Real* dk);

/// Codewords are moving averages: sum / max(count, 0.01), [heads, n_code, head_dim].
template <class Real>
void codebook_of(const VqShape& shape, const Real* sum, const Real* count, Real* codebook);

/// Adds keys to each code's number of keys (counts [heads, n_code]) and to their sum
/// (sums [heads, n_code, head_dim]).
template <class Real>
void add_code_statistics(const VqShape& shape, const Real* k, const std::int32_t* codes, double* counts, double* sums);

}  // namespace vqscope
