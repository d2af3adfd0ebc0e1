// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/capture/parity/cause_search.h"

#include <cmath>
#include <complex>
#include <numbers>

namespace vqscope {
namespace {

constexpr Index most_base = Index{1} << 17;

/// What turned each pair of the first row held beyond its position as it is counted: a factor a pair.
std::vector<std::complex<double>> extra_turns(const TensorBlock& before, const TensorBlock& after, const Recipe& recipe,
                                              double position) {
  const RopeLaw& rope = recipe.rope;
  const auto pairs = static_cast<Index>(rope.inv_freq.size());
  std::vector<std::complex<double>> turns(rope.inv_freq.size());
  for (Index head = 0; head < before.extent[1]; ++head) {
    const auto one = before.row(0, head, 0), two = after.row(0, head, 0);
    for (Index pair = 0; pair < pairs; ++pair) {
      const auto columns = dimensions_of(pair, pairs, rope.layout, before.extent[3]);
      const auto complex = [&](std::span<const float> row) {
        return std::complex(static_cast<double>(row[static_cast<std::size_t>(columns.first)]),
                            static_cast<double>(row[static_cast<std::size_t>(columns.second)]));
      };
      const auto p = static_cast<std::size_t>(pair);
      turns[p] += complex(two) * std::conj(complex(one)) * std::polar(1.0, -position * rope.inv_freq[p]);
    }
  }
  return turns;
}

}  // namespace

void fit_base(const LayerSample& sample, Recipe& recipe) {
  const auto q = sample.a.find(TensorRole::q), after = sample.a.find(TensorRole::q_rot);
  if (q == sample.a.end() || after == sample.a.end() || !recipe.rope.rotates || !recipe.rope.axis.empty()) return;
  if (sample.positions_known || 2 * std::ssize(recipe.rope.inv_freq) > q->second.extent[3]) return;
  const double first = recipe.query_positions.front().front()[static_cast<std::size_t>(keys_of_rows(sample).front())];
  const auto turns = extra_turns(q->second, after->second, recipe, first);
  double most = -1e300;
  Index base = 0;
  for (Index shift = 0; shift < most_base; ++shift) {
    double sum = 0;
    for (std::size_t pair = 0; pair < turns.size(); ++pair)
      sum += (turns[pair] * std::polar(1.0, -static_cast<double>(shift) * recipe.rope.inv_freq[pair])).real();
    if (sum > most * (1 + 1e-9) + 1e-12) most = sum, base = shift;
  }
  for (auto* positions : {&recipe.query_positions, &recipe.key_positions})
    for (auto& entry : positions->front())
      for (double& position : entry) position += static_cast<double>(base);
}

}  // namespace vqscope
