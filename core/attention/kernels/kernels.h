// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"

#include <cstdint>
#include <vector>

namespace vqscope {

/// float32 rows that lie `stride` elements apart. Plain data: the kernels' translation units share
/// only its type.
struct StridedMatrix {
  const float* data = nullptr;
  Index rows = 0;
  Index cols = 0;
  Index stride = 0;
};

/// The nearest codeword of a key, and how close the second nearest is.
struct Nearest {
  std::int32_t code = 0;
  float best = 0;    ///< |c|²/2 - k·c of the nearest
  float second = 0;  ///< for the next; infinity if there is only one codeword
};

/// The inner loops of attention for one kind of processor. Rows are contiguous; n may be 0.
struct AttentionKernels {
  const char* name;

  /// out = a bᵀ, [a.rows, b.rows].
  void (*row_products)(const StridedMatrix& a, const StridedMatrix& b, float* out, Index out_stride);
  /// out += w v, [w.rows, v.cols].
  void (*add_product)(const StridedMatrix& w, const StridedMatrix& v, float* out, Index out_stride);

  /// The maximum; -infinity if n is 0.
  float (*largest)(const float* row, Index n);
  float (*sum)(const float* row, Index n);
  float (*sum_of_squares)(const float* row, Index n);
  bool (*all_finite)(const float* row, Index n);
  /// row = exp(row - max), exactly 0 where that is below e^-87; returns the sum. No value may
  /// exceed max.
  float (*exponentials)(float* row, Index n, float max);
  /// row *= factors; returns the sum.
  float (*weigh)(float* row, const float* factors, Index n);
  void (*scale)(float* row, Index n, float factor);
  void (*add)(float* row, const float* terms, Index n);
  /// out[j] = table[codes[j]].
  void (*gather)(const float* table, const std::int32_t* codes, Index n, float* out);
  /// The nearest codeword for each row of products k·c; ties go to the lowest code.
  void (*nearest)(const StridedMatrix& products, const float* half_norms, Nearest* out);
};

/// Every build that this processor can run, the slowest and most portable first.
std::vector<const AttentionKernels*> usable_kernels();

/// The fastest of them.
const AttentionKernels& best_kernels();

}  // namespace vqscope
