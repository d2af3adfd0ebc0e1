// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/capture/parity/cause_search.h"
#include "core/encoding/t5/t5_bucket.h"

#include <cmath>
#include <map>

namespace vqscope {
namespace {

/// Slopes of another rule; of logits and stored biases their difference is added.
void try_slopes(CauseSearch& search) {
  const LayerSample& sample = search.sample();
  const Recipe& own = search.recipe();
  if (!search.told().alibi && own.linear.slopes.empty()) return;
  const std::vector<double> slopes = own.linear.slopes.empty() ? alibi_slopes(sample.heads, false) : own.linear.slopes;
  std::vector<std::vector<double>> others{alibi_slopes(sample.heads, true), alibi_slopes(sample.heads, false)};
  std::vector<double> doubled, halved, reversed(slopes.rbegin(), slopes.rend());
  for (const double slope : slopes) doubled.push_back(2 * slope), halved.push_back(slope / 2);
  others.insert(others.end(), {doubled, halved, reversed, std::vector<double>(slopes.size(), 0.0)});
  const bool adds = own.linear.slopes.empty();
  for (std::size_t i = 0; i < others.size(); ++i) {
    if (others[i] == slopes) continue;
    Recipe changed = own;
    changed.linear.slopes = others[i];
    for (std::size_t h = 0; adds && h < slopes.size(); ++h) changed.linear.slopes[h] -= slopes[h];
    search.add("alibi_slopes", {{"slopes_a", slopes}, {"slopes_b", others[i]}}, changed, i < 2 ? 1 : 2);
  }
  // Any slopes: one number a head, each on its own.
  if (std::ssize(slopes) > 16 || search.sample().is_part) return;
  Recipe changed = own;
  if (adds) changed.linear.slopes.assign(slopes.size(), 0.0);
  std::vector<double> fitted = slopes;
  for (std::size_t h = 0; h < slopes.size(); ++h) {
    const double log_slope = least_at(std::log(1e-4), std::log(4.0), 24, [&](double x) {
      changed.linear.slopes[h] = std::exp(x) - (adds ? slopes[h] : 0);
      return -search.explained(changed);
    });
    fitted[h] = std::exp(log_slope);
    changed.linear.slopes[h] = fitted[h] - (adds ? slopes[h] : 0);
  }
  search.add("alibi_slopes", {{"slopes_a", slopes}, {"slopes_b", fitted}}, changed, 5);
}

/// A bias whose queries begin at 0 although the cache holds keys.
void try_lengths_of_bias(CauseSearch& search) {
  const LayerSample& sample = search.sample();
  const Recipe& own = search.recipe();
  if (sample.past == 0 || (!search.told().alibi && own.linear.slopes.empty())) return;
  const std::vector<double> slopes = own.linear.slopes.empty() ? alibi_slopes(sample.heads, false) : own.linear.slopes;
  const JsonObject parameters{{"past", sample.past}};
  for (const bool absolute : {false, true}) {
    Recipe changed = own;
    changed.bias = {};
    changed.linear = {slopes, absolute, -sample.past};
    if (own.linear.slopes.empty() && !own.bias.values.empty()) {
      search.add("alibi_length", parameters, changed, 1);
      continue;
    }
    if (!own.linear.slopes.empty()) {
      search.add("alibi_length", parameters, changed, 1);
      continue;
    }
    // On logits: take A's bias off and B's on.
    changed.bias = TensorBlock({1, sample.heads, std::ssize(sample.rows), sample.keys});
    changed.linear = {};
    for (Index h = 0; h < sample.heads; ++h)
      for (Index t = 0; t < std::ssize(sample.rows); ++t)
        for (Index key = 0; key < sample.keys; ++key) {
          const auto own_distance = static_cast<double>(key - sample.past - sample.rows[static_cast<std::size_t>(t)]);
          const auto other = static_cast<double>(key - sample.rows[static_cast<std::size_t>(t)]);
          changed.bias.row(0, h, t)[static_cast<std::size_t>(key)] = static_cast<float>(
              slopes[static_cast<std::size_t>(h)] * ((absolute ? -std::abs(other) : other) - own_distance));
        }
    search.add("alibi_length", parameters, changed, 1);
  }
}

/// The bias by distance that A's tensor has; nothing where it is not one of distances.
std::map<Index, double> bias_by_distance(const LayerSample& sample, const TensorBlock& bias, Index head) {
  std::map<Index, double> values;
  for (Index t = 0; t < bias.extent[2]; ++t)
    for (Index key = 0; key < bias.extent[3]; ++key)
      values.emplace(key - sample.past - sample.rows[static_cast<std::size_t>(t)],
                     static_cast<double>(bias.row(0, head, t)[static_cast<std::size_t>(key)]));
  return values;
}

void try_buckets(CauseSearch& search) {
  const LayerSample& sample = search.sample();
  const Recipe& own = search.recipe();
  if (own.bias.values.empty() || search.told().alibi) return;
  for (const bool was_two_sided : {false, true})
    for (const Index buckets : {Index{32}, Index{16}, Index{8}})
      for (const Index farthest : {Index{128}, Index{64}, Index{32}, Index{16}, Index{256}}) {
        const T5Buckets one{buckets, farthest, was_two_sided}, two{buckets, farthest, !was_two_sided};
        if (!one.check() || !two.check()) continue;
        Recipe changed = own;
        bool holds = true;
        for (Index h = 0; h < own.bias.extent[1] && holds; ++h) {
          std::map<Index, double> table;
          for (const auto& [distance, value] : bias_by_distance(sample, own.bias, h)) {
            const auto [known, fresh] = table.emplace(one.bucket(distance), value);
            if (!fresh && std::abs(known->second - value) > 1e-2 * (1 + std::abs(value))) holds = false;
          }
          for (Index b = 0; b < own.bias.extent[0]; ++b)
            for (Index t = 0; t < own.bias.extent[2]; ++t)
              for (Index key = 0; key < own.bias.extent[3]; ++key) {
                const auto entry = table.find(two.bucket(key - sample.past - sample.rows[static_cast<std::size_t>(t)]));
                if (entry != table.end())
                  changed.bias.row(b, h, t)[static_cast<std::size_t>(key)] = static_cast<float>(entry->second);
              }
        }
        if (holds) search.add("t5_bidirectional", {{"a", was_two_sided}, {"b", !was_two_sided}}, changed, 1);
      }
}

}  // namespace

void try_bias_causes(CauseSearch& search) {
  if (!search.inputs().has_vectors() && search.inputs().logits.values.empty() && !search.sample().has(TensorRole::bias))
    return;
  try_slopes(search);
  try_lengths_of_bias(search);
  try_buckets(search);
}

}  // namespace vqscope
