// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/capture/rope/which_rope.h"

#include "core/base/sentence.h"
#include "core/capture/rope/explanation.h"
#include "core/capture/rope/steps/step_positions.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <tuple>

namespace vqscope {
namespace {

/// Squares, in expected errors, from which a further pair would have been seen to turn.
constexpr double seen = 25;

/// Of all rows, those that a reading must fit.
constexpr double least_share = 0.5;

std::string short_dtype(const NumberType& type) { return type.id == "bfloat16" ? "bf16" : "f16"; }

bool turns_visibly(const MeasuredTurns& turns, double frequency, const std::vector<Index>& positions) {
  double sum = 0;
  for (Index row = 0; row < turns.rows; ++row)
    sum += std::pow(static_cast<double>(positions[static_cast<std::size_t>(row)]) * frequency, 2) /
           turns.variance_at(row, turns.pairs - 1);
  return sum > seen;
}

bool has_rule(const std::vector<Explanation>& all, FrequencyRule rule) {
  return std::any_of(all.begin(), all.end(),
                     [rule](const Explanation& each) { return each.family && each.family->rule == rule; });
}

/// Whether another trained length explains the frequencies as well.
bool original_is_open(const MeasuredTurns& turns, const Explanation& best, const TurnedColumns& columns,
                      const std::vector<Index>& positions) {
  const auto differs = [&](double scale) {
    FrequencyFamily other = *best.family;
    other.original *= scale;
    const auto frequency = other.frequencies(turns.pairs, columns.rotary_dim, columns.head_dim);
    double sum = 0;
    for (Index row = 0; row < turns.rows; ++row)
      for (Index pair = 0; pair < turns.pairs; ++pair) {
        const auto k = static_cast<std::size_t>(pair);
        const double turn =
            static_cast<double>(positions[static_cast<std::size_t>(row)]) * (frequency[k] - best.frequency[k]);
        sum += std::pow(std::min(std::abs(turn), 2.0), 2) / turns.variance_at(row, pair);
      }
    return sum > seen;
  };
  return !differs(1.03) || !differs(0.97);
}

/// Of a theta that somebody chose.
constexpr int most_round_digits = 3;

/// Digits of a number before its zeros.
int digits_of(double number) {
  const double exponent = std::floor(std::log10(number));
  int digits = 1;
  while (digits < 9) {
    const double unit = std::pow(10, exponent - digits + 1);
    if (std::abs(std::round(number / unit) * unit - number) < 1e-9 * number) break;
    ++digits;
  }
  return digits;
}

/// What was measured, whatever it was measured from.
struct Evidence {
  const MeasuredTurns& turns;
  std::optional<PairLayout> layout;
  Index rotary_dim = 0;
  std::optional<Index> head_dim;
};

/// Whether exactly these columns turn: half-split pairs of a part of the head have no other reading;
/// else the last pair must have turned, and one more, to which the frequencies continue, would have.
bool columns_are_told(const Evidence& evidence, const Explanation& best, const std::vector<Index>& positions,
                      Index head_dim) {
  if (evidence.layout == PairLayout::half_split && evidence.rotary_dim < head_dim) return true;
  if (std::abs(best.attention_factor - 1) > 0.01 && evidence.head_dim) return true;
  const auto count = best.frequency.size();
  const double ratio = count < 2 ? 1 : std::min(best.frequency[count - 1] / best.frequency[count - 2], 1.0);
  if (!turns_visibly(evidence.turns, best.frequency.back(), positions)) return false;
  const bool whole = evidence.head_dim == evidence.rotary_dim || (evidence.layout && !evidence.head_dim);
  return whole || turns_visibly(evidence.turns, best.frequency.back() * ratio, positions);
}

void tell_formula(WhichRope& answer, const Evidence& evidence, const std::vector<Explanation>& all,
                  const TurnedColumns& columns, bool axes) {
  const Explanation& best = all.front();
  const auto open = [&](const char* field) { answer.undetermined.emplace_back(field); };
  if (!best.family) {
    answer.rope_type = "unknown";
    for (const char* field : {"rope_theta", "factor", "original_max_position_embeddings"}) open(field);
    return;
  }
  const FrequencyFamily& family = *best.family;
  const bool ramp = family.rule == FrequencyRule::llama3 || family.rule == FrequencyRule::yarn;
  if (ramp && has_rule(all, FrequencyRule::llama3) && has_rule(all, FrequencyRule::yarn)) {
    for (const char* field : {"rope_type", "rope_theta", "factor", "original_max_position_embeddings"}) open(field);
    return;
  }
  answer.rope_type = axes && family.rule == FrequencyRule::plain ? "mrope" : std::string(name_of(family.rule));
  answer.rope_theta = family.theta;
  if (family.rule == FrequencyRule::plain || family.rule == FrequencyRule::proportional)
    open("factor");
  else
    answer.factor = family.factor;
  if (ramp && !original_is_open(evidence.turns, best, columns, answer.positions.front()))
    answer.original_max_position_embeddings = family.original;
  else
    open("original_max_position_embeddings");
}

/// Positions under which the rounded tables are those that were seen: rounding may hide a step.
void settle_positions(const MeasuredTurns& turns, const Explanation& best, WhichRope& answer) {
  if (!best.table_cast || !best.family) return;
  constexpr Index farthest = 8;
  const auto rounded = [&](double x) { return best.table_cast->rounded(x); };
  for (std::size_t axis = 0; axis < answer.positions.size(); ++axis)
    for (Index row = 0; row < turns.rows; ++row) {
      Index& position = answer.positions[axis][static_cast<std::size_t>(row)];
      std::pair least(std::numeric_limits<double>::infinity(), position);
      for (Index step = 0; step <= 2 * farthest; ++step) {
        const Index tried = position + (step % 2 == 0 ? step / 2 : -(step + 1) / 2);
        double sum = tried < 0 ? std::numeric_limits<double>::infinity() : 0;
        for (std::size_t k = 0; k < best.frequency.size(); ++k) {
          if (best.steps->axis[k] != static_cast<int>(axis)) continue;
          const double turn = static_cast<double>(tried) * best.frequency[k];
          const std::complex made(rounded(std::cos(turn)), rounded(std::sin(turn)));
          const auto pair = static_cast<Index>(k);
          sum += std::norm(turns.at(row, pair) - best.attention_factor * made) / turns.variance_at(row, pair);
        }
        if (sum < least.first) least = {sum, tried};
      }
      position = least.second;
    }
}

struct Answer {
  WhichRope rope;
  int complexity = 0;
  int digits = 0;  ///< of theta
  Index pairs = 0;

