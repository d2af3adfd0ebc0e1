// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/capture/parity/cause_search.h"

#include <cmath>

namespace vqscope {
namespace {

void try_scales(CauseSearch& search) {
  const double own = search.recipe().scale;
  const auto with = [&](double scale) {
    Recipe changed = search.recipe();
    changed.scale = scale;
    return changed;
  };
  // Of logits alone only the ratio is known.
  const double told = search.told().scale.value_or(own), unit = search.inputs().has_vectors() ? own : told;
  double best = 1, most = -1e300;
  for (double ratio = 1.0 / 64; ratio < 65; ratio *= 1.25)
    if (const double explained = search.explained(with(own * ratio)); explained > most) most = explained, best = ratio;
  if (most < 0.3) return;
  const double fitted = std::exp(least_at(std::log(best / 1.3), std::log(best * 1.3), 30,
                                          [&](double x) { return -search.explained(with(own * std::exp(x))); }));
  if (std::abs(fitted - 1) < 1e-4) return;
  search.add("softmax_scale", {{"a", unit}, {"b", unit * fitted}}, with(own * fitted), 3);
  const auto dims = static_cast<double>(search.sample().head_dim);
  for (const double scale : {1 / std::sqrt(dims), 1 / dims, 1.0, unit * std::sqrt(2.0), unit / std::sqrt(2.0)})
    if (std::abs(std::log(scale / (unit * fitted))) < 0.02)
      search.add_explained("softmax_scale", {{"a", unit}, {"b", scale}}, search.explained(with(own * fitted)) + 1e-12,
                           2);
}

/// Without q and k only weights and capped scores are there: raw scores are c · atanh(score / c), once the
/// number that each row lacks is known.
void try_uncapped_logits(CauseSearch& search, double cap) {
  const LayerSample& sample = search.sample();
  if (!sample.has(TensorRole::weights) || sample.has(TensorRole::scores)) return;
  TensorBlock made = sample.a.at(TensorRole::weights);
  const TensorBlock& wanted = sample.b.at(TensorRole::weights);
  for (Index b = 0; b < made.extent[0]; ++b)
    for (Index h = 0; h < made.extent[1]; ++h)
      for (Index t = 0; t < made.extent[2]; ++t) {
        const auto row = made.row(b, h, t);
        const std::vector<float> own(row.begin(), row.end());
        const auto target = wanted.row(b, h, t);
        const auto uncapped = [&](double shift) {
          double sum = 0, left = 0;
          for (std::size_t i = 0; i < row.size(); ++i) {
            const double score = own[i] > 0 ? std::log(static_cast<double>(own[i])) + shift : -INFINITY;
            const double ratio = std::min(score / cap, 1 - 1e-9);
            row[i] = own[i] > 0
                         ? static_cast<float>(std::exp(std::min(cap * std::atanh(std::max(ratio, -1 + 1e-9)), 80.0)))
                         : 0;
            sum += static_cast<double>(row[i]);
          }
          for (std::size_t i = 0; i < row.size(); ++i) {
            row[i] = sum > 0 ? static_cast<float>(static_cast<double>(row[i]) / sum) : 0;
            left += std::pow(static_cast<double>(row[i]) - static_cast<double>(target[i]), 2);
          }
          return left;
        };
        double least = 1e300, at = 0;
        for (double shift = -cap; shift < cap + 12; shift += cap / 40)
          if (const double left = uncapped(shift); left < least) least = left, at = shift;
        uncapped(least_at(at - cap / 30, at + cap / 30, 20, uncapped));
      }
  const LeftSquares squares = left_squares(sample, sample.b, {{TensorRole::weights, made}}, false);
  search.add_explained("softcap_missing", {{"softcap", cap}}, 1 - squares.left / squares.before, 3);
}

void try_sinks(CauseSearch& search) {
  const Recipe& own = search.recipe();
  const bool shown = !search.inputs().row_sinks.values.empty();
  if (own.sinks.empty() && !shown) return;
  Recipe changed = own;
  changed.sinks.clear();
  changed.row_sinks = false;
  search.add("sink_missing", {}, changed, 1);
}

}  // namespace

void try_score_causes(CauseSearch& search) {
  if (!search.inputs().has_vectors() && search.inputs().logits.values.empty()) return;
  if (const double cap = search.told().softcap; cap > 0) {
    if (search.inputs().has_vectors()) {
      Recipe changed = search.recipe();
      changed.softcap = 0;
      search.add("softcap_missing", {{"softcap", cap}}, changed, 1);
    } else {
      try_uncapped_logits(search, cap);
    }
  }
  try_sinks(search);
  try_scales(search);
}

}  // namespace vqscope
