// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/capture/parity/tensor_difference.h"

#include "core/base/machine.h"
#include "core/base/parallel.h"

#include <bit>
#include <cmath>
#include <mutex>

namespace vqscope {
namespace {

constexpr Index numbers_at_once = Index{1} << 18;

/// Blocks of whole rows; of a tensor that is [B, T, H, d] in a file each has all heads.
std::vector<std::array<Range, 4>> blocks_of(const TensorPair& pair) {
  const auto& n = pair.extent;
  const auto tokens_first = [](const LayerTensor& tensor) {
    return tensor.reading.stride[2] > tensor.reading.stride[1];
  };
  const bool all_heads = n[1] > 1 && (tokens_first(pair.a) || tokens_first(pair.b));
  const Index row = std::max<Index>(1, n[3]), most = std::max<Index>(1, numbers_at_once / row);
  Index heads = all_heads ? std::min(n[1], most) : 1;
  const Index rows = std::max<Index>(1, most / heads);
  // Small heads and samples are read together.
  if (rows >= n[2]) heads = std::clamp<Index>(most / n[2], 1, n[1]);
  const Index samples = heads < n[1] || rows < n[2] ? 1 : std::clamp<Index>(most / (n[1] * n[2]), 1, n[0]);
  std::vector<std::array<Range, 4>> blocks;
  for (Index b = 0; b < n[0]; b += samples)
    for (Index h = 0; h < n[1]; h += heads)
      for (Index t = 0; t < n[2]; t += rows)
        blocks.push_back({Range{b, std::min(b + samples, n[0])},
                          {h, std::min(h + heads, n[1])},
                          {t, std::min(t + rows, n[2])},
                          {0, n[3]}});
  return blocks;
}

std::size_t count_of(const std::array<Range, 4>& block) {
  return static_cast<std::size_t>(block[0].size() * block[1].size() * block[2].size() * block[3].size());
}

/// Bits below bfloat16's and float16's of all numbers of a side.
struct Coarseness {
  std::uint32_t below_brain = 0;
  bool half = true;

  void see(float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    below_brain |= bits & 0xffff;
    if ((bits & 0x1fff) != 0) half = false;
  }
  double unit() const { return below_brain == 0 ? 0x1p-8 : half ? 0x1p-11 : 0; }
};

struct DifferenceSums {
  double squares = 0, squares_a = 0, max = 0, worst_row = 0;
  Index finite = 0, mismatches = 0;
  Coarseness a, b;

  void add(std::span<const float> one, std::span<const float> two, std::size_t columns) {
    for (std::size_t row = 0; row < one.size(); row += columns) {
      double squares_of_row = 0;
      for (std::size_t i = row; i < row + columns; ++i) {
        const float x = one[i], y = two[i];
        a.see(x);
        b.see(y);
        const auto difference = static_cast<double>(y) - static_cast<double>(x);
        if (!std::isfinite(difference)) {
          if (!(x == y || (std::isnan(x) && std::isnan(y)))) ++mismatches;
          continue;
        }
        ++finite;
        squares_a += static_cast<double>(x) * static_cast<double>(x);
        squares_of_row += difference * difference;
        max = std::max(max, std::abs(difference));
      }
      squares += squares_of_row;
      worst_row = std::max(worst_row, squares_of_row);
    }
  }
  void add(const DifferenceSums& other) {
    squares += other.squares, squares_a += other.squares_a;
    max = std::max(max, other.max), worst_row = std::max(worst_row, other.worst_row);
    finite += other.finite, mismatches += other.mismatches;
    a.below_brain |= other.a.below_brain, b.below_brain |= other.b.below_brain;
    a.half = a.half && other.a.half, b.half = b.half && other.b.half;
  }
};

}  // namespace

Result<TensorDifference> difference_of(const TensorPair& pair, const Work& work) {
  const auto blocks = blocks_of(pair);
  DifferenceSums all;
  std::mutex lock;
  std::optional<Error> failed;
  parallel_for(std::ssize(blocks), this_machine().cores, [&](Index i) {
    const auto& block = blocks[static_cast<std::size_t>(i)];
    thread_local std::vector<float> one, two;
    one.resize(count_of(block));
    two.resize(one.size());
    if (work.stop.stop_requested()) return;
    auto read = pair.read_a(block, one);
    if (read) read = pair.read_b(block, two);
    DifferenceSums sums;
    if (read) sums.add(one, two, static_cast<std::size_t>(pair.extent[3]));
    const std::lock_guard guard(lock);
    if (!read) failed = read.error();
    all.add(sums);
  });
  if (failed) return *failed;
  if (work.stop.stop_requested()) return cancelled();
  TensorDifference difference;
  const auto count = static_cast<double>(std::max<Index>(1, all.finite));
  difference.max = all.max;
  difference.mismatches = all.mismatches;
  difference.rms = std::sqrt(all.squares / count);
  difference.rms_a = std::sqrt(all.squares_a / count);
  const double size = difference.rms_a > 0 ? difference.rms_a : 1;
  difference.relative = difference.rms / size;
  difference.row = std::sqrt(all.worst_row / static_cast<double>(pair.extent[3])) / size;
  difference.unit = std::max({pair.unit, all.a.unit(), all.b.unit()});
  return difference;
}

Result<std::optional<DifferingCell>> first_difference(const TensorPair& pair, double allowed, double rms_a,
                                                      const Work& work) {
  std::vector<float> one, two;
  const auto& n = pair.extent;
  const Index rows = std::max<Index>(1, numbers_at_once / std::max<Index>(1, n[3]));
  for (Index b = 0; b < n[0]; ++b)
    for (Index h = 0; h < n[1]; ++h)
      for (Index t = 0; t < n[2]; t += rows) {
        if (work.stop.stop_requested()) return cancelled();
        const std::array<Range, 4> block{Range{b, b + 1}, {h, h + 1}, {t, std::min(t + rows, n[2])}, {0, n[3]}};
        one.resize(count_of(block));
        two.resize(one.size());
        if (auto read = pair.read_a(block, one); !read) return read.error();
        if (auto read = pair.read_b(block, two); !read) return read.error();
        for (std::size_t i = 0; i < one.size(); ++i) {
          const auto x = static_cast<double>(one[i]), y = static_cast<double>(two[i]);
          const bool same = x == y || (std::isnan(x) && std::isnan(y));
          if (same || std::abs(y - x) <= allowed * (std::abs(x) + rms_a)) continue;
          const auto row = static_cast<Index>(i) / n[3], column = static_cast<Index>(i) % n[3];
          return std::optional(DifferingCell{{b, h, t + row, column}, x, y});
        }
      }
  return std::optional<DifferingCell>();
}

}  // namespace vqscope
