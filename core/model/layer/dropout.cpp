// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/layer/dropout.h"

#include "core/base/random.h"

namespace vqscope {
namespace {

/// A separate generator for each combination.
SeededRandom generator_of(const TrainingNoise& noise, std::uint64_t place, std::uint64_t item) {
  std::uint64_t state = noise.seed;
  for (const std::uint64_t part : {static_cast<std::uint64_t>(noise.step), place, item})
    state = SeededRandom(state ^ (part * 0x9e3779b97f4a7c15U)).bits();
  return SeededRandom(state);
}

std::uint64_t number_of(const DropoutPlace& place) {
  return 1 + 3 * static_cast<std::uint64_t>(place.layer) + static_cast<std::uint64_t>(place.branch);
}

/// Calls body(i, factor) for each number of each token: factor is 0, or 1 / (1 - p).
template <class Real, class Body>
void for_each_number(const TrainingNoise& noise, const DropoutPlace& place, Index first, Index tokens, Index width,
                     const Body& body) {
  const auto factor = static_cast<Real>(1 / (1 - noise.dropout));
  const auto dropped_below = static_cast<std::uint64_t>(noise.dropout * 4294967296.0);
  for (Index t = 0; t < tokens; ++t) {
    SeededRandom random = generator_of(noise, number_of(place), static_cast<std::uint64_t>(first + t));
    std::uint64_t bits = 0;
    for (Index c = 0; c < width; ++c, bits >>= 32) {  // two numbers of 32 bits at a time
      if (c % 2 == 0) bits = random.bits();
      body(t * width + c, (bits & 0xffffffffU) < dropped_below ? Real{0} : factor);
    }
  }
}

}  // namespace

bool TrainingNoise::drops_layer(Index layer) const {
  return layerdrop > 0 && generator_of(*this, 0, static_cast<std::uint64_t>(layer)).uniform() <= layerdrop;
}

template <class Real>
void add_kept(const TrainingNoise& noise, const DropoutPlace& place, Index first, Index tokens, Index width,
              const Real* in, Real* out) {
  for_each_number<Real>(noise, place, first, tokens, width, [&](Index i, Real factor) { out[i] += factor * in[i]; });
}

template <class Real>
void replace_by_kept(const TrainingNoise& noise, const DropoutPlace& place, Index first, Index tokens, Index width,
                     const Real* in, Real* out) {
  for_each_number<Real>(noise, place, first, tokens, width, [&](Index i, Real factor) { out[i] = factor * in[i]; });
}

template void add_kept(const TrainingNoise&, const DropoutPlace&, Index, Index, Index, const float*, float*);
template void add_kept(const TrainingNoise&, const DropoutPlace&, Index, Index, Index, const double*, double*);
template void replace_by_kept(const TrainingNoise&, const DropoutPlace&, Index, Index, Index, const float*, float*);
template void replace_by_kept(const TrainingNoise&, const DropoutPlace&, Index, Index, Index, const double*, double*);

}  // namespace vqscope
