// SPDX-License-Identifier: GPL-3.0-or-later
// The kernels' code, included by one file for each kind of processor, which is compiled for it and has defined
// VQSCOPE_KERNELS, VQSCOPE_KERNELS_NAME and Eigen.
//
// The linker keeps one copy of every inline function and template of a name, whichever file it came from. Had all of
// them Eigen's own namespace, code for AVX-512 could end up in what every processor runs. So the name `Eigen` is
// defined away: each file has all of Eigen in a namespace of its own, and with it instruction sets, packet sizes and
// alignments of its own. What crosses the border are pointers to functions, pointers to floats and plain structs; and
// the standard library is not called here, for its templates would be shared. The files are optimised in every
// configuration, so that what Eigen calls of it is inlined and leaves nothing behind to share.
#include "core/attention/kernels/kernels.h"

#include <Eigen/Core>

namespace vqscope::VQSCOPE_KERNELS {
namespace {

using Matrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using ConstMap = Eigen::Map<const Matrix, 0, Eigen::OuterStride<>>;
using Map = Eigen::Map<Matrix, 0, Eigen::OuterStride<>>;

constexpr float infinity = __builtin_inff();

ConstMap map(const MatrixView& view) { return {view.data, view.rows, view.cols, Eigen::OuterStride<>(view.stride)}; }

void row_products(const MatrixView& a, const MatrixView& b, float* out, Index out_stride) {
  if (a.rows == 0 || b.rows == 0) return;
  Map(out, a.rows, b.rows, Eigen::OuterStride<>(out_stride)).noalias() = map(a) * map(b).transpose();
}

void add_product(const MatrixView& w, const MatrixView& v, float* out, Index out_stride) {
  if (w.rows == 0 || w.cols == 0) return;
  Map(out, w.rows, v.cols, Eigen::OuterStride<>(out_stride)).noalias() += map(w) * map(v);
}

// Along rows there are plain loops and sixteen sums side by side: Eigen's reductions begin at an aligned address, so
// that the last digit of a sum would depend on where the row lies.

constexpr int lanes = 16;
using Floats = float __attribute__((vector_size(4 * lanes)));
using Ints = std::int32_t __attribute__((vector_size(4 * lanes)));

inline void load(Floats& lane_values, const float* row) { __builtin_memcpy(&lane_values, row, sizeof lane_values); }

float largest(const float* row, Index n) {
  Floats most = Floats{} - infinity;
  Floats values;
  Index i = 0;
  for (; i + lanes <= n; i += lanes) {
    load(values, row + i);
    most = values > most ? values : most;
  }
  float all = -infinity;
  for (int lane = 0; lane < lanes; ++lane) all = most[lane] > all ? most[lane] : all;
  for (; i < n; ++i) all = row[i] > all ? row[i] : all;
  return all;
}

/// The last values of a row, 0 after its end.
inline void load_rest(Floats& values, const float* row, Index n) {
  values = Floats{};
  for (int lane = 0; lane < n; ++lane) values[lane] = row[lane];
}

inline float total(Floats sums) {
  float all[lanes];
  __builtin_memcpy(all, &sums, sizeof sums);
  for (int half = lanes / 2; half > 0; half /= 2)
    for (int lane = 0; lane < half; ++lane) all[lane] += all[lane + half];
  return all[0];
}

float sum(const float* row, Index n) {
  Floats sums{};
  Floats values;
  Index i = 0;
  for (; i + lanes <= n; i += lanes) {
    load(values, row + i);
    sums += values;
  }
  load_rest(values, row + i, n - i);
  return total(sums + values);
}

float sum_of_squares(const float* row, Index n) {
  Floats sums{};
  Floats values;
  Index i = 0;
  for (; i + lanes <= n; i += lanes) {
    load(values, row + i);
    sums += values * values;
  }
  load_rest(values, row + i, n - i);
  return total(sums + values * values);
}

bool all_finite(const float* row, Index n) {
  constexpr std::int32_t exponent = 0x7f800000;  // all ones in what is not finite
  Ints broken{};
  Floats values;
  Index i = 0;
  for (; i + lanes <= n; i += lanes) {
    load(values, row + i);
    broken |= (__builtin_bit_cast(Ints, values) & exponent) == exponent;
  }
  load_rest(values, row + i, n - i);
  broken |= (__builtin_bit_cast(Ints, values) & exponent) == exponent;
  std::int32_t any = 0;
  for (int lane = 0; lane < lanes; ++lane) any |= broken[lane];
  return any == 0;
}

/// e^x for x <= 0 to about 1e-7 of it: 2^n · e^r with n the whole number nearest to x / ln 2.
inline float exponential(float x) {
  constexpr float rounder = 12582912;  // 1.5 · 2^23: adding it leaves n in the lowest bits
  const float shifted = x * 1.44269504F + rounder;
  const float n = shifted - rounder;
  const float r = (x - n * 0.693359375F) + n * 2.12194440e-4F;  // ln 2 in two parts, the first exact in n of them
  float p = 1.98412698e-4F;                                     // 1/7!
  p = p * r + 1.38888889e-3F;
  p = p * r + 8.33333333e-3F;
  p = p * r + 4.16666667e-2F;
  p = p * r + 1.66666667e-1F;
  p = p * r + 0.5F;
  p = p * r + 1.0F;
  p = p * r + 1.0F;
  const auto exponent = __builtin_bit_cast(std::uint32_t, shifted) << 23;
  const float value = __builtin_bit_cast(float, __builtin_bit_cast(std::uint32_t, p) + exponent);
  return x < -87.0F ? 0.0F : value;
}

float exponentials(float* row, Index n, float max) {
  for (Index i = 0; i < n; ++i) row[i] = exponential(row[i] - max);
  return sum(row, n);
}

float weigh(float* row, const float* factors, Index n) {
  for (Index i = 0; i < n; ++i) row[i] *= factors[i];
  return sum(row, n);
}

void scale(float* row, Index n, float factor) {
  for (Index i = 0; i < n; ++i) row[i] *= factor;
}

void add(float* row, const float* terms, Index n) {
  for (Index i = 0; i < n; ++i) row[i] += terms[i];
}

void gather(const float* table, const std::int32_t* codes, Index n, float* out) {
  for (Index j = 0; j < n; ++j) out[j] = table[codes[j]];
}

/// The lowest and second lowest of every sixteenth value, side by side.
struct Lowest {
  Floats best = Floats{} + infinity;
  Floats second = Floats{} + infinity;
  Ints code{};
};

inline void take(Lowest& lowest, const Floats& values, const Ints& codes) {
  const Ints nearer = values < lowest.best;
  const Floats loser = nearer ? lowest.best : values;
  lowest.second = loser < lowest.second ? loser : lowest.second;
  lowest.code = nearer ? codes : lowest.code;
  lowest.best = nearer ? values : lowest.best;
}

inline Nearest across(const Lowest& lowest) {
  Nearest all{lowest.code[0], lowest.best[0], lowest.second[0]};
  for (int lane = 1; lane < lanes; ++lane) {
    const float best = lowest.best[lane];
    const bool nearer = best < all.best || (best == all.best && lowest.code[lane] < all.code);
    const float loser = nearer ? all.best : best;
    const float other = nearer ? lowest.second[lane] : all.second;
    if (nearer) all = {lowest.code[lane], best, 0};
    all.second = loser < other ? loser : other;
  }
  return all;
}

void nearest(const MatrixView& products, const float* half_norms, Nearest* out) {
  Ints first_codes;
  for (int lane = 0; lane < lanes; ++lane) first_codes[lane] = lane;
  for (Index i = 0; i < products.rows; ++i) {
    const float* row = products.data + i * products.stride;
    Lowest lowest;
    Ints codes = first_codes;
    Floats norms, values;
    Index s = 0;
    for (; s + lanes <= products.cols; s += lanes, codes += lanes) {
      load(norms, half_norms + s);
      load(values, row + s);
      take(lowest, norms - values, codes);
    }
    load_rest(norms, half_norms + s, products.cols - s);
    load_rest(values, row + s, products.cols - s);
    values = norms - values;
    for (auto lane = static_cast<int>(products.cols - s); lane < lanes; ++lane) values[lane] = infinity;
    take(lowest, values, codes);
    out[i] = across(lowest);
  }
}

constexpr AttentionKernels kernels{.name = VQSCOPE_KERNELS_NAME,
                                   .row_products = row_products,
                                   .add_product = add_product,
                                   .largest = largest,
                                   .sum_of_squares = sum_of_squares,
                                   .all_finite = all_finite,
                                   .exponentials = exponentials,
                                   .weigh = weigh,
                                   .scale = scale,
                                   .add = add,
                                   .gather = gather,
                                   .nearest = nearest};

}  // namespace
}  // namespace vqscope::VQSCOPE_KERNELS