  /// Of round bases that are as simple, that of fewer pairs: what it leaves out did not turn at all.
  bool is_simpler_than(const Answer& other) const {
    if (complexity != other.complexity || digits != other.digits)
      return std::tie(complexity, digits) < std::tie(other.complexity, other.digits);
    return digits <= most_round_digits && pairs < other.pairs;
  }
};

Result<Answer> answered(const Evidence& evidence) {
  const MeasuredTurns& turns = evidence.turns;
  if (turns.rows < 2 || turns.pairs < 1)
    return invalid("a rotation is told from 2 rows or more, {} {} given", turns.rows, turns.rows == 1 ? "was" : "were");
  auto readings = stepped(turns);
  if (readings.empty())
    return invalid("no row turns by another angle than the row before it: positions and frequencies cannot be told");
  std::erase_if(readings, [](const SteppedTurns& each) { return each.share < least_share; });
  const TurnedColumns columns{evidence.rotary_dim, evidence.head_dim.value_or(evidence.rotary_dim),
                              evidence.layout == PairLayout::head_split};
  const auto all = explanations(turns, readings, columns);
  if (all.empty())
    return invalid("rows are not whole steps of one angle a pair apart: positions and frequencies cannot be told");
  const Explanation& best = all.front();
  WhichRope answer;
  answer.pair_layout = evidence.layout;
  answer.head_dim = evidence.head_dim;
  for (auto axis : best.steps->steps) {
    for (Index& position : axis) position += best.base;
    answer.positions.push_back(std::move(axis));
  }
  if (answer.positions.size() == 3) answer.axis = best.steps->axis;
  settle_positions(turns, best, answer);
  answer.inv_freq = best.frequency;
  answer.attention_factor = best.attention_factor;
  const auto open = [&](const char* field) { answer.undetermined.emplace_back(field); };
  if (!evidence.layout) open("pair_layout");
  if (columns_are_told(evidence, best, answer.positions.front(), columns.head_dim))
    answer.rotary_dim = evidence.rotary_dim;
  else
    open("rotary_dim");
  if (!evidence.head_dim) open("head_dim");
  tell_formula(answer, evidence, all, columns, best.steps->steps.size() == 3);
  if (best.inv_freq_cast) answer.cast = RopeCast{"inv_freq", short_dtype(*best.inv_freq_cast)};
  if (best.position_cast) {
    answer.cast = RopeCast{"positions", short_dtype(*best.position_cast->type)};
    std::iota(answer.positions.front().begin(), answer.positions.front().end(), best.position_cast->first);
  }
  if (best.table_cast) answer.cast = RopeCast{"cos_sin", short_dtype(*best.table_cast)};
  double variance = 0;
  for (const double each : turns.variance) variance += std::min(each, 1.0);
  answer.residual = std::sqrt(best.misfit * variance / static_cast<double>(turns.variance.size()));
  return Answer{answer, best.complexity(), best.family ? digits_of(best.family->theta) : 0, turns.pairs};
}

}  // namespace

bool WhichRope::counts_on() const {
  const auto& list = positions.front();
  return positions.size() == 1 &&
         std::adjacent_find(list.begin(), list.end(), [](Index a, Index b) { return b != a + 1; }) == list.end();
}

Result<void> check_rope_extent(Index rows, Index columns) {
  if (rows <= most_rope_rows && columns <= most_rope_columns) return {};
  return too_large("a rotation is told from at most {} rows of {} columns, {} of {} were given", most_rope_rows,
                   most_rope_columns, rows, columns);
}

Result<WhichRope> which_rope(std::span<const RotatedVectors> vectors) {
  if (auto fits = check_rope_extent(vectors.front().rows, vectors.front().dims); !fits) return fits.error();
  const auto pairings = pairings_of(vectors);
  if (pairings.empty())
    return invalid("no rotation of pairs of columns makes {}_rot from {}", vectors.front().name, vectors.front().name);
  // Halves of the whole head explain what halves of a part of it, head_split, do: by a less simple formula.
  std::optional<Answer> best;
  std::optional<Error> error;
  for (const PairedColumns& each : pairings) {
    const MeasuredTurns turns = turns_of(vectors, each);
    auto answer = answered({turns, each.layout, each.rotary_dim, vectors.front().dims});
    if (!answer)
      error = answer.error();
    else if (!best || answer->is_simpler_than(*best))
      best = std::move(*answer);
  }
  if (!best) return *error;
  return best->rope;
}

double share_left(std::span<const RotatedVectors> vectors) {
  const auto pairings = pairings_of(vectors);
  return pairings.empty() ? std::numeric_limits<double>::infinity() : pairings.front().residual;
}

Result<WhichRope> which_rope_of_readings(std::span<const std::vector<RotatedVectors>> readings) {
  const RotatedVectors& first = readings.front().front();
  if (auto fits = check_rope_extent(std::min(first.rows, most_rope_rows), first.dims); !fits) return fits.error();
  if (readings.size() == 1) return which_rope(readings.front());
  return which_rope(*std::ranges::min_element(readings, {}, [](const auto& each) { return share_left(each); }));
}

Result<WhichRope> which_rope(const RotationTables& tables) {
  if (auto fits = check_rope_extent(tables.turns.rows, tables.rotary_dim); !fits) return fits.error();
  auto answer = answered({tables.turns, tables.layout, tables.rotary_dim, {}});
  if (!answer) return answer.error();
  return answer->rope;
}

}  // namespace vqscope
