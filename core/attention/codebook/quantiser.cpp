// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/codebook/quantiser.h"

#include "core/attention/rows.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace vqscope {
namespace {

constexpr Index keys_in_a_product = 512;

double squared_norm(const float* row, Index n) {
  double sum = 0;
  for (Index i = 0; i < n; ++i) sum += static_cast<double>(row[i]) * static_cast<double>(row[i]);
  return sum;
}

StridedMatrix rows_of(const StridedMatrix& all, Index begin, Index count) {
  return {all.data + begin * all.stride, count, all.cols, all.stride};
}

}  // namespace

Quantiser::Quantiser(const StridedMatrix& codebook, const AttentionKernels& kernels)
    : m_codebook(codebook), m_kernels(kernels) {
  double largest = 0;
  for (Index s = 0; s < codebook.rows; ++s) {
    const double norm = squared_norm(codebook.data + s * codebook.stride, codebook.cols);
    m_half_norms.push_back(static_cast<float>(norm / 2));
    largest = std::max(largest, norm);
  }
  m_largest_norm = static_cast<float>(std::sqrt(largest));
}

void Quantiser::encode(const StridedMatrix& keys, const std::uint8_t* valid, Scratch& scratch,
                       std::int32_t* out) const {
  for (Index begin = 0; begin < keys.rows; begin += keys_in_a_product) {
    const Index count = std::min(keys_in_a_product, keys.rows - begin);
    encode_some(rows_of(keys, begin, count), valid == nullptr ? nullptr : valid + begin, scratch, out + begin);
  }
}

void Quantiser::encode_some(const StridedMatrix& keys, const std::uint8_t* valid, Scratch& scratch,
                            std::int32_t* out) const {
  const Index codes = m_codebook.rows;
  float* products = scratch.floats(keys.rows * codes);
  std::vector<Nearest> nearest(static_cast<std::size_t>(keys.rows));
  m_kernels.row_products(keys, m_codebook, products, codes);
  m_kernels.nearest({products, keys.rows, codes, codes}, m_half_norms.data(), nearest.data());
  for (Index i = 0; i < keys.rows; ++i) {
    const Nearest& found = nearest[static_cast<std::size_t>(i)];
    const float* key = keys.data + i * keys.stride;
    out[i] = found.code;
    if (valid != nullptr && valid[i] == 0) {
      out[i] = -1;
      continue;
    }
    // Bound of the rounding error of a float32 sum of products, for each of the two compared sums.
    const float norm = std::sqrt(m_kernels.sum_of_squares(key, keys.cols));
    const float doubt = 2 * static_cast<float>(keys.cols + 2) * std::numeric_limits<float>::epsilon() * m_largest_norm *
                        (norm + m_largest_norm);
    if (!(found.second - found.best > doubt)) out[i] = settle(key, products + i * codes, found.best + doubt);
  }
}

/// The codeword nearest in double among those whose |c|²/2 - k·c is not above the limit.
std::int32_t Quantiser::settle(const float* key, const float* products, float limit) const {
  std::int32_t nearest = 0;
  double least = std::numeric_limits<double>::infinity();
  for (Index s = 0; s < m_codebook.rows; ++s) {
    if (m_half_norms[static_cast<std::size_t>(s)] - products[s] > limit) continue;
    const double distance = squared_distance(key, m_codebook.data + s * m_codebook.stride, m_codebook.cols);
    if (distance < least) nearest = static_cast<std::int32_t>(s);
    least = std::min(least, distance);
  }
  return nearest;
}

}  // namespace vqscope
