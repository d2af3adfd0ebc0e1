// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/curve/methods.h"
#include "core/curve/rope/curve_values.h"
#include "core/curve/rope/rope_series.h"
#include "core/method/curve_set.h"
#include "core/method/shared/common_parameters.h"
#include "core/method/shared/published.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace vqscope {
namespace {

constexpr Index bases_a_report = 64;
constexpr Index near_witness = 64;
constexpr std::size_t most_witnesses = 6;
constexpr Index usual_pairs = 64;
constexpr Index most_cosines = Index{1} << 23;  // of one base; T = 131,072 at 64 pairs
constexpr double most_cosines_in_all = 0x1p33;  // of all bases: some seconds
constexpr double surely_negative = -1e-9;       // far beyond what quick scores are wrong by

/// Distances at which bases failed: the next one most likely fails near one of them, and need not
/// be searched whole.
class Witnesses {
 public:
  /// Where B(r) is below 0 for some r near it, up to `length`.
  std::optional<Index> refuting(std::span<const Turns> rates, Index length) const {
    RopeWalk walk(rates);
    for (const Index at : m_at)
      for (Index r = std::max<Index>(0, at - near_witness); r <= std::min(length, at + near_witness); ++r)
        if (walk.at(r).cos.sum() < surely_negative) return at;
    return std::nullopt;
  }

  /// The next base is tried against this one first.
  void put_first(Index at) {
    const auto known = std::ranges::find(m_at, at);
    if (known != m_at.end())
      std::rotate(m_at.begin(), known, known + 1);
    else
      m_at.insert(m_at.begin(), at);
    if (m_at.size() > most_witnesses) m_at.pop_back();
  }

 private:
  std::vector<Index> m_at;
};

/// One grid of bases, one after the other: what is learnt from a base saves more than a second
/// thread.
class Scan {
 public:
  Scan(const BaseSearch& search, const Work& work, const std::function<void(const BaseBounds&)>& on_report)
      : m_search(search), m_work(work), m_on_report(on_report) {}

  BaseBounds run() {
    const double all = std::log(m_search.to / m_search.from) / std::log(m_search.step);
    for (Index i = 0; static_cast<double>(i) <= all && m_held < m_search.longest && m_cosines < most_cosines_in_all;
         ++i) {
      if (m_work.stop.stop_requested()) return std::move(m_found);
      take(m_search.from * std::pow(m_search.step, static_cast<double>(i)));
      if (i % bases_a_report != 0) continue;
      m_work.report(progress());
      if (m_on_report) m_on_report(m_found);
    }
    m_work.report(1);
    return std::move(m_found);
  }

 private:
  double progress() const {
    return std::log1p(static_cast<double>(m_held)) / std::log1p(static_cast<double>(m_search.longest));
  }

  void take(double base) {
    m_found.searched_up_to = base;
    const auto rates = turns_of(rope_frequencies({.head_dim = m_search.rotary_dim, .rope_theta = base}).inv_freq);
    const auto pairs = static_cast<double>(rates.size());
    m_cosines += pairs * (2 * near_witness + 1);
    if (const auto at = m_witnesses.refuting(rates, m_held)) return m_witnesses.put_first(*at);
    const Index length = first_negative(rates, m_search.longest, m_work.stop).value_or(m_search.longest);
    if (m_work.stop.stop_requested()) return;
    m_cosines += pairs * static_cast<double>(length);
    m_witnesses.put_first(length);
    if (length <= m_held) return;
    m_held = length;
    m_found.steps.push_back({base, length});
  }

