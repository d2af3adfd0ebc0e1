// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/capture/captured_matrix.h"

#include "core/base/sentence.h"
#include "core/capture/parity/layer_pair.h"

#include <algorithm>
#include <cmath>

namespace vqscope {
namespace {

constexpr Index mostCells = Index{1} << 26;  // 256 MiB

Result<void> checkExtent(const std::array<Index, 4>& extent, Index layer, TensorRole role) {
  const auto& [samples, heads, rows, cols] = extent;
  if (samples < 1 || heads < 1 || rows < 1 || cols < 1)
    return invalid("{} of layer {} has no numbers", name_of(role), layer);
  if (rows <= mostCells / cols) return {};
  return too_large("{} of layer {} has {} by {} numbers a head but must have at most {} to be shown", name_of(role),
                   layer, rows, cols, mostCells);
}

/// 0 where both hide a key, or are no number.
float differenceOf(float a, float b) { return a == b || (std::isnan(a) && std::isnan(b)) ? 0.0F : b - a; }

}  // namespace

Result<std::shared_ptr<const CapturedMatrix>> CapturedMatrix::read(const Capture& capture, Index layer, TensorRole role,
                                                                   Index sample, Index head) {
  const auto tensor = open_tensor(capture, layer, role);
  if (!tensor) return tensor.error();
  if (!*tensor) return invalid("layer {} has no {}", layer, name_of(role));
  const auto& [samples, heads, rows, cols] = (*tensor)->reading.extent;
  if (auto fits = checkExtent((*tensor)->reading.extent, layer, role); !fits) return fits.error();
  const Index b = std::clamp(sample, Index{0}, samples - 1), h = std::clamp(head, Index{0}, heads - 1);
  std::vector<float> numbers(static_cast<std::size_t>(rows * cols));
  if (auto read = (*tensor)->read({Range{b, b + 1}, Range{h, h + 1}, Range{0, rows}, Range{0, cols}}, numbers); !read)
    return read.error();
  return std::shared_ptr<const CapturedMatrix>(new CapturedMatrix((*tensor)->reading, b, h, std::move(numbers)));
}

Result<std::shared_ptr<const CapturedMatrix>> CapturedMatrix::difference(const Capture& a, const Capture& b,
                                                                         Index layer, TensorRole role, Index sample,
                                                                         Index head) {
  std::vector<std::string> remarks;
  const auto pairs = paired_tensors(a, b, layer, remarks, remarks);
  if (!pairs) return pairs.error();
  const auto pair = std::ranges::find(*pairs, role, &TensorPair::role);
  if (pair == pairs->end()) return invalid("A and B do not both have {} of layer {}", name_of(role), layer);
  if (auto fits = checkExtent(pair->extent, layer, role); !fits) return fits.error();
  const auto& [samples, heads, rows, cols] = pair->extent;
  const Index s = std::clamp(sample, Index{0}, samples - 1), h = std::clamp(head, Index{0}, heads - 1);
  const std::array<Range, 4> block{Range{s, s + 1}, Range{h, h + 1}, Range{0, rows}, Range{0, cols}};
  std::array<std::vector<float>, 2> sides;
  for (std::vector<float>& side : sides) side.resize(static_cast<std::size_t>(rows * cols));
  if (auto read = pair->read_a(block, sides[0]); !read) return read.error();
  if (auto read = pair->read_b(block, sides[1]); !read) return read.error();
  std::vector<float> numbers(sides[0].size());
  std::ranges::transform(sides[0], sides[1], numbers.begin(), differenceOf);
  TensorReading reading = pair->a.reading;
  reading.extent = pair->extent;
  return std::shared_ptr<const CapturedMatrix>(
      new CapturedMatrix(std::move(reading), s, h, std::move(numbers), std::move(sides)));
}

std::optional<std::pair<double, double>> CapturedMatrix::sides(Index row, Index col) const {
  if (m_sides[0].empty()) return std::nullopt;
  const auto at = static_cast<std::size_t>(row * m_reading.extent[3] + col);
  return std::pair{static_cast<double>(m_sides[0][at]), static_cast<double>(m_sides[1][at])};
}

CapturedMatrix::CapturedMatrix(TensorReading reading, Index sample, Index head, std::vector<float> numbers,
                               std::array<std::vector<float>, 2> sides)
    : m_reading(std::move(reading)),
      m_sample(sample),
      m_head(head),
      m_numbers(std::move(numbers)),
      m_sides(std::move(sides)) {
  bool any = false;
  for (const float each : m_numbers) {
    if (!std::isfinite(each)) continue;
    const auto value = static_cast<double>(each);
    m_range =
        any ? std::pair{std::min(m_range.first, value), std::max(m_range.second, value)} : std::pair{value, value};
    any = true;
  }
}

}  // namespace vqscope
