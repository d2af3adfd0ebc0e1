// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/capture/rope/frequency_family.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>

namespace vqscope {
namespace {

constexpr double most_factor = 256;
/// ln theta is looked for from 50 to 1e10.
constexpr int theta_steps = 300;
constexpr double least_log_theta = 3.912;
constexpr double theta_step = (23.026 - least_log_theta) / (theta_steps - 1);

double log_theta_at(int step) { return least_log_theta + step * theta_step; }

bool has_factor(FrequencyRule rule) { return rule != FrequencyRule::plain && rule != FrequencyRule::proportional; }
bool has_original(FrequencyRule rule) { return rule == FrequencyRule::llama3 || rule == FrequencyRule::yarn; }

/// A pair keeps `kept` of its frequency, and the rest of it is divided by the factor.
struct Share {
  double base = 0;
  double kept = 1;

  double with(double inverse_factor) const { return base * (kept + (1 - kept) * inverse_factor); }
};

/// The ends of YaRN's ramp, whole pairs (Peng et al. 2023, as its authors' code truncates them).
std::pair<double, double> yarn_ramp(double log_theta, double original, double rotary_dim) {
  const auto pair_of_turns = [&](double turns) {
    return rotary_dim * std::log(original / (turns * 2 * std::numbers::pi)) / (2 * log_theta);
  };
  return {std::max(std::floor(pair_of_turns(32)), 0.0), std::min(std::ceil(pair_of_turns(1)), rotary_dim - 1)};
}

void shares(FrequencyRule rule, double log_theta, double original, const MeasuredFrequencies& m,
            std::vector<Share>& all) {
  const auto dims = static_cast<double>(rule == FrequencyRule::proportional ? m.head_dim : m.rotary_dim);
  const double ratio = std::exp(-2 * log_theta / dims);
  const auto [low, high] = rule == FrequencyRule::yarn
                               ? yarn_ramp(log_theta, original, static_cast<double>(m.rotary_dim))
                               : std::pair(0.0, 0.0);
  all.resize(m.value.size());
  double base = 1;
  for (std::size_t k = 0; k < all.size(); ++k, base *= ratio) {
    double kept = rule == FrequencyRule::linear ? 0 : 1;
    if (rule == FrequencyRule::llama3) kept = std::clamp((original * base / (2 * std::numbers::pi) - 1) / 3, 0.0, 1.0);
    if (rule == FrequencyRule::yarn)
      kept = 1 - std::clamp((static_cast<double>(k) - low) / std::max(high - low, 0.001), 0.0, 1.0);
    all[k] = {base, kept};
  }
}

struct Fit {
  double misfit = std::numeric_limits<double>::infinity();
  double inverse_factor = 1;
};

/// 1 / factor in closed form: the frequencies are linear in it.
Fit fit_factor(const std::vector<Share>& all, const MeasuredFrequencies& m) {
  double above = 0, below = 0;
  for (std::size_t k = 0; k < all.size(); ++k) {
    const double scaled = all[k].base * (1 - all[k].kept);
    above += scaled * (m.value[k] - all[k].base * all[k].kept) / m.variance[k];
    below += scaled * scaled / m.variance[k];
  }
  Fit fit;
  fit.inverse_factor = below > 0 ? std::clamp(above / below, 1 / most_factor, 1.0) : 1.0;
  fit.misfit = 0;
  for (std::size_t k = 0; k < all.size(); ++k)
    fit.misfit += std::pow(m.value[k] - all[k].with(fit.inverse_factor), 2) / m.variance[k];
  return fit;
}

/// One rule's misfit as a function of ln theta and the trained length.
class Search {
 public:
  Search(FrequencyRule rule, const MeasuredFrequencies& measured) : m_rule(rule), m_measured(measured) {}

  Fit at(double log_theta, double original) const {
    shares(m_rule, log_theta, original, m_measured, m_shares);
    return fit_factor(m_shares, m_measured);
  }

