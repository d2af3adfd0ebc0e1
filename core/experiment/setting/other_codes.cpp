// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/setting/other_codes.h"

#include "core/attention/kernels/kernels.h"
#include "core/base/random.h"
#include "core/experiment/setting/vq_experiment.h"

#include <algorithm>
#include <cassert>
#include <limits>

namespace vqscope {
namespace {

constexpr Index keys_together = 128;

/// |c|² / 2 of each codeword.
std::vector<double> half_norms(const StridedMatrix& codewords) {
  std::vector<double> norms;
  for (Index code = 0; code < codewords.rows; ++code) {
    double sum = 0;
    for (Index c = 0; c < codewords.cols; ++c) {
      const auto x = static_cast<double>(codewords.data[code * codewords.stride + c]);
      sum += x * x;
    }
    norms.push_back(sum / 2);
  }
  return norms;
}

/// argmin of |k - c|² over the codewords but one.
std::vector<std::int32_t> second_nearest(const StridedMatrix& keys, const StridedMatrix& codewords,
                                         std::span<const std::int32_t> nearest, const std::stop_token& stop) {
  std::vector<std::int32_t> codes(nearest.begin(), nearest.end());
  const std::vector<double> norms = half_norms(codewords);
  std::vector<float> products(static_cast<std::size_t>(keys_together * codewords.rows));
  for (Index begin = 0; begin < keys.rows && !stop.stop_requested(); begin += keys_together) {
    const Range some{begin, std::min(begin + keys_together, keys.rows)};
    best_kernels().row_products(rows_of(keys, some), codewords, products.data(), codewords.rows);
    for (Index key = some.begin; key < some.end; ++key) {
      double least = std::numeric_limits<double>::infinity();
      for (Index code = 0; code < codewords.rows; ++code) {
        if (code == nearest[static_cast<std::size_t>(key)]) continue;
        const auto product = products[static_cast<std::size_t>((key - some.begin) * codewords.rows + code)];
        const double half = norms[static_cast<std::size_t>(code)] - static_cast<double>(product);
        if (half >= least) continue;
        least = half;
        codes[static_cast<std::size_t>(key)] = static_cast<std::int32_t>(code);
      }
    }
  }
  return codes;
}

std::vector<std::int32_t> random_codes(Index keys, Index n_code, std::uint64_t seed) {
  SeededRandom random(seed);
  std::vector<std::int32_t> codes(static_cast<std::size_t>(keys));
  for (std::int32_t& code : codes) code = static_cast<std::int32_t>(random.bits() % static_cast<std::uint64_t>(n_code));
  return codes;
}

}  // namespace

std::string_view name_of(CodeChoice choice) {
  switch (choice) {
    case CodeChoice::nearest: return "nearest";
    case CodeChoice::second_nearest: return "second_nearest";
    case CodeChoice::random: break;
  }
  return "random";
}

std::vector<std::int32_t> chosen_codes(CodeChoice choice, const StridedMatrix& keys, const StridedMatrix& codewords,
                                       std::span<const std::int32_t> nearest, std::uint64_t seed,
                                       const std::stop_token& stop) {
  assert(std::ssize(nearest) == keys.rows);
  switch (choice) {
    case CodeChoice::nearest: break;
    case CodeChoice::second_nearest: return second_nearest(keys, codewords, nearest, stop);
    case CodeChoice::random: return random_codes(keys.rows, codewords.rows, seed);
  }
  return {nearest.begin(), nearest.end()};
}

std::vector<float> codewords_of(std::span<const std::int32_t> codes, const StridedMatrix& codewords) {
  std::vector<float> rows;
  rows.reserve(codes.size() * static_cast<std::size_t>(codewords.cols));
  for (const std::int32_t code : codes) {
    const float* row = codewords.data + code * codewords.stride;
    rows.insert(rows.end(), row, row + codewords.cols);
  }
  return rows;
}

}  // namespace vqscope
