// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/capture/parity/recipe/bias_of_out.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace vqscope {
namespace {

constexpr Index most_fitted = 8'000'000;
constexpr int most_rounds = 60;

/// A row of a head: exp(score) of its keys, and their sums with the biases so far.
struct OutRow {
  Index own = 0;  ///< the key of the query's own token
  Index farthest = 0;
  std::vector<double> parts;  ///< of each key; 0: hidden
  double total = 0;
  std::vector<double> sum;
  std::span<const float> out;
  Index sample = 0;
};

using Factors = std::map<Index, double>;  ///< exp(bias) of a distance

std::vector<OutRow> rows_of_head(const LayerSample& sample, const TensorBlock& scores, Index head) {
  std::vector<OutRow> rows;
  const TensorBlock& out = sample.a.at(TensorRole::out);
  for (Index b = 0; b < scores.extent[0]; ++b)
    for (Index t = 0; t < scores.extent[2]; ++t) {
      const auto row = scores.row(b, head, t);
      const float most = *std::ranges::max_element(row);
      if (!std::isfinite(most)) continue;
      OutRow each{sample.rows[static_cast<std::size_t>(t)] + sample.past, 0, {}, 0, {}, out.row(b, head, t), b};
      each.sum.resize(each.out.size());
      for (const float score : row) each.parts.push_back(std::exp(static_cast<double>(score - most)));
      const auto first = std::ranges::find_if(each.parts, [](double part) { return part > 0; });
      each.farthest = first - each.parts.begin() - each.own;
      rows.push_back(std::move(each));
    }
  return rows;
}

/// Adds the key's part to the sums of a row.
void add_part(OutRow& row, Index key, std::span<const float> value, double factor) {
  const double part = row.parts[static_cast<std::size_t>(key)] * factor;
  row.total += part;
  for (std::size_t i = 0; i < row.sum.size(); ++i) row.sum[i] += part * static_cast<double>(value[i]);
}

/// The factor of a distance by least squares, which is linear in it while the others stay.
double fitted_factor(std::vector<OutRow>& rows, const TensorBlock& v, Index group, Index distance, double before,
                     bool farthest_only) {
  double upper = 0, lower = 0;
  for (OutRow& row : rows) {
    const Index key = row.own + distance;
    if (key < 0 || key >= std::ssize(row.parts) || row.parts[static_cast<std::size_t>(key)] == 0) continue;
    if (farthest_only && row.farthest != distance) continue;
    const auto value = v.row(row.sample, group, key);
    const double part = row.parts[static_cast<std::size_t>(key)], rest = row.total - part * before;
    double along = 0, size = 0;
    for (std::size_t i = 0; i < row.sum.size(); ++i) {
      const auto x = static_cast<double>(value[i]), y = static_cast<double>(row.out[i]);
      along += (row.sum[i] - part * before * x - rest * y) * (y - x);
      size += (y - x) * (y - x);
    }
    upper += part * along / (row.total * row.total);
    lower += part * part * size / (row.total * row.total);
  }
  return lower > 0 ? std::clamp(upper / lower, 1e-6, 1e6) : before;
}

Factors fitted_factors(const LayerSample& sample, const TensorBlock& scores, Index head) {
  const TensorBlock& v = sample.a.at(TensorRole::v);
  const Index group = head / std::max<Index>(1, scores.extent[1] / v.extent[1]);
  std::vector<OutRow> rows = rows_of_head(sample, scores, head);
  Factors factors;
  for (OutRow& row : rows)
    for (Index key = 0; key < std::ssize(row.parts); ++key)
      if (row.parts[static_cast<std::size_t>(key)] > 0) {
        factors[key - row.own] = 1;
        add_part(row, key, v.row(row.sample, group, key), 1);
      }
  // Where no query sees later keys, each row has one distance more than that before it.
  for (int round = 0; round < most_rounds; ++round) {
    double moved = 0;
    for (auto each = factors.rbegin(); each != factors.rend(); ++each) {
      auto& [distance, factor] = *each;
      const double next = fitted_factor(rows, v, group, distance, factor, round == 0 && sample.causal);
      if (next == factor) continue;
      for (OutRow& row : rows)
        if (const Index key = row.own + distance; key >= 0 && key < std::ssize(row.parts))
          add_part(row, key, v.row(row.sample, group, key), next - factor);
      moved = std::max(moved, std::abs(std::log(next / factor)));
      factor = next;
    }
    if (moved < 1e-5) break;
  }
  return factors;
}

}  // namespace

std::optional<TensorBlock> bias_of_out(const LayerSample& sample, const TensorBlock& scores) {
  const auto v = sample.a.find(TensorRole::v), out = sample.a.find(TensorRole::out);
  if (v == sample.a.end() || out == sample.a.end() || v->second.extent[2] != scores.extent[3]) return std::nullopt;
  const auto& n = scores.extent;
  if (out->second.extent[1] != n[1] || out->second.extent[3] != v->second.extent[3]) return std::nullopt;
  if (sample.is_part || n[0] * n[1] * n[2] * n[3] * v->second.extent[3] > most_fitted) return std::nullopt;
  TensorBlock bias({1, n[1], n[2], n[3]});
  for (Index h = 0; h < n[1]; ++h) {
    const Factors factors = fitted_factors(sample, scores, h);
    const double own = factors.contains(0) ? factors.at(0) : 1;
    // Distances without any weight are hidden by a mask, not by a bias.
    if (std::ranges::any_of(factors, [own](const auto& each) { return each.second < 2e-5 * std::max(1.0, own); }))
      return std::nullopt;
    for (Index t = 0; t < n[2]; ++t)
      for (Index key = 0; key < n[3]; ++key) {
        const auto found = factors.find(key - sample.rows[static_cast<std::size_t>(t)] - sample.past);
        bias.row(0, h, t)[static_cast<std::size_t>(key)] = found == factors.end()
                                                               ? std::numeric_limits<float>::quiet_NaN()
                                                               : static_cast<float>(std::log(found->second / own));
      }
  }
  return bias;
}

}  // namespace vqscope