  /// Least misfit of `of` in a, b by golden section.
  template <class Function>
  static double least(double a, double b, const Function& of) {
    constexpr double golden = 0.6180339887498949;
    double c = b - golden * (b - a), d = a + golden * (b - a);
    double at_c = of(c), at_d = of(d);
    for (int i = 0; i < 60; ++i)
      if (at_c < at_d) {
        b = d, d = c, at_d = at_c;
        c = b - golden * (b - a), at_c = of(c);
      } else {
        a = c, c = d, at_c = at_d;
        d = a + golden * (b - a), at_d = of(d);
      }
    return (a + b) / 2;
  }

 private:
  FrequencyRule m_rule;
  const MeasuredFrequencies& m_measured;
  mutable std::vector<Share> m_shares;
};

struct Best {
  Fit fit;
  double log_theta = 0;
  double original = 0;
};

/// Frequencies that are known too well hide the way to a ramp: all but the right one are wrong by as much.
std::vector<double> softened(const MeasuredFrequencies& measured) {
  constexpr double relative_error = 2e-3;
  std::vector<double> variance(measured.variance.begin(), measured.variance.end());
  for (std::size_t k = 0; k < variance.size(); ++k) variance[k] += std::pow(relative_error * measured.value[k], 2);
  return variance;
}

Best best_of(FrequencyRule rule, const MeasuredFrequencies& measured) {
  const auto soft = softened(measured);
  MeasuredFrequencies looked_at = measured;
  if (has_original(rule)) looked_at.variance = soft;
  const Search search(rule, looked_at);
  std::vector<double> originals{0};
  if (has_original(rule)) {
    originals.clear();
    for (int i = 16; i <= 40; ++i) originals.push_back(std::exp2(i / 2.0));
  }
  Best best;
  for (const double original : originals) {
    int nearest = 0;
    double least = std::numeric_limits<double>::infinity();
    for (int i = 0; i < theta_steps; ++i)
      if (const double misfit = search.at(log_theta_at(i), original).misfit; misfit < least)
        least = misfit, nearest = i;
    if (least > 4 * best.fit.misfit + 1e3) continue;
    const double log_theta = Search::least(log_theta_at(nearest - 1), log_theta_at(nearest + 1),
                                           [&](double x) { return search.at(x, original).misfit; });
    if (const Fit fit = search.at(log_theta, original); fit.misfit < best.fit.misfit) best = {fit, log_theta, original};
  }
  if (!has_original(rule)) return best;
  const auto finish = [&](const Search& by, double widest) {
    for (double width = widest; width > widest / 8; width *= 0.7) {
      if (rule == FrequencyRule::llama3)  // its trained length has no steps
        best.original = std::exp(Search::least(std::log(best.original) - width, std::log(best.original) + width,
                                               [&](double x) { return by.at(best.log_theta, std::exp(x)).misfit; }));
      best.log_theta = Search::least(best.log_theta * (1 - 0.05 * width), best.log_theta * (1 + 0.05 * width),
                                     [&](double x) { return by.at(x, best.original).misfit; });
    }
    best.fit = by.at(best.log_theta, best.original);
  };
  finish(search, 0.4);
  finish(Search(rule, measured), 0.01);
  return best;
}

double misfit_of(const FrequencyFamily& family, const MeasuredFrequencies& m) {
  const auto values = family.frequencies(std::ssize(m.value), m.rotary_dim, m.head_dim);
  double sum = 0;
  for (std::size_t k = 0; k < values.size(); ++k) sum += std::pow(m.value[k] - values[k], 2) / m.variance[k];
  return sum;
}

/// Numbers of one, two or three digits near `value`, then a power of two; simplest first.
std::vector<double> round_numbers(double value, double within) {
  std::vector<double> all;
  const auto add = [&](double number) {
    if (std::abs(number / value - 1) <= within && std::find(all.begin(), all.end(), number) == all.end())
      all.push_back(number);
  };
  for (int digits = 1; digits <= 3; ++digits) {
    const double unit = std::pow(10.0, std::floor(std::log10(value)) - digits + 1);
    add(std::round(std::round(value / unit) * unit * 1e6) / 1e6);
  }
  add(std::exp2(std::round(std::log2(value))));
  return all;
}

std::vector<double> near_lengths(double original) {
  std::vector<double> all;
  for (int i = 7; i <= 20; ++i)
    for (const double length : {std::exp2(i), 1.5 * std::exp2(i)})
      if (std::abs(length / original - 1) < 0.6) all.push_back(length);
  all.push_back(original);
  return all;
}

constexpr std::array round_factors{1.25, 1.5,  1.6,  2.0,  2.5,  3.0,  4.0,  5.0,  6.0,  8.0,
                                   10.0, 12.0, 16.0, 20.0, 24.0, 32.0, 40.0, 48.0, 64.0, 128.0};

bool is_among(std::span<const double> numbers, double number) {
  return std::find(numbers.begin(), numbers.end(), number) != numbers.end();
}

std::vector<double> near_factors(double factor) {
  std::vector<double> all;
  for (const double round : round_factors)
    if (std::abs(round / factor - 1) < 0.15) all.push_back(round);
  all.push_back(factor);
  return all;
}

}  // namespace

std::string_view name_of(FrequencyRule rule) {
  constexpr std::array<std::string_view, 5> names{"default", "linear", "proportional", "llama3", "yarn"};
  return names[static_cast<std::size_t>(rule)];
}

std::vector<double> FrequencyFamily::frequencies(Index pairs, Index rotary_dim, Index head_dim) const {
  std::vector<double> values(static_cast<std::size_t>(pairs));
  const MeasuredFrequencies sizes{values, {}, rotary_dim, head_dim};
  std::vector<Share> all;
  shares(rule, std::log(theta), original, sizes, all);
  // The powers once more without the error of a product of ratios.
  const auto dims = static_cast<double>(rule == FrequencyRule::proportional ? head_dim : rotary_dim);
  for (std::size_t k = 0; k < all.size(); ++k) {
    all[k].base = std::pow(theta, -2 * static_cast<double>(k) / dims);
    values[k] = all[k].with(1 / factor);
  }
  return values;
}

std::vector<FittedFamily> fitted(FrequencyRule rule, const MeasuredFrequencies& measured) {
  const Best best = best_of(rule, measured);
  // Without a factor it is the plain formula, which is tried by itself.
  if (has_factor(rule) && best.fit.inverse_factor > 0.999) return {};
  const FrequencyFamily free{rule, std::exp(best.log_theta), has_factor(rule) ? 1 / best.fit.inverse_factor : 1.0,
                             best.original, false};
  std::vector<FittedFamily> all{{free, misfit_of(free, measured)}};
  const double slack = 4 + 0.5 * static_cast<double>(measured.value.size());
  for (const double theta : round_numbers(free.theta, 0.08)) {
    std::optional<FittedFamily> rounded, other;
    for (const double factor : has_factor(rule) ? near_factors(free.factor) : std::vector{1.0})
      for (const double original : has_original(rule) ? near_lengths(free.original) : std::vector{0.0}) {
        const bool is_round = (!has_factor(rule) || is_among(round_factors, factor)) &&
                              (!has_original(rule) || std::exp2(std::round(std::log2(original))) == original ||
                               1.5 * std::exp2(std::round(std::log2(original / 1.5))) == original);
        const FrequencyFamily family{rule, theta, factor, original, is_round};
        const double misfit = misfit_of(family, measured);
        auto& kept = is_round ? rounded : other;
        if (misfit <= all.front().misfit + slack && (!kept || misfit < kept->misfit)) kept = {family, misfit};
      }
    for (const auto& each : {rounded, other})
      if (each) all.push_back(*each);
  }
  return all;
}

double rough_misfit(FrequencyRule rule, const MeasuredFrequencies& measured) {
  const Search search(rule, measured);
  double least = std::numeric_limits<double>::infinity();
  for (int i = 0; i < theta_steps; i += 2) least = std::min(least, search.at(log_theta_at(i), 0).misfit);
  return least;
}

}  // namespace vqscope
