// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/attention/tensor_view.h"
#include "core/attention/workers.h"

#include <vector>

namespace vqscope {

/// Finds nearest codewords: argmin |k - c|² = argmin |c|²/2 - k·c by one matrix product. If float32
/// cannot separate the nearest from the next, distances are computed in double, so that the result
/// matches the definition and is the same on every processor.
class Quantiser {
 public:
  /// `codebook` [n_code, d_k] must outlive this.
  Quantiser(const StridedMatrix& codebook, const AttentionKernels& kernels);

  /// Writes the shortcode of every key; ties go to the lowest code. `valid` has one entry per key,
  /// or is null; the shortcode is -1 where it is 0.
  void encode(const StridedMatrix& keys, const std::uint8_t* valid, Scratch& scratch, std::int32_t* out) const;

  const StridedMatrix& codebook() const { return m_codebook; }

 private:
  void encode_some(const StridedMatrix& keys, const std::uint8_t* valid, Scratch& scratch, std::int32_t* out) const;
  std::int32_t settle(const float* key, const float* products, float limit) const;

  StridedMatrix m_codebook;
  const AttentionKernels& m_kernels;
  std::vector<float> m_half_norms;
  float m_largest_norm = 0;
};

}  // namespace vqscope
