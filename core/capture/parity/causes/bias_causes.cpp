// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/capture/parity/cause_search.h"
#include "core/encoding/t5/t5_bucket.h"

#include <algorithm>
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

/// A bias of a head by distance of key and query; queries see nothing later where attention is causal.
using DistanceTable = std::map<Index, double>;

DistanceTable bias_by_distance(const LayerSample& sample, const TensorBlock& bias, Index head) {
  DistanceTable values;
  for (Index t = 0; t < bias.extent[2]; ++t)
    for (Index key = 0; key < bias.extent[3]; ++key) {
      const float value = bias.row(0, std::min(head, bias.extent[1] - 1), t)[static_cast<std::size_t>(key)];
      const Index distance = key - sample.past - sample.rows[static_cast<std::size_t>(t)];
      if (!std::isnan(value)) values.emplace(distance, static_cast<double>(value));
    }
  return values;
}

/// The bias of a side: stored, or what its scores have beyond q · k.
TensorBlock bias_of_side(const CauseSearch& search, const RecipeInputs& inputs) {
  const LayerSample& side = *inputs.sample;
  if (side.has(TensorRole::bias)) return side.a.at(TensorRole::bias);
  Recipe recipe = search.recipe();
  return fit_bias(side, recipe) ? recipe.bias : TensorBlock{};
}

