// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/codebook/key_samples.h"

#include "core/base/random.h"

#include <cassert>

namespace vqscope {

std::vector<float> sample_keys(const KeySamples& samples, Index count, Index width, const std::stop_token& stop) {
  assert(samples.kind == KeyKind::independent || samples.clusters > 0);
  SeededRandom random(samples.seed);
  const bool clustered = samples.kind == KeyKind::clustered;
  std::vector<double> centres(static_cast<std::size_t>(clustered ? samples.clusters * width : 0));
  for (std::size_t i = 0; i < centres.size() && !stop.stop_requested(); ++i) centres[i] = random.normal();
  std::vector<float> keys;
  keys.reserve(static_cast<std::size_t>(count * width));
  for (Index i = 0; i < count && !stop.stop_requested(); ++i) {
    const auto centre =
        clustered ? static_cast<Index>(random.bits() % static_cast<std::uint64_t>(samples.clusters)) : 0;
    for (Index c = 0; c < width; ++c) {
      const double drawn = random.normal();
      keys.push_back(static_cast<float>(
          clustered ? centres[static_cast<std::size_t>(centre * width + c)] + samples.spread * drawn : drawn));
    }
  }
  return keys;
}

}  // namespace vqscope
