// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/extrapolation/ordering.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

namespace vqscope {
namespace {

int sign(double difference) { return (difference > 0) - (difference < 0); }

}  // namespace

double kendall_tau(std::span<const double> a, std::span<const double> b) {
  assert(a.size() == b.size());
  double agreeing = 0, untied_a = 0, untied_b = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const int of_a = sign(a[i] - a[j]), of_b = sign(b[i] - b[j]);
      agreeing += of_a * of_b;
      untied_a += of_a != 0;
      untied_b += of_b != 0;
    }
  return agreeing / std::sqrt(untied_a * untied_b);
}

double rank_of(const Scores& scores, const std::string& id) {
  const auto own = std::ranges::find(scores, id, &Scores::value_type::first);
  if (own == scores.end()) return std::numeric_limits<double>::quiet_NaN();
  return 1.0 + static_cast<double>(
                   std::ranges::count_if(scores, [&](const auto& other) { return other.second > own->second; }));
}

double kendall_tau(const Scores& a, const Scores& b) {
  std::vector<double> of_a, of_b;
  for (const auto& [id, score] : a) {
    const auto same = std::ranges::find(b, id, &Scores::value_type::first);
    if (same == b.end()) continue;
    of_a.push_back(score);
    of_b.push_back(same->second);
  }
  return kendall_tau(of_a, of_b);
}

double kendall_tau(const PublishedOrder& published, const Scores& measured) {
  return kendall_tau(Scores(published.scores.begin(), published.scores.end()), measured);
}

const PublishedOrder& press_2022() {
  static const PublishedOrder order{"press_2022", {{"alibi", 4}, {"t5_bias", 3}, {"rope", 2}, {"sinusoidal", 1}}};
  return order;
}

const PublishedOrder& kazemnejad_2023() {
  static const PublishedOrder order{"kazemnejad_2023",
                                    {{"nope", 4}, {"t5_bias", 3}, {"alibi", 2}, {"rope", 1}, {"sinusoidal", 1}}};
  return order;
}

}  // namespace vqscope