double median_of(std::vector<double> values) {
  const auto middle = values.begin() + std::ssize(values) / 2;
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// The table of the other buckets: of A's where A has the bucket, else B's, moved by what both differ elsewhere.
/// `exact`: how far distances of one bucket may be apart, all but a few of a bias that was fitted to out.
std::map<Index, double> other_buckets(const DistanceTable& a, const DistanceTable& b, const T5Buckets& one,
                                      const T5Buckets& two, double exact, bool& holds) {
  std::map<Index, double> table;
  std::size_t apart = 0;
  // Near distances are seen by most queries: theirs are known best.
  for (auto each = a.rbegin(); each != a.rend(); ++each) {
    const double value = each->second;
    const auto [known, fresh] = table.emplace(one.bucket(each->first), value);
    if (!fresh && std::abs(known->second - value) > exact * (1 + std::abs(value))) ++apart;
  }
  if (apart > (exact > 2e-2 ? a.size() / 4 : 0)) holds = false;
  std::vector<double> moved;
  std::map<Index, std::vector<double>> of_b;
  for (const auto& [distance, value] : b) {
    const Index bucket = two.bucket(distance);
    of_b[bucket].push_back(value);
    if (const auto known = table.find(bucket); known != table.end()) moved.push_back(known->second - value);
  }
  const double shift = moved.empty() ? 0 : median_of(std::move(moved));
  for (auto& [bucket, values] : of_b) table.emplace(bucket, median_of(std::move(values)) + shift);
  return table;
}

void try_bucketing(CauseSearch& search, const TensorBlock& bias_a, const TensorBlock& bias_b, const T5Buckets& one,
                   const T5Buckets& two) {
  const LayerSample& sample = search.sample();
  Recipe changed = search.recipe();
  changed.linear = {};
  changed.bias = TensorBlock({1, sample.heads, std::ssize(sample.rows), sample.keys});
  bool holds = true;
  const bool from_out =
      !sample.has(TensorRole::bias) && !sample.has(TensorRole::scores) && !sample.has(TensorRole::weights);
  const double exact = from_out ? 0.05 : 2e-2;
  for (Index h = 0; h < sample.heads && holds; ++h) {
    const DistanceTable own = bias_by_distance(sample, bias_a, h);
    const auto table = other_buckets(own, bias_b.values.empty() ? DistanceTable{} : bias_by_distance(sample, bias_b, h),
                                     one, two, exact, holds);
    for (Index t = 0; t < changed.bias.extent[2]; ++t)
      for (Index key = 0; key < sample.keys; ++key) {
        const Index distance = key - sample.past - sample.rows[static_cast<std::size_t>(t)];
        const auto entry = table.find(two.bucket(distance)), before = own.find(distance);
        double value = entry == table.end() ? 0 : entry->second;
        if (!search.inputs().has_vectors()) value -= before == own.end() ? value : before->second;
        changed.bias.row(0, h, t)[static_cast<std::size_t>(key)] = static_cast<float>(value);
      }
  }
  if (holds) search.add("t5_bidirectional", {{"a", one.bidirectional}, {"b", two.bidirectional}}, changed, 1);
}

void try_buckets(CauseSearch& search) {
  if (search.told().alibi || search.recipe().rope.rotates) return;
  const TensorBlock bias_a = bias_of_side(search, search.inputs());
  if (bias_a.values.empty()) return;
  const TensorBlock bias_b = bias_of_side(search, search.inputs_of_b());
  for (const bool two_sided : {false, true})
    for (const Index buckets : {Index{32}, Index{16}, Index{8}})
      for (const Index farthest : {Index{128}, Index{64}, Index{32}, Index{16}, Index{256}}) {
        const T5Buckets one{buckets, farthest, two_sided}, two{buckets, farthest, !two_sided};
        if (one.check() && two.check()) try_bucketing(search, bias_a, bias_b, one, two);
      }
}

/// Weights alone: their logarithms differ by a function of the distance that leaves the nearest keys alone, in a model
/// that neither rotates nor has ALiBi.
void try_buckets_of_weights(CauseSearch& search) {
  const LayerSample& sample = search.sample();
  if (search.inputs().has_vectors() || sample.has(TensorRole::bias) || search.told().alibi || search.told().rope)
    return;
  if (!sample.has(TensorRole::weights) || search.inputs().logits.values.empty()) return;
  Recipe changed = search.recipe();
  changed.bias = TensorBlock({1, sample.heads, std::ssize(sample.rows), sample.keys});
  const TensorBlock &a = sample.a.at(TensorRole::weights), &b = sample.b.at(TensorRole::weights);
  bool is_near_same = true, is_far_same = true;
  for (Index h = 0; h < sample.heads; ++h) {
    std::map<Index, std::pair<double, double>> sums;
    for (Index s = 0; s < a.extent[0]; ++s)
      for (Index t = 0; t < a.extent[2]; ++t) {
        const auto own = a.row(s, h, t), other = b.row(s, h, t);
        const Index query = sample.rows[static_cast<std::size_t>(t)] + sample.past;
        if (query >= std::ssize(own) || own[static_cast<std::size_t>(query)] < 1e-12F ||
            other[static_cast<std::size_t>(query)] < 1e-12F)
          continue;
        const auto ratio = [&](std::size_t key) {
          return std::log(static_cast<double>(other[key]) / static_cast<double>(own[key]));
        };
        const double base = ratio(static_cast<std::size_t>(query));
        for (std::size_t key = 0; key < own.size(); ++key)
          if (own[key] > 1e-12F && other[key] > 1e-12F) {
            auto& [sum, count] = sums[static_cast<Index>(key) - query];
            sum += ratio(key) - base, ++count;
          }
      }
    for (const auto& [distance, sum] : sums) {
      const bool same = std::abs(sum.first / sum.second) < 0.02;
      if (distance > -8 && !same) is_near_same = false;
      if (distance <= -8 && !same) is_far_same = false;
    }
    for (Index t = 0; t < changed.bias.extent[2]; ++t)
      for (Index key = 0; key < sample.keys; ++key) {
        const auto found = sums.find(key - sample.past - sample.rows[static_cast<std::size_t>(t)]);
        changed.bias.row(0, h, t)[static_cast<std::size_t>(key)] =
            found == sums.end() ? 0.0F : static_cast<float>(found->second.first / found->second.second);
      }
  }
  if (is_near_same && !is_far_same) search.add("t5_bidirectional", {{"a", false}, {"b", true}}, changed, 6);
}

}  // namespace

void try_bias_causes(CauseSearch& search) {
  if (!search.inputs().has_vectors() && search.inputs().logits.values.empty() && !search.sample().has(TensorRole::bias))
    return;
  try_slopes(search);
  try_lengths_of_bias(search);
  try_buckets(search);
  try_buckets_of_weights(search);
}

}  // namespace vqscope
