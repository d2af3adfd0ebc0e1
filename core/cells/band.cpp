// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cells/band.h"

namespace vqscope {
namespace {

Index common_offset(const Ramp& a, const Ramp& b) {
  assert(a.is_constant() || b.is_constant() || a.offset == b.offset);
  return a.is_constant() ? b.offset : a.offset;
}

}  // namespace

Ramp min(const Ramp& a, const Ramp& b) {
  return {common_offset(a, b), std::min(a.low, b.low), std::min(a.high, b.high)};
}

Ramp max(const Ramp& a, const Ramp& b) {
  return {common_offset(a, b), std::max(a.low, b.low), std::max(a.high, b.high)};
}

Bands bands_in(Bands bands, Range rows) {
  const auto first = std::ranges::partition_point(bands, [&](const Band& b) { return b.rows.end <= rows.begin; });
  auto last = first;
  // Mostly the next one or two; a tall segment of rows may hold every document.
  for (int near = 0; near < 4 && last != bands.end() && last->rows.begin < rows.end; ++near) ++last;
  if (last != bands.end() && last->rows.begin < rows.end)
    last = std::partition_point(last, bands.end(), [&](const Band& b) { return b.rows.begin < rows.end; });
  return {first, last};
}

}  // namespace vqscope
