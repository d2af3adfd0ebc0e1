// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/curve/reach/reach_values.h"

#include "core/base/random.h"
#include "core/base/sentence.h"
#include "core/curve/methods.h"
#include "core/curve/rope/rope_series.h"
#include "core/method/shared/common_parameters.h"
#include "core/method/shared/published.h"

#include <algorithm>
#include <cmath>

namespace vqscope {
namespace {

constexpr Index most_drawn = 65536;
constexpr Index first_length = 16;
constexpr double formula_holds_to = 2;

std::vector<ParameterSpec> entropy_growth_parameters() {
  std::vector<ParameterSpec> specs;
  for (auto& spec : rope_curve_parameters(most_drawn))
    if (spec.name == "q_length" || spec.name == "original_max_position_embeddings") specs.push_back(std::move(spec));
  specs[0].help = fmt::format("Longest length on the curve; logits are sampled up to length {}.", most_drawn);
  specs[1].group = "Logits";
  specs[1].default_value = Index{512};
  specs[1].minimum = 16;
  add_parameter(specs, "sigma", "Logits", "Standard deviation of the logits. The formula is plotted up to 2.",
                {.label = "σ", .default_value = 1.0, .minimum = 0, .maximum = 4});
  specs.push_back(seed_parameter("Logits", "Random seed of the logits."));
  specs.push_back(points_parameter("Curve", 512, 4096));
  specs.push_back(x_unit_parameter());
  specs.push_back(overlay_parameter());
  return specs;
}

/// Samples the requested number of logits, and keeps the sums that both entropies need.
class Drawn {
 public:
  Drawn(double sigma, std::uint64_t seed) : m_random(seed), m_sigma(sigma) {}

  void grow_to(Index count) {
    for (; m_bins.count() < count;) {
      const double z = m_random.normal();
      const double weight = std::exp(m_sigma * z);
      m_sum += weight;
      m_weighted += z * weight;
      m_bins.add(z);
    }
  }

  double entropy(double factor) const {
    if (factor == 1) return std::log(m_sum) - m_sigma * m_weighted / m_sum;
    return m_bins.entropy(m_sigma * factor);
  }

