// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/capture/heads/head_measures.h"

#include <algorithm>
#include <cmath>

namespace vqscope {
namespace {

constexpr double most_of_it = 0.9;
constexpr double half = 0.5;
constexpr double marked = 0.3;

/// Weight above that of an even spread over the keys of a kind.
double above_chance(double weight, Index kind, Index all, double total) {
  return weight - total * static_cast<double>(kind) / static_cast<double>(std::max(all, Index{1}));
}

}  // namespace

std::optional<Index> HeadMeasures::reach() const {
  for (std::size_t i = 0; i < within.size(); ++i)
    if (within[i] >= most_of_it) return Index{1} << i;
  return {};
}

HeadSums::HeadSums(Index keys) {
  for (Index window = 1; window < 2 * keys; window *= 2) m_sums.within.push_back(0);
  m_rows_beyond.assign(m_sums.within.size(), 0);
}

void HeadSums::add(std::span<const float> weights, Index own, Index first, double beside,
                   std::span<const Index> tokens) {
  const auto at = [&](Index key) { return static_cast<double>(weights[static_cast<std::size_t>(key)]); };
  const Index end = std::min(own + 1, std::ssize(weights));
  const double on_first = first < end ? at(first) : 0;
  double entropy = 0, others = 0, peak = 0, equal = 0, after = 0;
  Index equals = 0;
  std::vector<double> recent(m_sums.within.size(), 0);
  for (Index key = first; key < end; ++key) {
    const double weight = at(key);
    if (weight > 0) entropy -= weight * std::log(weight);
    if (!tokens.empty() && key < own &&
        tokens[static_cast<std::size_t>(key)] == tokens[static_cast<std::size_t>(own)]) {
      ++equals;
      equal += weight;
      after += at(key + 1);
    }
    if (key == first) continue;
    others += weight;
    if (own - key >= local_window) peak = std::max(peak, weight);
    const Index distance = own - key;
    std::size_t window = 0;
    while ((Index{1} << window) <= distance) ++window;
    recent[window] += weight;
  }
  m_sums.sink += on_first + beside;
  m_sums.self += own < end ? at(own) : 0;
  if (own - 1 > first) m_sums.previous += at(own - 1);
  m_sums.entropy += entropy;
  m_sums.peak += peak;
  if (!tokens.empty()) {
    m_has_tokens = true;
    const double total = others + on_first;
    m_duplicate += above_chance(equal, equals, end - first, total);
    m_induction += above_chance(after, equals, end - first, total);
  }
  double so_far = 0;
  for (std::size_t i = 0; i < recent.size(); ++i) {
    so_far += recent[i];
    if (others < 1e-6 || (Index{1} << i) > own - first) continue;
    m_sums.within[i] += so_far / others;
    ++m_rows_beyond[i];
  }
  ++m_sums.rows;
}

HeadMeasures HeadSums::means() const {
  HeadMeasures means = m_sums;
  const auto rows = static_cast<double>(std::max(m_sums.rows, Index{1}));
  for (double* each : {&means.sink, &means.self, &means.previous, &means.entropy, &means.peak}) *each /= rows;
  if (m_has_tokens) {
    means.induction = m_induction / rows;
    means.duplicate = m_duplicate / rows;
  }
  // A window that no row goes beyond holds all.
  for (std::size_t i = 0; i < means.within.size(); ++i)
    means.within[i] = m_rows_beyond[i] > 0 ? means.within[i] / static_cast<double>(m_rows_beyond[i]) : 1;
  return means;
}

std::string_view name_of(HeadRole role) {
  constexpr std::array<std::string_view, head_roles.size()> names{"sink",      "self",  "previous",  "induction",
                                                                  "duplicate", "local", "retrieval", "broad"};
  return names[static_cast<std::size_t>(role)];
}

HeadRole role_of(const HeadMeasures& head) {
  if (head.sink >= half) return HeadRole::sink;
  if (head.self >= half) return HeadRole::self;
  if (head.previous >= half) return HeadRole::previous;
  if (head.induction.value_or(0) >= marked) return HeadRole::induction;
  if (head.duplicate.value_or(0) >= marked) return HeadRole::duplicate;
  if (const auto reach = head.reach(); reach && *reach <= local_window) return HeadRole::local;
  return head.peak >= marked ? HeadRole::retrieval : HeadRole::broad;
}

}  // namespace vqscope