  const BaseSearch& m_search;
  const Work& m_work;
  const std::function<void(const BaseBounds&)>& m_on_report;
  Index m_held = 0;      ///< the greatest length yet
  double m_cosines = 0;  ///< that were computed, about
  Witnesses m_witnesses;
  BaseBounds m_found;
};

std::vector<ParameterSpec> base_bound_parameters() {
  auto specs = unscaled_rope_parameters(16384);
  specs.front().help = "Longest length on the curve. The search may stop earlier; a remark then says where.";
  specs.push_back(x_unit_parameter());
  specs.push_back(points_parameter("Curve", 1024, 4096));
  return specs;
}

/// The work grows faster than the number of pairs, so large heads are searched less far.
Index longest_searched(Index pairs) { return most_cosines / pairs * usual_pairs / std::max(pairs, usual_pairs); }

CurveSet base_bound_described() {
  return {.x_name = "length",
          .x_title = "sequence length L (tokens)",
          .y_title = "smallest rope_theta (base)",
          .formula =
              "smallest b with B(r) = sum over pairs of cos(r · b^(−2i/d)) ≥ 0 for every r < L; bases from 1.01 "
              "on in steps of 0.1 %, all tried, for larger ones may fail again; a single base between two steps may "
              "hold further; " +
              rope_geometry,
          .log_x = true,
          .log_y = true};
}

std::vector<double> smallest_bases(const BaseBounds& bounds, const std::vector<double>& lengths) {
  std::vector<double> y;
  for (const double length : lengths) y.push_back(bounds.smallest(static_cast<Index>(length)));
  return y;
}

Result<CurveSet> make_base_bound(const ParameterValues& values, const Work& work) {
  const RopeScaling scaling = unscaled_rope_from(values);
  const Index q_length = values.integer("q_length");
  const Index trained = scaling.original_max_position_embeddings;
  const Index longest = std::min(std::max(q_length, trained), longest_searched(scaling.pairs()));
  const std::vector<double> lengths =
      integer_axis(std::min<Index>(8, q_length), q_length, values.integer("points"), true);
  CurveSet set = base_bound_described();
  set.x = lengths;
  set.exact = static_cast<double>(set.x.size()) == set.x.back() - set.x.front() + 1;
  set.levels = {{scaling.rope_theta, "rope_theta"}};
  if (trained <= q_length) set.marks = {trained_mark(trained)};
  apply_x_unit(values, trained, set);
  const auto report_partial = [&](const BaseBounds& found) {
    if (!work.partial) return;
    set.curves = {{"smallest_base", smallest_bases(found, lengths)}};
    work.partial(set);
  };
  const BaseBounds bounds = base_bounds({.rotary_dim = scaling.rotated(), .longest = longest}, work, report_partial);
  if (work.stop.stop_requested()) return cancelled();
  set.curves = {{"smallest_base", smallest_bases(bounds, lengths)}};
  set.facts.emplace_back("smallest_base", bounds.smallest(trained));
  const auto own = first_negative(turns_of(rope_frequencies(scaling).inv_freq), longest, work.stop);
  set.facts.emplace_back("first_negative", own ? static_cast<double>(*own) : no_value);
  if (longest < std::max(q_length, trained))
    set.facts.emplace_back("length_searched_up_to", static_cast<double>(longest));
  if (std::isnan(bounds.smallest(longest))) set.facts.emplace_back("base_searched_up_to", bounds.searched_up_to);
  return set;
}

}  // namespace

double BaseBounds::smallest(Index length) const {
  const auto it = std::ranges::lower_bound(steps, length, {}, &Step::length);
  return it == steps.end() ? no_value : it->base;
}

BaseBounds base_bounds(const BaseSearch& search, const Work& work,
                       const std::function<void(const BaseBounds&)>& on_report) {
  return Scan(search, work, on_report).run();
}

Method base_bound_method() {
  return {.id = "base_bound",
          .title = "Smallest base by length",
          .help = "Smallest rope_theta at which an identical token scores above a random token at every distance.",
          .citation = {"Men et al. 2024, Base of RoPE Bounds Context Length, section 4",
                       "none compared: the formula of the paper"},
          .parameters = base_bound_parameters(),
          .check = [](const ParameterValues& values) { return unscaled_rope_from(values).check(); },
          .recipe = CurveRecipe{.make = make_base_bound, .related = {"rope_score"}}};
}

}  // namespace vqscope
