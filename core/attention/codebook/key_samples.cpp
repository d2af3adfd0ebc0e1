// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/codebook/key_samples.h"

#include <cassert>

namespace vqscope {

KeySampler::KeySampler(const KeySamples& samples, Index width, const std::stop_token& stop)
    : m_samples(samples), m_width(width), m_random(samples.seed) {
  if (samples.kind == KeyKind::independent) return;
  assert(samples.clusters > 0);
  m_centres.resize(static_cast<std::size_t>(samples.clusters * width));
  for (std::size_t i = 0; i < m_centres.size() && !stop.stop_requested(); ++i) m_centres[i] = m_random.normal();
}

void KeySampler::append(std::vector<float>& keys, Index count, const std::stop_token& stop) {
  keys.reserve(keys.size() + static_cast<std::size_t>(count * m_width));
  const bool clustered = m_samples.kind == KeyKind::clustered;
  for (Index i = 0; i < count && !stop.stop_requested(); ++i) {
    const auto centre =
        clustered ? static_cast<Index>(m_random.bits() % static_cast<std::uint64_t>(m_samples.clusters)) : 0;
    for (Index c = 0; c < m_width; ++c) {
      const double drawn = m_random.normal();
      keys.push_back(static_cast<float>(
          clustered ? m_centres[static_cast<std::size_t>(centre * m_width + c)] + m_samples.spread * drawn : drawn));
    }
  }
}

std::vector<float> sample_keys(const KeySamples& samples, Index count, Index width, const std::stop_token& stop) {
  std::vector<float> keys;
  KeySampler(samples, width, stop).append(keys, count, stop);
  return keys;
}

}  // namespace vqscope
