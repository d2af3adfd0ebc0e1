// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/capture/rope/explanation.h"

#include "core/capture/rope/theta_before_cast.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

namespace vqscope {
namespace {

constexpr std::size_t most_bases_fitted = 3;
/// Rows on which explanations are compared.
constexpr Index most_rows = 384;
/// Least mean square that is believed: rounding is not noise.
constexpr double least_misfit = 0.02;
/// Further squares, in those of the best, up to which an explanation is as good.
constexpr double as_good = 60;

std::complex<double> rounded_turn(std::complex<double> turn, const NumberType* type) {
  return type ? std::complex(type->rounded(turn.real()), type->rounded(turn.imag())) : turn;
}

/// Positions, factors and expected errors of the rows that are looked at.
class Comparison {
 public:
  explicit Comparison(const MeasuredTurns& turns) : m_turns(turns) {
    const Index count = std::min(turns.rows, most_rows);
    for (Index i = 0; i < count; ++i) m_rows.push_back(i * turns.rows / count);
  }

  /// Real numbers that were compared.
  double size() const { return 2 * static_cast<double>(std::ssize(m_rows) * m_turns.pairs); }

  /// Sets attention factor and misfit. A factor of 1, YaRN's own or a round one is preferred. The
  /// factor enters before or after a cast of the table.
  void judge(Explanation& how) const {
    std::vector<std::complex<double>> exact;
    exact.reserve(m_rows.size() * static_cast<std::size_t>(m_turns.pairs));
    for (const Index row : m_rows)
      for (std::size_t k = 0; k < how.frequency.size(); ++k) exact.push_back(std::polar(1.0, angle(how, row, k)));
    double best = std::numeric_limits<double>::infinity();
    for (const double factor : factors(how, exact))
      for (const double before : {1.0, factor}) {
        if (before != 1 && (!how.table_cast || factor == 1)) continue;
        const double misfit = misfit_of(how, exact, before, factor / before);
        const double counted = misfit + (factor == 1 ? 0 : 6 / size() * std::max(misfit, 0.05));
        if (counted >= best) continue;
        best = counted;
        how.misfit = misfit;
        how.attention_factor = factor;
      }
  }

 private:
  double angle(const Explanation& how, Index row, std::size_t k) const {
    const auto& axis = how.steps->steps[static_cast<std::size_t>(how.steps->axis[k])];
    const double frequency = how.inv_freq_cast ? how.inv_freq_cast->rounded(how.frequency[k]) : how.frequency[k];
    return static_cast<double>(how.base + axis[static_cast<std::size_t>(row)]) * frequency;
  }

  template <class Visit>
  void each(const std::vector<std::complex<double>>& table, const Visit& visit) const {
    std::size_t at = 0;
    for (const Index row : m_rows)
      for (Index pair = 0; pair < m_turns.pairs; ++pair, ++at)
        visit(m_turns.at(row, pair), table[at], m_turns.variance_at(row, pair));
  }

  double misfit_of(const Explanation& how, const std::vector<std::complex<double>>& exact, double before,
                   double after) const {
    double sum = 0;
    each(exact, [&](auto seen, auto turn, double variance) {
      sum += std::norm(seen - after * rounded_turn(before * turn, how.table_cast)) / variance;
    });
    return sum / (size() / 2);
  }

  std::vector<double> factors(const Explanation& how, const std::vector<std::complex<double>>& table) const {
    double product = 0, squares = 0;
    each(table, [&](auto seen, auto made, double variance) {
      product += (seen * std::conj(made)).real() / variance;
      squares += std::norm(made) / variance;
    });
    const double nearest = squares > 0 ? product / squares : 1;
    std::vector<double> all{1, std::round(nearest * 100) / 100, std::round(nearest * 1000) / 1000};
    if (how.family && how.family->rule == FrequencyRule::yarn) all.push_back(0.1 * std::log(how.family->factor) + 1);
    // Rounding of single numbers moves the mean of many by less than any factor that is meant.
    const double error = squares > 0 ? std::sqrt(size() / 2 / squares) : 0;
    const double least = std::max(1e-5 * nearest, 0.1 * error);
    if (std::ranges::none_of(all, [&](double round) { return std::abs(round - nearest) < least; }))
      all.push_back(nearest);
    return all;
  }

