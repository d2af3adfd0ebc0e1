// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/curve/reach/reach_values.h"

#include "core/base/sentence.h"
#include "core/curve/methods.h"
#include "core/curve/rope/rope_series.h"
#include "core/encoding/methods.h"
#include "core/encoding/relative_method.h"
#include "core/method/curve_set.h"
#include "core/method/shared/borrowed.h"
#include "core/method/shared/common_parameters.h"
#include "core/method/shared/published.h"
#include "core/method/shown_part.h"
#include "core/relative/segment_sums.h"
#include "core/sequence/sequence_layout.h"

#include <algorithm>
#include <cmath>

namespace vqscope {
namespace {

constexpr Index longest_curve = Index{1} << 22;

using Change = double (*)(double bias);  // of b less its highest value

/// change(bias(-r) - highest) as a function of distance r.
RelativeFunction by_distance(const RelativeFunction& bias, double highest, Change change) {
  RelativeFunction result;
  const auto& pieces = bias.pieces;
  const auto add = [&](Index begin, const RelativePiece& piece, double side) {
    RelativePiece turned{.begin = begin, .kind = piece.kind, .bounds = {0, 0}, .cost = piece.cost};
    turned.at = [at = piece.at, highest, change, side](double r) { return change(at(side * r) - highest); };
    if (piece.fill)
      turned.fill = [fill = piece.fill, highest, change, side](Index first, std::span<double> out) {
        const auto count = static_cast<Index>(out.size());
        fill(side > 0 ? first : 1 - first - count, out);
        if (side < 0) std::ranges::reverse(out);
        for (double& value : out) value = change(value - highest);
      };
    result.pieces.push_back(std::move(turned));
  };
  if (bias.even) {
    for (const auto& piece : pieces) add(piece.begin, piece, 1);
    return result;
  }
  for (std::size_t i = pieces.size(); i-- > 0;) {
    if (i > 0 && pieces[i].begin > 0) continue;  // ahead of the query alone
    const bool nearest = i + 1 == pieces.size() || pieces[i + 1].begin > 0;
    add(nearest ? before_all : 1 - pieces[i + 1].begin, pieces[i], -1);
  }
  return result;
}

double weight(double b) { return std::exp(b); }
double weighted(double b) { return b * std::exp(b); }

std::shared_ptr<const DistanceTable> table_of(const RelativeFunction& f, Index longest, const std::stop_token& stop) {
  if (!f.has(PieceKind::rough)) return nullptr;
  auto table = std::make_shared<const DistanceTable>(f, Range{0, longest});
  table->compute(table->range(), 1, stop);
  return table;
}

std::vector<const Method*> chosen_biases(const ParameterValues& values) {
  std::vector<const Method*> some;
  for (const auto* method : bias_methods())
    if (is_chosen(values, "biases", method->id)) some.push_back(method);
  return some;
}

Result<void> check_bias_prior(const ParameterValues& values) {
  if (auto checked = check_chosen(values, "biases"); !checked) return checked;
  for (const auto* method : chosen_biases(values))
    if (auto checked = check_borrowed(*method, values); !checked) return checked;
  return {};
}

/// Title of the first chosen bias whose values stand for learned ones.
std::string untrained_biases(const ParameterValues& values) {
  for (const auto* method : chosen_biases(values))
    if (const auto text = untrained_text(*method, borrowed_values(*method, values)); !text.empty())
      return method->title + " " + text;
  return {};
}

ParameterSpec quantity_parameter() {
  return make_parameter("quantity", "Prior",
                        "Quantity to plot, of the attention weights p(r) that follow from the bias alone.",
                        {.default_value = std::string("tail"),
                         .choices = {{"tail", "total weight of keys at or beyond the training length"},
                                     {"window", "number of nearest keys that hold 99 % of the weight"},
                                     {"entropy", "entropy of the weights in nats; ln T without a bias"}}});
}

std::vector<ParameterSpec> bias_prior_parameters() {
  std::vector<ParameterSpec> specs;
  for (auto& spec : sequence_parameters(SequenceUse::lengths, 8192))
    if (spec.name == "q_length") specs.push_back(std::move(spec));
  specs[0].help = fmt::format("Longest length on the curve, at most {}.", longest_curve);
  add_parameter(specs, "original_max_position_embeddings", "Prior", "Sequence length a model was trained on.",
                {.label = "Training length",
                 .default_value = Index{64},
                 .minimum = 1,
                 .maximum = 2147483648.0,
                 .logarithmic = true,
                 .unit = "tokens"});
  specs.push_back(quantity_parameter());
  ParameterSpec which = make_parameter(
      "biases", "Prior", "Biases to plot.",
      {.default_value = std::vector<std::string>{"nope", "alibi", "kerple_log", "kerple_power", "sandwich"}});
  for (const auto* method : bias_methods()) which.choices.push_back({method->id, method->title});
  specs.push_back(std::move(which));
  specs.push_back(points_parameter("Prior", 1024, 4096));
  specs.push_back(x_unit_parameter());
  specs.push_back(overlay_parameter());
  for (const auto* method : bias_methods()) borrow_parameters(specs, method->parameters, "biases", method->id);
  return specs;
}

double value_of(const BiasPrior& prior, const std::string& quantity, Index trained, Index length) {
  if (quantity == "window") return static_cast<double>(prior.window(0.99, length));
  return quantity == "entropy" ? prior.entropy(length) : prior.tail(trained, length);
}

CurveSet bias_prior_described(const std::string& quantity) {
  CurveSet set{.x_name = "length", .x_title = "sequence length T (tokens)"};
  const std::string prior =
      "p(r) ∝ e^b(r) over the T keys at distance r behind the last query, content saying nothing; ";
  const std::string end = "geometry of the bias, not performance of a model";
  if (quantity == "tail") {
    set.y_title = "weight beyond training";
    set.formula = fmt::format("{}Σ p(r) for r ≥ L_train; {}", prior, end);
  } else if (quantity == "window") {
    set.y_title = "keys with 99 % of the weight";
    set.formula = fmt::format("{}smallest w with Σ p(r) ≥ 0.99 for r < w; {}", prior, end);
    set.integer = true;
  } else {
    set.y_title = "entropy (nats)";
    set.formula = fmt::format("{}−Σ p ln p; {}", prior, end);
  }
  return set;
}

Result<CurveSet> make_bias_prior(const ParameterValues& values, const Work& work) {
  const std::string& quantity = values.choice("quantity");
  const Index trained = values.integer("original_max_position_embeddings");
  const Index longest = std::min(values.integer("q_length"), longest_curve);
  CurveSet set = bias_prior_described(quantity);
  set.x = integer_axis(1, longest, values.integer("points"), true);
  set.exact = static_cast<Index>(set.x.size()) == longest;
  set.log_x = true;
  for (const auto* method : chosen_biases(values)) {
    const auto bias = borrowed_function(*method, values);
    if (!bias) return bias.error();
    const BiasPrior prior(*bias, longest, work.stop);
    set.curves.push_back({method->id, {}});
    for (const double length : set.x) {
      if (work.stop.stop_requested()) return cancelled();
      set.curves.back().y.push_back(value_of(prior, quantity, trained, static_cast<Index>(length)));
    }
    set.facts.emplace_back(fmt::format("{}_{}", quantity, method->id), set.curves.back().y.back());
  }
  if (trained <= longest) set.marks = {trained_mark(trained)};
  apply_overlay(values, set);
  apply_x_unit(values, trained, set);
  return set;
}

}  // namespace

BiasPrior::BiasPrior(const RelativeFunction& bias, Index longest, const std::stop_token& stop) {
  const double highest = bias.bounds(1 - longest, 0).second;
  m_weight = by_distance(bias, highest, weight);
  m_weighted = by_distance(bias, highest, weighted);
  m_weight_table = table_of(m_weight, longest, stop);
  m_weighted_table = table_of(m_weighted, longest, stop);
  m_begins = SegmentReader(m_weight, nullptr, 0).borders(0, longest);
  m_begins.insert(m_begins.begin(), 0);
  m_begins.push_back(longest);
  m_below.resize(m_begins.size());
  for (std::size_t s = 0; s + 1 < m_begins.size() && !stop.stop_requested(); ++s) {
    const Sums some = segment(m_begins[s], m_begins[s + 1]);
    m_below[s + 1] = {m_below[s].weight + some.weight, m_below[s].weighted + some.weighted};
  }
}

BiasPrior::Sums BiasPrior::segment(Index first, Index end) const {
  if (first == end) return {};
  return {SegmentReader(m_weight, m_weight_table.get(), 0).sums(first, end - first).sum,
          SegmentReader(m_weighted, m_weighted_table.get(), 0).sums(first, end - first).sum};
}

BiasPrior::Sums BiasPrior::below(Index length) const {
  const auto s = static_cast<std::size_t>(std::ranges::upper_bound(m_begins, length) - m_begins.begin()) - 1;
  const Sums some = segment(m_begins[s], length);
  return {m_below[s].weight + some.weight, m_below[s].weighted + some.weighted};
}

/// Relative to its own size, however small that is: quadrature cannot follow a weight that all but
/// vanishes within the segment, so its terms are added until they no longer count.
double BiasPrior::segment_weight(Index first, Index end) const {
  constexpr double steep = 1e-3;
  constexpr double negligible = 1e-18;
  const RelativePiece& piece = m_weight.piece_of(first);
  const auto at = [&](Index r) { return piece.at(static_cast<double>(r)); };
  if (piece.kind != PieceKind::smooth || at(end - 1) >= steep * at(first)) return segment(first, end).weight;
  double sum = 0;
  for (Index r = first; r < end; ++r) {
    const double term = at(r);
    sum += term;
    if (term < negligible * sum) break;
  }
  return sum;
}

/// Added up from `first` on: what is left of 1 after the keys before it would be rounding errors of
/// 1.
double BiasPrior::tail(Index first, Index length) const {
  if (first >= length) return 0;
  double sum = 0;
  auto next = std::ranges::upper_bound(m_begins, first);
  for (Index from = first; from < length; ++next) {
    const Index end = std::min(length, *next);
    sum += segment_weight(from, end);
    from = end;
  }
  return std::min(1.0, sum / below(length).weight);
}

Index BiasPrior::window(double fraction, Index length) const {
  const double wanted = fraction * below(length).weight;
  const auto after = std::ranges::lower_bound(m_below, wanted, {}, &Sums::weight);
  const auto s = static_cast<std::size_t>(after - m_below.begin());
  Index low = s == 0 ? 0 : m_begins[s - 1];
  Index high = s < m_begins.size() ? std::min(length, m_begins[s]) : length;
  while (low + 1 < high) {
    const Index middle = low + (high - low) / 2;
    (below(middle).weight >= wanted ? high : low) = middle;
  }
  return high;
}

double BiasPrior::entropy(Index length) const {
  const Sums all = below(length);
  return std::log(all.weight) - all.weighted / all.weight;
}

Method bias_prior_method() {
  return {.id = "bias_prior",
          .title = "Prior of a bias by length",
          .help = "How a bias alone distributes attention over past keys: tail weight, 99 % window or entropy.",
          .citation = {"Press et al. 2022, ALiBi, section 3; Chi et al. 2022, KERPLE, section 4; Chi et al. 2023, "
                       "Dissecting Transformer Length Extrapolation, section 4",
                       "the biases' own, as cited there"},
          .parameters = bias_prior_parameters(),
          .check = check_bias_prior,
          .recipe = CurveRecipe{.make = make_bias_prior, .untrained = untrained_biases}};
}

}  // namespace vqscope
