// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/capture/store/layer_tensor.h"

#include "core/base/sentence.h"
#include "core/io/bytes/path_text.h"

#include <algorithm>

namespace vqscope {
namespace {

using Block = std::array<Range, 4>;

std::size_t numbers_of(const Block& block) {
  std::size_t count = 1;
  for (const Range& range : block) count *= static_cast<std::size_t>(range.size());
  return count;
}

/// Elements from the first to the last of the block.
std::uint64_t block_span(const Block& block, const TensorReading& reading) {
  std::uint64_t span = 1;
  for (std::size_t i = 0; i < 4; ++i)
    span += static_cast<std::uint64_t>(block[i].size() - 1) * static_cast<std::uint64_t>(reading.stride[i]);
  return span;
}

std::uint64_t first_of(const Block& block, const TensorReading& reading) {
  std::uint64_t first = 0;
  for (std::size_t i = 0; i < 4; ++i) first += static_cast<std::uint64_t>(block[i].begin * reading.stride[i]);
  return first;
}

/// Where the block's numbers belong in what is filled.
struct Target {
  Block whole;
  std::span<float> out;

  std::size_t at(Index b, Index h, Index t) const {
    const auto relative = [&](std::size_t axis, Index i) { return i - whole[axis].begin; };
    return static_cast<std::size_t>(
        ((relative(0, b) * whole[1].size() + relative(1, h)) * whole[2].size() + relative(2, t)) * whole[3].size());
  }
};

void gather(const Block& block, const TensorReading& reading, std::span<const float> read, const Target& target) {
  const std::uint64_t origin = first_of(block, reading);
  for (Index b = block[0].begin; b < block[0].end; ++b)
    for (Index h = block[1].begin; h < block[1].end; ++h)
      for (Index t = block[2].begin; t < block[2].end; ++t) {
        const Block row{Range{b, b + 1}, Range{h, h + 1}, Range{t, t + 1}, block[3]};
        std::size_t from = static_cast<std::size_t>(first_of(row, reading) - origin), to = target.at(b, h, t);
        to += static_cast<std::size_t>(block[3].begin - target.whole[3].begin);
        for (Index d = 0; d < block[3].size(); ++d, ++to, from += static_cast<std::size_t>(reading.stride[3]))
          target.out[to] = read[from];
      }
}

Result<void> read_block(const StoredNumbers& numbers, const TensorReading& reading, const Block& block,
                        const Target& target, std::vector<float>& buffer) {
  const std::uint64_t span = block_span(block, reading);
  const std::size_t count = numbers_of(block);
  if (span <= count + count / 2 || count == 1) {
    buffer.resize(static_cast<std::size_t>(span));
    if (auto read = numbers.read(first_of(block, reading), buffer); !read) return read;
    gather(block, reading, buffer, target);
    return {};
  }
  // Cut along the axis whose steps are longest.
  std::size_t axis = 4;
  for (std::size_t i = 0; i < 4; ++i)
    if (block[i].size() > 1 && (axis == 4 || reading.stride[i] > reading.stride[axis])) axis = i;
  for (Index i = block[axis].begin; i < block[axis].end; ++i) {
    Block part = block;
    part[axis] = {i, i + 1};
    if (auto read = read_block(numbers, reading, part, target, buffer); !read) return read;
  }
  return {};
}

}  // namespace

Result<void> LayerTensor::read(std::array<Range, 4> block, std::span<float> out) const {
  if (numbers_of(block) == 0) return {};
  // As it lies in the file: no copy.
  Index dense = 1;
  bool in_order = true;
  for (std::size_t i = 4; i-- > 0;) {
    if (block[i].size() > 1 && reading.stride[i] != dense) in_order = false;
    dense *= block[i].size();
  }
  if (in_order) return numbers.read(first_of(block, reading), out);
  thread_local std::vector<float> buffer;
  return read_block(numbers, reading, block, {block, out}, buffer);
}

Result<std::optional<LayerTensor>> open_tensor(const Capture& capture, Index layer, TensorRole role,
                                               std::size_t reading) {
  const CapturedTensor* stored = capture.find(layer, role);
  if (!stored) return std::optional<LayerTensor>();
  auto numbers = StoredNumbers::open(*stored);
  if (!numbers) return numbers.error();
  const auto readings = readings_of(*stored, role, sizes_of(capture, layer), numbers->strides());
  if (readings.empty())
    return invalid("{}: the axes of {} cannot be told from its shape {}", shown_path(stored->file), stored->name,
                   NpyHeader{.shape = stored->shape}.shape_text());
  return std::optional(LayerTensor{*numbers, readings[std::min(reading, readings.size() - 1)]});
}

}  // namespace vqscope