  const MeasuredTurns& m_turns;
  std::vector<Index> m_rows;
};

/// The measured frequencies with what a cast of them may have changed.
struct Frequencies {
  const BasePosition* base = nullptr;
  std::vector<double> variance;
};

Frequencies with_cast(const BasePosition& base, const NumberType* cast) {
  Frequencies result{&base, base.frequency_variance};
  if (!cast) return result;
  const double least = std::exp2(cast->least_exponent - cast->digits);  // half a step of subnormal numbers
  for (std::size_t k = 0; k < result.variance.size(); ++k)
    result.variance[k] += std::pow(0.45 * cast->unit() * base.frequency[k], 2) + least * least;
  return result;
}

/// The bases under which the formula fits best; all but the likeliest few are only tried roughly.
std::vector<Frequencies> likely(const std::vector<BasePosition>& bases, FrequencyRule rule, const NumberType* cast,
                                const TurnedColumns& columns) {
  std::vector<std::pair<double, Frequencies>> all;
  for (const BasePosition& base : bases) {
    Frequencies each = with_cast(base, cast);
    double misfit = base.misfit + 2 * std::log(static_cast<double>(base.position + 1));
    const bool simple = rule == FrequencyRule::plain || rule == FrequencyRule::linear;
    if (bases.size() > 1 && simple)
      misfit += rough_misfit(rule, {base.frequency, each.variance, columns.rotary_dim, columns.head_dim});
    all.emplace_back(misfit, std::move(each));
  }
  std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<Frequencies> best;
  for (std::size_t i = 0; i < std::min(all.size(), most_bases_fitted); ++i) best.push_back(std::move(all[i].second));
  return best;
}

/// The table cast that a reading of the steps stands for.
const NumberType* table_cast_of(const SteppedTurns& steps) {
  if (steps.rounding >= bfloat16_table_error) return &number_type("bfloat16");
  return steps.rounding >= float16_table_error ? &number_type("float16") : nullptr;
}

/// Every rule, cast and likely base under one reading of the steps.
void explain(const MeasuredTurns& turns, const SteppedTurns& steps, const TurnedColumns& columns,
             const Comparison& comparison, std::vector<Explanation>& all) {
  const auto bases = base_positions(steps);
  const NumberType* table = table_cast_of(steps);
  const auto judge = [&](Explanation how) {
    how.steps = &steps;
    for (const CastBase& cast : steps.casts)
      if (cast.base == how.base) how.position_cast = cast.before;
    for (const NumberType* cast : {static_cast<const NumberType*>(nullptr), table}) {
      if (cast && how.inv_freq_cast) continue;
      how.table_cast = cast;
      comparison.judge(how);
      all.push_back(how);
    }
  };
  const auto judge_family = [&](const FrequencyFamily& family, Index base, const NumberType* cast) {
    judge({.family = family,
           .frequency = family.frequencies(turns.pairs, columns.rotary_dim, columns.head_dim),
           .base = base,
           .inv_freq_cast = cast});
  };
  const std::array<const NumberType*, 3> casts{nullptr, &number_type("bfloat16"), &number_type("float16")};
  for (const FrequencyRule rule : frequency_rules) {
    if (rule == FrequencyRule::proportional && !columns.by_halves_of_head) continue;
    for (const NumberType* cast : casts) {
      if (cast && table) continue;
      for (const auto& [base, variance] : likely(bases, rule, cast, columns)) {
        for (const FittedFamily& fit : fitted(rule, {base->frequency, variance, columns.rotary_dim, columns.head_dim}))
          judge_family(fit.family, base->position, cast);
        if (!cast || rule != FrequencyRule::plain) continue;
        // Of a theta that is not round, as dynamic NTK's, a fit is not as near as the steps of the type.
        if (const auto theta = theta_before_cast(base->frequency, base->frequency_variance, *cast,
                                                 static_cast<double>(columns.rotary_dim)))
          judge_family({rule, *theta, 1, 0, false}, base->position, cast);
      }
    }
  }
  for (std::size_t i = 0; i < std::min(bases.size(), most_bases_fitted); ++i)
    judge({.family = {}, .frequency = bases[i].frequency, .base = bases[i].position});
}

}  // namespace

int Explanation::complexity() const {
  const int rule = family ? static_cast<int>(family->rule) : 9;
  return 100 * rule + (inv_freq_cast ? 50 : 0) + (table_cast ? 40 : 0) + (position_cast ? 45 : 0) +
         (ignores_cast ? 150 : 0) + (family && !family->is_round ? 5 : 0);
}

std::vector<Explanation> explanations(const MeasuredTurns& turns, std::span<const SteppedTurns> readings,
                                      const TurnedColumns& columns) {
  const Comparison comparison(turns);
  std::vector<Explanation> all;
  for (const SteppedTurns& steps : readings) explain(turns, steps, columns, comparison, all);
  if (std::ranges::any_of(all, [](const Explanation& each) { return each.position_cast.has_value(); }))
    for (Explanation& each : all) each.ignores_cast = !each.position_cast;
  if (all.empty()) return all;
  const auto best = std::min_element(all.begin(), all.end(),
                                     [](const Explanation& a, const Explanation& b) { return a.misfit < b.misfit; });
  // A formula has a few numbers where any frequencies have one a pair.
  const double slack = as_good + (best->family ? 0 : 6 * static_cast<double>(turns.pairs));
  const double least = best->misfit;
  std::erase_if(all, [&](const Explanation& each) {
    return (each.misfit - least) / std::max(least, least_misfit) * comparison.size() > slack;
  });
  std::stable_sort(all.begin(), all.end(), [](const Explanation& a, const Explanation& b) {
    return std::tuple(a.complexity(), a.misfit) < std::tuple(b.complexity(), b.misfit);
  });
  return all;
}

}  // namespace vqscope