 private:
  SeededRandom m_random;
  double m_sigma;
  double m_sum = 0;
  double m_weighted = 0;
  BinnedEntropy m_bins;
};

double formula(double length, double deviation) {
  return deviation <= formula_holds_to ? std::log(length) - deviation * deviation / 2 : no_value;
}

CurveSet entropy_growth_described() {
  return {.x_name = "length",
          .x_title = "sequence length T (tokens)",
          .y_title = "entropy of attention (nats)",
          .formula =
              "logits of mean 0 and deviation σ: uniform ln T; formula ln T − σ²/2, which holds for σ ≤ 2 and is "
              "not drawn beyond; log_n: the logits are multiplied by max(1, ln T / ln L_train); drawn: softmax "
              "over T seeded draws; geometry of random logits, not performance of a model",
          .log_x = true,
          .curves = {{"uniform", {}}, {"formula", {}}, {"formula_log_n", {}}, {"drawn", {}}, {"drawn_log_n", {}}}};
}

Result<CurveSet> make_entropy_growth(const ParameterValues& values, const Work& work) {
  const Index trained = values.integer("original_max_position_embeddings");
  const Index longest = values.integer("q_length");
  const double sigma = values.real("sigma");
  CurveSet set = entropy_growth_described();
  const Index first = std::min(first_length, longest);
  set.x = integer_axis(first, longest, values.integer("points"), true);
  set.exact = static_cast<Index>(set.x.size()) == longest - first + 1;
  Drawn drawn(sigma, static_cast<std::uint64_t>(values.integer("seed")));
  for (const double length : set.x) {
    if (work.stop.stop_requested()) return cancelled();
    const double factor = log_n_factor(length, trained);
    const bool draws = length <= static_cast<double>(most_drawn);
    if (draws) drawn.grow_to(static_cast<Index>(length));
    const double y[] = {std::log(length), formula(length, sigma), formula(length, sigma * factor),
                        draws ? drawn.entropy(1) : no_value, draws ? drawn.entropy(factor) : no_value};
    for (std::size_t i = 0; i < set.curves.size(); ++i) set.curves[i].y.push_back(y[i]);
    work.report(std::min(1.0, length / static_cast<double>(std::min(longest, most_drawn))));
  }
  set.facts.emplace_back("log_n_factor", log_n_factor(set.x.back(), trained));
  if (longest > most_drawn) set.facts.emplace_back("drawn_up_to", static_cast<double>(most_drawn));
  if (trained <= longest) set.marks = {trained_mark(trained)};
  apply_overlay(values, set);
  apply_x_unit(values, trained, set);
  return set;
}

constexpr double furthest = 10;
constexpr Index per_unit = 128;
constexpr Index bins_in_block = 64;  // e^(a z) of a bin is that of its block times that of its place in the block
constexpr Index blocks = 20 * per_unit / bins_in_block;

double middle_of(Index bin) { return (static_cast<double>(bin) + 0.5) / per_unit - furthest; }

}  // namespace

double log_n_factor(double n, Index trained) {
  return std::max(1.0, std::log(n) / std::log(static_cast<double>(trained)));
}

Method entropy_growth_method() {
  return {.id = "entropy_growth",
          .title = "Entropy of attention by length",
          .help = "Entropy of attention over random content by number of keys, with and without the log-n factor.",
          .citation = {"Su 2021, Attention's Scale from the Viewpoint of Entropy Invariance; Chiang and Cholak 2022, "
                       "Overcoming a Theoretical Limitation of Self-Attention, section 5",
                       "bojone/rerope, rerope_patch.py, for the factor"},
          .parameters = entropy_growth_parameters(),
          .recipe = CurveRecipe{.make = make_entropy_growth, .related = {"bias_prior"}}};
}

BinnedEntropy::BinnedEntropy() : m_first(blocks - 1) {
  for (auto& moment : m_moments) moment = Eigen::ArrayXXd::Zero(bins_in_block, blocks);
}

void BinnedEntropy::add(double z) {
  const double within = std::clamp(z, -furthest, furthest);
  const auto bin = std::min(bins_in_block * blocks - 1, static_cast<Index>((within + furthest) * per_unit));
  m_first = std::min(m_first, bin / bins_in_block);
  m_last = std::max(m_last, bin / bins_in_block);
  const double off = within - middle_of(bin);
  m_moments[0](bin % bins_in_block, bin / bins_in_block) += 1;
  m_moments[1](bin % bins_in_block, bin / bins_in_block) += off;
  m_moments[2](bin % bins_in_block, bin / bins_in_block) += off * off / 2;
  ++m_count;
}

double BinnedEntropy::entropy(double a) const {
  if (m_count == 0) return 0;
  // Z = Σ e^(a z) and its derivative Z' = Σ z e^(a z), with e^(a δ) = 1 + a δ + (a δ)² / 2 within a
  // bin; then H = ln Z − a Z' / Z. Exponents are less that of the last block, which cancels: Z
  // neither overflows nor vanishes.
  Eigen::ArrayXd place(bins_in_block);
  for (Index i = 0; i < bins_in_block; ++i) place[i] = static_cast<double>(i) / per_unit;
  const Eigen::ArrayXd weight = (a * place).exp();
  const double last = middle_of(m_last * bins_in_block);
  Eigen::ArrayXd mass(bins_in_block);
  double sum = 0;
  double slope = 0;
  for (Index b = m_first; b <= m_last; ++b) {
    const auto number = m_moments[0].col(b);
    const auto first = m_moments[1].col(b);
    const auto second = m_moments[2].col(b);
    const double begin = middle_of(b * bins_in_block);
    const double scale = std::exp(a * (begin - last));
    mass = weight * (number + a * first + (a * a) * second);
    const double whole = mass.sum();
    sum += scale * whole;
    slope += scale * (begin * whole + (place * mass).sum() + (weight * (first + (2 * a) * second)).sum());
  }
  return std::max(0.0, std::log(sum) + a * last - a * slope / sum);
}

}  // namespace vqscope
