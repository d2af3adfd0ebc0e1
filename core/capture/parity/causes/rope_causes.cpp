// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/capture/parity/cause_search.h"
#include "core/method/shared/number_type.h"

#include <algorithm>
#include <cmath>

namespace vqscope {
namespace {

/// Plain frequencies of so many columns.
std::vector<double> plain_frequencies(double theta, Index rotary_dim) {
  std::vector<double> frequencies;
  for (Index i = 0; i < rotary_dim / 2; ++i)
    frequencies.push_back(std::pow(theta, -2.0 * static_cast<double>(i) / static_cast<double>(rotary_dim)));
  return frequencies;
}

/// Whether A turns as it was told.
bool turns_as_told(const CauseSearch& search) {
  if (!search.told().rope) return false;
  const auto told = search.told().rope->law().inv_freq, &own = search.recipe().rope.inv_freq;
  return std::ranges::equal(told, own, [](double x, double y) { return std::abs(x - y) <= 1e-3 * std::abs(x); });
}

/// Frequencies of the told scaling with another base or number of columns; else plain ones.
RopeLaw with_base(const CauseSearch& search, double theta, Index rotary_dim) {
  RopeLaw law = search.recipe().rope;
  law.rotary_dim = rotary_dim;
  if (const auto& told = search.told().rope; turns_as_told(search)) {
    ToldRope changed = *told;
    changed.scaling.rope_theta = theta;
    changed.scaling.rotary_dim = rotary_dim;
    const RopeLaw made = changed.law();
    law.inv_freq = made.inv_freq;
  } else {
    law.inv_freq = plain_frequencies(theta, rotary_dim);
  }
  if (!law.axis.empty()) law.axis.resize(law.inv_freq.size(), 2);
  return law;
}

void try_layouts(CauseSearch& search) {
  const RopeLaw& own = search.recipe().rope;
  for (const PairLayout layout : {PairLayout::half_split, PairLayout::interleaved, PairLayout::head_split}) {
    const bool alike = layout == PairLayout::head_split && own.rotary_dim == search.sample().head_dim;
    if (layout == own.layout || alike) continue;
    Recipe changed = search.recipe();
    changed.rope.layout = layout;
    search.add("rope_layout", {{"a", name_of(own.layout)}, {"b", name_of(layout)}}, changed, 1);
  }
}

double theta_of(const CauseSearch& search) {
  if (turns_as_told(search)) return search.told().rope->scaling.rope_theta;
  const auto& f = search.recipe().rope.inv_freq;
  return f.size() > 1 ? std::pow(f.front() / f[1], static_cast<double>(f.size())) : 10000;
}

/// Frequencies of one theta, or of a told formula with it.
bool has_theta(const CauseSearch& search) {
  if (turns_as_told(search)) return true;
  const auto& own = search.recipe().rope.inv_freq;
  return std::ranges::equal(plain_frequencies(theta_of(search), 2 * std::ssize(own)), own,
                            [](double x, double y) { return std::abs(x - y) <= 1e-2 * std::abs(x); });
}

void try_thetas(CauseSearch& search) {
  if (!has_theta(search)) return;
  const double own = theta_of(search);
  const Index columns = search.recipe().rope.rotary_dim;
  const auto is_own = [own](double theta) { return std::abs(std::log(theta / own)) < 1e-3; };
  const auto recipe_of = [&](double log_theta) {
    Recipe changed = search.recipe();
    changed.rope = with_base(search, std::exp(log_theta), columns);
    return changed;
  };
  double best = 0, most = -1e300;
  for (double x = std::log(100.0); x < std::log(1e9); x += 0.35)
    if (const double explained = search.explained(recipe_of(x)); explained > most) most = explained, best = x;
  if (most < 0.3) return;
  const double fitted = least_at(best - 0.4, best + 0.4, 24, [&](double x) { return -search.explained(recipe_of(x)); });
  if (!is_own(std::exp(fitted))) search.add("rope_theta", {{"a", own}, {"b", std::exp(fitted)}}, recipe_of(fitted), 4);
  // Round thetas as people write them.
  for (const double theta : {1e3, 1e4, 2e4, 5e4, 1e5, 1.6e5, 2.5e5, 5e5, 1e6, 1.5e6, 5e6, 8e6, 1e7, 1e8}) {
    if (std::abs(std::log(theta) - fitted) > 0.05 || is_own(theta)) continue;
    search.add("rope_theta", {{"a", own}, {"b", theta}}, recipe_of(std::log(theta)), 3);
    if (search.explained(recipe_of(std::log(theta))) > search.explained(recipe_of(fitted)) - 1e-3)
      search.add_explained("rope_theta", {{"a", own}, {"b", theta}}, search.explained(recipe_of(fitted)) + 1e-12, 3);
  }
}

void try_rotary_dims(CauseSearch& search) {
  const RopeLaw& own = search.recipe().rope;
  for (Index columns = 2; columns <= search.sample().head_dim; columns += 2) {
    if (columns == own.rotary_dim) continue;
    const JsonObject parameters{{"a", own.rotary_dim}, {"b", columns}};
    Recipe changed = search.recipe();
    changed.rope = with_base(search, theta_of(search), columns);
    search.add("rotary_dim", parameters, changed, 2);
    // The same frequencies, fewer or more of them.
    changed.rope.inv_freq = own.inv_freq;
    if (columns / 2 > std::ssize(own.inv_freq)) continue;
    changed.rope.inv_freq.resize(static_cast<std::size_t>(columns / 2));
    search.add("rotary_dim", parameters, changed, 3);
  }
}

void try_casts_of_frequencies(CauseSearch& search) {
  for (const auto& [type, name] : {std::pair{"bfloat16", "bf16"}, std::pair{"float16", "f16"}}) {
    Recipe changed = search.recipe();
    for (double& frequency : changed.rope.inv_freq) frequency = number_type(type).rounded(frequency);
    search.add("inv_freq_cast", {{"dtype", name}}, changed, 1);
  }
}

/// A layer that A leaves as it is.
void try_rotated_nope(CauseSearch& search) {
  std::vector<ToldRope> ropes;
  if (search.told().rope) ropes.push_back(*search.told().rope);
  for (const double theta : {10000.0, 500000.0, 1000000.0})
    for (const PairLayout layout : {PairLayout::half_split, PairLayout::interleaved}) {
      ToldRope rope;
      rope.layout = layout;
      rope.scaling.head_dim = search.sample().head_dim;
      rope.scaling.rope_theta = theta;
      ropes.push_back(rope);
    }
  for (const ToldRope& rope : ropes) {
    Recipe changed = search.recipe();
    changed.rope = rope.law();
    search.add("nope_rotated", {{"layers", std::vector<Index>{search.sample().layer}}}, changed, 1);
  }
}

}  // namespace

void try_rope_causes(CauseSearch& search) {
  if (!search.inputs().has_vectors() || search.sample().head_dim % 2 != 0) return;
  if (!search.recipe().rope.rotates) return try_rotated_nope(search);
  Recipe still = search.recipe();
  still.rope.rotates = false;
  search.add("nope_rotated", {{"layers", std::vector<Index>{search.sample().layer}}}, still, 2);
  try_layouts(search);
  try_rotary_dims(search);
  try_casts_of_frequencies(search);
  try_thetas(search);
}

}  // namespace vqscope
