// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/capture/store/tensor_summary.h"

#include "core/base/sentence.h"
#include "core/capture/store/layer_tensor.h"

#include <algorithm>
#include <cmath>

namespace vqscope {
namespace {

constexpr std::uint64_t summary_block = std::uint64_t{1} << 18;

void add_block(std::span<const float> numbers, TensorSummary& summary, double& squares) {
  for (const float each : numbers) {
    if (std::isnan(each)) {
      ++summary.not_numbers;
    } else if (std::isinf(each)) {
      ++summary.infinities;
    } else {
      summary.largest = std::max(summary.largest, std::abs(static_cast<double>(each)));
      squares += static_cast<double>(each) * static_cast<double>(each);
    }
    if (summary.constant && each != *summary.constant) summary.constant.reset();
  }
}

}  // namespace

Result<TensorSummary> summary_of_tensor(const Capture& capture, Index layer, TensorRole role,
                                        const std::stop_token& stop) {
  const CapturedTensor* tensor = capture.find(layer, role);
  if (!tensor) return invalid("layer {} has no {}", layer, name_of(role));
  const auto numbers = StoredNumbers::open(*tensor);
  if (!numbers) return numbers.error();
  TensorSummary summary;
  const auto readings = readings_of(*tensor, role, sizes_of(capture, layer), numbers->strides());
  // Positions are [B, T] or [3, B, T], without an order to tell.
  if (!readings.empty() && role != TensorRole::position_ids) summary.order = readings.front().order;
  const std::uint64_t count = NpyHeader{.shape = tensor->shape}.count();
  std::vector<float> block;
  double squares = 0;
  for (std::uint64_t first = 0; first < count; first += summary_block) {
    if (stop.stop_requested()) return cancelled();
    block.resize(std::min(summary_block, count - first));
    if (auto read = numbers->read_in_order(first, block); !read) return read.error();
    if (first == 0) summary.constant = block.front();
    add_block(block, summary, squares);
  }
  const double finite = static_cast<double>(count) - static_cast<double>(summary.not_numbers + summary.infinities);
  if (finite > 0) summary.rms = std::sqrt(squares / finite);
  return summary;
}

}  // namespace vqscope
