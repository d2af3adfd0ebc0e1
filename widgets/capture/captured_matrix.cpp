// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/capture/captured_matrix.h"

#include "core/base/sentence.h"

#include <algorithm>
#include <cmath>

namespace vqscope {
namespace {

constexpr Index mostCells = Index{1} << 26;  // 256 MiB

}  // namespace

Result<std::shared_ptr<const CapturedMatrix>> CapturedMatrix::read(const Capture& capture, Index layer, TensorRole role,
                                                                   Index sample, Index head) {
  const auto tensor = open_tensor(capture, layer, role);
  if (!tensor) return tensor.error();
  if (!*tensor) return invalid("layer {} has no {}", layer, name_of(role));
  const auto& [samples, heads, rows, cols] = (*tensor)->reading.extent;
  if (samples < 1 || heads < 1 || rows < 1 || cols < 1)
    return invalid("{} of layer {} has no numbers", name_of(role), layer);
  if (rows > mostCells / cols)
    return too_large("{} of layer {} has {} by {} numbers a head but must have at most {} to be shown", name_of(role),
                     layer, rows, cols, mostCells);
  const Index b = std::clamp(sample, Index{0}, samples - 1), h = std::clamp(head, Index{0}, heads - 1);
  std::vector<float> numbers(static_cast<std::size_t>(rows * cols));
  if (auto read = (*tensor)->read({Range{b, b + 1}, Range{h, h + 1}, Range{0, rows}, Range{0, cols}}, numbers); !read)
    return read.error();
  return std::shared_ptr<const CapturedMatrix>(new CapturedMatrix((*tensor)->reading, b, h, std::move(numbers)));
}

CapturedMatrix::CapturedMatrix(TensorReading reading, Index sample, Index head, std::vector<float> numbers)
    : m_reading(std::move(reading)), m_sample(sample), m_head(head), m_numbers(std::move(numbers)) {
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
