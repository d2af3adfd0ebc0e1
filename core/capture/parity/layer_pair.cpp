// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/capture/parity/layer_pair.h"

#include "core/base/sentence.h"
#include "core/capture/store/visible_cells.h"

#include <algorithm>
#include <cmath>

namespace vqscope {
namespace {

struct OpenedReadings {
  StoredNumbers numbers;
  std::vector<TensorReading> readings;
};

Result<OpenedReadings> opened_readings(const CapturedTensor& tensor, TensorRole role, const CaptureSizes& sizes) {
  auto numbers = StoredNumbers::open(tensor);
  if (!numbers) return numbers.error();
  auto readings = readings_of(tensor, role, sizes, numbers->strides());
  return OpenedReadings{std::move(*numbers), std::move(readings)};
}

/// Mean square difference of a few rows; how two ways to read a tensor are held against each other.
double disagreement(const TensorPair& pair) {
  const Index rows = std::min<Index>(pair.extent[2], 8), columns = std::min<Index>(pair.extent[3], 64);
  const std::array<Range, 4> block{Range{0, 1}, {0, std::min<Index>(pair.extent[1], 4)}, {0, rows}, {0, columns}};
  std::vector<float> one(static_cast<std::size_t>(block[1].size() * rows * columns)), two(one.size());
  if (!pair.read_a(block, one) || !pair.read_b(block, two)) return 1e300;
  double sum = 0;
  for (std::size_t i = 0; i < one.size(); ++i)
    if (std::isfinite(one[i] - two[i]))
      sum += static_cast<double>(one[i] - two[i]) * static_cast<double>(one[i] - two[i]);
  return sum;
}

/// Sets which part of both is compared; false where they have nothing in common.
bool align(TensorPair& pair) {
  const auto& a = pair.a.reading.extent;
  const auto& b = pair.b.reading.extent;
  const TensorAxes axes = axes_of(pair.role);
  for (std::size_t i = 0; i < 4; ++i) {
    pair.extent[i] = std::min(a[i], b[i]);
    if (a[i] == b[i]) continue;
    pair.same_shape = false;
    const bool broadcast = pair.role == TensorRole::mask && i < 2 && pair.extent[i] == 1;
    const bool sink_column = pair.role == TensorRole::weights && i == 3 && std::abs(a[i] - b[i]) == 1;
    const bool more_rows = i == 2 && axes != TensorAxes::other;
    if (broadcast) pair.extent[i] = std::max(a[i], b[i]);
    if (!broadcast && !sink_column && !more_rows) return false;
    pair.begin_a[i] = more_rows ? a[i] - pair.extent[i] : 0;
    pair.begin_b[i] = more_rows ? b[i] - pair.extent[i] : 0;
  }
  return true;
}

/// A sink's column is first or last: the reading in which the others agree.
void place_sink_column(TensorPair& pair) {
  if (pair.role != TensorRole::weights || pair.a.reading.extent[3] == pair.b.reading.extent[3]) return;
  auto& begin = pair.a.reading.extent[3] > pair.b.reading.extent[3] ? pair.begin_a[3] : pair.begin_b[3];
  const double last = disagreement(pair);
  begin = 1;
  if (disagreement(pair) > last) begin = 0;
}

/// Once for all layers: orders of axes that are not those of CAPTURE.md's table.
void remark(std::vector<std::string>& remarks, TensorRole role, const TensorReading& reading, std::size_t ways) {
  if (ways == 1 && (reading.order.starts_with("[B, H, ") || reading.order == "[B, T, D]")) return;
  const std::string text = fmt::format("{} stored as {}{}", name_of(role), reading.order,
                                       ways > 1 ? ", the reading in which A and B agree better" : "");
  if (std::find(remarks.begin(), remarks.end(), text) == remarks.end()) remarks.push_back(text);
}

/// The axes of one tensor are those of the next: a rotated one must not be read in another order.
void learn(CaptureSizes& sizes, TensorRole role, const TensorReading& reading) {
  if (axes_of(role) != TensorAxes::vectors) return;
  auto& heads = is_of_keys(role) ? sizes.key_heads : sizes.heads;
  if (!heads) heads = reading.extent[1];
  if (!is_of_keys(role) && !sizes.queries) sizes.queries = reading.extent[2];
}

Result<void> read_part(const TensorPair& pair, const LayerTensor& tensor, const std::array<Index, 4>& begin,
                       std::array<Range, 4> block, std::span<float> out) {
  // One mask for all heads or samples is read once for each.
  std::array<Range, 4> part = block;
  for (std::size_t i = 0; i < 4; ++i) part[i] = {part[i].begin + begin[i], part[i].end + begin[i]};
  const auto& extent = tensor.reading.extent;
  const bool repeats = (extent[0] == 1 && block[0].end > 1) || (extent[1] == 1 && block[1].end > 1);
  if (repeats) {
    const auto size = static_cast<std::size_t>(block[2].size() * block[3].size());
    std::size_t at = 0;
    for (Index b = block[0].begin; b < block[0].end; ++b)
      for (Index h = block[1].begin; h < block[1].end; ++h, at += size) {
        const Index own_b = extent[0] == 1 ? 0 : b, own_h = extent[1] == 1 ? 0 : h;
        part[0] = {own_b, own_b + 1};
        part[1] = {own_h, own_h + 1};
        if (auto read = tensor.read(part, out.subspan(at, size)); !read) return read;
      }
  } else if (auto read = tensor.read(part, out); !read) {
    return read;
  }
  if (pair.role == TensorRole::mask) make_visible(out, tensor.numbers.unit() == 0);
  if (pair.role == TensorRole::scores)
    for (float& value : out)
      if (value <= hidden_at_most) value = -INFINITY;
  return {};
}

}  // namespace

Result<void> TensorPair::read_a(std::array<Range, 4> block, std::span<float> out) const {
  return read_part(*this, a, begin_a, block, out);
}

Result<void> TensorPair::read_b(std::array<Range, 4> block, std::span<float> out) const {
  return read_part(*this, b, begin_b, block, out);
}

Result<std::vector<TensorPair>> paired_tensors(const Capture& a, const Capture& b, Index layer,
                                               std::vector<std::string>& read_a, std::vector<std::string>& read_b) {
  std::vector<TensorPair> pairs;
  const CaptureSizes own_a = sizes_of(a, layer), own_b = sizes_of(b, layer);
  CaptureSizes sizes_a = own_a.filled(own_b), sizes_b = own_b.filled(own_a);
  for (const TensorRole role : tensor_roles) {
    const CapturedTensor *one = a.find(layer, role), *two = b.find(layer, role);
    if (!one || !two || axes_of(role) == TensorAxes::other) continue;
    const auto opened_a = opened_readings(*one, role, sizes_a);
    if (!opened_a) return within("A, layer " + to_text(layer), opened_a.error());
    const auto opened_b = opened_readings(*two, role, sizes_b);
    if (!opened_b) return within("B, layer " + to_text(layer), opened_b.error());
    std::optional<TensorPair> best;
    double least = 0;
    const bool several = opened_a->readings.size() * opened_b->readings.size() > 1;
    for (const TensorReading& reading_a : opened_a->readings)
      for (const TensorReading& reading_b : opened_b->readings) {
        TensorPair pair{role, {opened_a->numbers, reading_a}, {opened_b->numbers, reading_b}, {}, {}, {}, 0, true, {}};
        pair.unit = std::max(pair.a.numbers.unit(), pair.b.numbers.unit());
        if (!align(pair)) continue;
        place_sink_column(pair);
        const double left = several ? disagreement(pair) : 0;
        if (!best || left < least) best = std::move(pair), least = left;
      }
    if (!best) {
      read_b.push_back(fmt::format("{} of layer {} has no shape that fits A's: not compared", name_of(role), layer));
      continue;
    }
    learn(sizes_a, role, best->a.reading);
    learn(sizes_b, role, best->b.reading);
    remark(read_a, role, best->a.reading, opened_a->readings.size());
    remark(read_b, role, best->b.reading, opened_b->readings.size());
    pairs.push_back(std::move(*best));
  }
  return pairs;
}

}  // namespace vqscope
