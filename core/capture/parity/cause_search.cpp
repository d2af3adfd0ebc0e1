// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/capture/parity/cause_search.h"

#include <algorithm>
#include <cmath>

namespace vqscope {
namespace {

constexpr std::array explained_roles{TensorRole::q,      TensorRole::k,       TensorRole::v,    TensorRole::q_rot,
                                     TensorRole::k_rot,  TensorRole::mask,    TensorRole::bias, TensorRole::raw,
                                     TensorRole::scores, TensorRole::weights, TensorRole::out};

/// Hidden scores that differ count as far apart as large scores do.
double square_between(float x, float y, double size) {
  if (x == y) return 0;
  const double difference = static_cast<double>(x) - static_cast<double>(y);
  return std::isfinite(difference) ? difference * difference : 16 * size;
}

double mean_square(const TensorBlock& block) {
  double sum = 0;
  Index count = 0;
  for (const float value : block.values)
    if (std::isfinite(value)) sum += static_cast<double>(value) * static_cast<double>(value), ++count;
  return count > 0 && sum > 0 ? sum / static_cast<double>(count) : 1;
}

void add_role(const LayerSample& sample, bool futures, const TensorBlock& a, const TensorBlock& target,
              const TensorBlock* made, LeftSquares& all) {
  const Index row_end = target.extent[3];
  const double size = mean_square(a);
  double left = 0, before = 0;
  const Index offset = made ? std::max<Index>(0, made->extent[2] - target.extent[2]) : 0;
  for (Index b = 0; b < target.extent[0]; ++b)
    for (Index h = 0; h < target.extent[1]; ++h)
      for (Index t = 0; t < target.extent[2]; ++t) {
        const auto own = a.row(b, h, t), wanted = target.row(b, h, t);
        std::span<const float> row = own;
        if (made && t + offset < made->extent[2])
          row = made->row(std::min(b, made->extent[0] - 1), std::min(h, made->extent[1] - 1), t + offset);
        // A bias of keys that nobody sees is what it happens to be.
        const Index last = futures ? sample.rows[static_cast<std::size_t>(t)] + sample.past : row_end;
        for (std::size_t i = 0; i < std::min(own.size(), row.size()); ++i) {
          if (static_cast<Index>(i) > last) break;
          left += square_between(row[i], wanted[i], size);
          before += square_between(own[i], wanted[i], size);
        }
      }
  const double scale = size * static_cast<double>(std::max<std::size_t>(1, a.values.size()));
  all.left += left / scale;
  all.before += before / scale;
}

}  // namespace

LeftSquares left_squares(const LayerSample& sample, const std::map<TensorRole, TensorBlock>& target,
                         const MadeTensors& made, bool edits) {
  LeftSquares all;
  // Without the keys of the cache nothing behind the vectors is made of them: they are told apart from it.
  const TensorRole first = sample.first_differing();
  const bool vectors_only = !made.empty() && first <= TensorRole::bias &&
                            !made.contains(first <= TensorRole::k_rot ? TensorRole::raw : TensorRole::weights);
  for (const TensorRole role : explained_roles) {
    if (vectors_only && role > TensorRole::bias) break;
    const auto a = sample.a.find(role), wanted = target.find(role);
    if (a == sample.a.end() || wanted == target.end() || a->second.extent != wanted->second.extent) continue;
    const auto found = made.find(role);
    const TensorBlock* block = found == made.end() ? nullptr : &found->second;
    // A mask or bias that both were handed, and vectors that a kernel changed for itself, are not shown.
    const bool handed = role == TensorRole::mask || role == TensorRole::bias;
    if (sample.same(role) && handed) block = nullptr;
    LeftSquares shown;
    add_role(sample, role == TensorRole::bias && sample.causal, a->second, wanted->second, block, shown);
    if (edits && role <= TensorRole::k_rot) shown.left = std::min(shown.left, shown.before);
    all.left += shown.left;
    all.before += shown.before;
  }
  return all;
}

CauseSearch::CauseSearch(const LayerSample& sample, const ToldModel& told, Recipe recipe)
    : m_sample(sample),
      m_told(told),
      m_recipe(std::move(recipe)),
      m_inputs(recipe_inputs(sample, m_recipe)),
      m_swapped(sample) {
  m_swapped.a = sample.b;
  m_inputs_of_b = recipe_inputs(m_swapped, m_recipe);
  m_inputs_of_b.sample = &m_swapped;
}

double CauseSearch::explained_of_b(const Recipe& recipe) const {
  // Without vectors B's own scores would explain B.
  if (m_sample.is_over(8) || !m_inputs_of_b.has_vectors()) return -1;
  // So would its own mask, in the place of A's.
  if (recipe.stored_mask && m_sample.differs(TensorRole::mask)) return -1;
  const LeftSquares squares =
      left_squares(m_sample, m_sample.b, made_tensors(m_inputs_of_b, recipe), static_cast<bool>(recipe.edit));
  return squares.before > 0 && std::isfinite(squares.left) ? 1 - squares.left / squares.before : -1;
}

double CauseSearch::explained(const Recipe& recipe) const {
  if (m_sample.is_over(8)) return -1;
  const LeftSquares squares =
      left_squares(m_sample, m_sample.b, made_tensors(m_inputs, recipe), static_cast<bool>(recipe.edit));
  return squares.before > 0 && std::isfinite(squares.left) ? 1 - squares.left / squares.before : -1;
}

double CauseSearch::unknown_share() const {
  const MadeTensors made = made_tensors(m_inputs, m_recipe);
  const double own = left_squares(m_sample, m_sample.a, made, false).left;
  const double difference = left_squares(m_sample, m_sample.b, {}, false).before;
  return difference > 0 && std::isfinite(own) ? own / difference : 0;
}

void CauseSearch::add(std::string id, JsonObject parameters, const Recipe& changed, int rank) {
  add_explained(std::move(id), std::move(parameters), explained(changed), rank);
}

void CauseSearch::add_explained(std::string id, JsonObject parameters, double explained, int rank) {
  for (TriedCause& each : m_tried)
    if (each.id == id) {
      if (explained > each.explained) each = {id, std::move(parameters), explained, rank};
      return;
    }
  m_tried.push_back({std::move(id), std::move(parameters), explained, rank});
}

std::vector<TriedCause> CauseSearch::tried() const {
  std::vector<TriedCause> all = m_tried;
  std::stable_sort(all.begin(), all.end(),
                   [](const TriedCause& a, const TriedCause& b) { return a.explained > b.explained; });
  return all;
}

double least_at(double low, double high, int steps, const std::function<double(double)>& left) {
  constexpr double golden = 0.6180339887498949;
  double x = high - golden * (high - low), y = low + golden * (high - low);
  double at_x = left(x), at_y = left(y);
  for (int i = 0; i < steps; ++i) {
    if (at_x < at_y) {
      high = y, y = x, at_y = at_x;
      x = high - golden * (high - low), at_x = left(x);
    } else {
      low = x, x = y, at_x = at_y;
      y = low + golden * (high - low), at_y = left(y);
    }
  }
  return at_x < at_y ? x : y;
}

}  // namespace vqscope
