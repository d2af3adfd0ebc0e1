// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/capture/parity/cause_search.h"
#include "core/method/shared/number_type.h"

#include <algorithm>

namespace vqscope {
namespace {

using Positions = std::vector<std::vector<std::vector<double>>>;

/// Changes the positions of queries and of keys that are not in the cache.
template <class Change>
void change_new(Recipe& recipe, Index past, bool queries, bool keys, const Change& change) {
  const auto apply = [&](Positions& positions) {
    for (auto& axis : positions)
      for (std::size_t entry = 0; entry < axis.size(); ++entry)
        for (std::size_t i = static_cast<std::size_t>(past); i < axis[entry].size(); ++i)
          axis[entry][i] = change(axis[entry][i], entry, static_cast<Index>(i));
  };
  if (queries) apply(recipe.query_positions);
  if (keys) apply(recipe.key_positions);
}

/// Of the first new token.
Index first_position(const CauseSearch& search) {
  return static_cast<Index>(
      search.recipe().query_positions.front().front()[static_cast<std::size_t>(search.sample().past)]);
}

void try_offsets(CauseSearch& search) {
  const LayerSample& sample = search.sample();
  const auto first = first_position(search);
  const bool shown = sample.has(TensorRole::q_rot) || sample.has(TensorRole::k_rot);
  for (Index offset = -64; offset <= 64; ++offset) {
    if (offset == 0) continue;
    for (const auto& [queries, keys] : {std::pair{true, true}, std::pair{true, false}, std::pair{false, true}}) {
      // Where all turn by the same, scores do not hear of it.
      if (queries && keys && !shown && sample.past == 0) continue;
      Recipe changed = search.recipe();
      change_new(changed, sample.past, queries, keys,
                 [&](double position, std::size_t, Index) { return position + static_cast<double>(offset); });
      const bool restart = queries && keys && first + offset == 0 && first > 0;
      if (restart)
        search.add("positions_restart", {{"first_a", first}, {"first_b", Index{0}}}, changed, 2);
      else
        search.add("position_offset", {{"offset", offset}}, changed, queries && keys ? 2 : 3);
    }
  }
}

void try_restart(CauseSearch& search) {
  const LayerSample& sample = search.sample();
  const auto first = first_position(search);
  if (first == 0) return;
  for (const Index begin : {Index{0}, Index{1}, Index{2}}) {
    Recipe changed = search.recipe();
    change_new(changed, sample.past, true, true, [&](double position, std::size_t, Index) {
      return position - static_cast<double>(first) + static_cast<double>(begin);
    });
    search.add("positions_restart", {{"first_a", first}, {"first_b", begin}}, changed, 1);
  }
}

/// Added to positions: nothing where they are known, else what makes another pattern of rounding.
std::vector<double> bases_of(const LayerSample& sample) {
  std::vector<double> bases{0};
  const bool known = sample.positions_known || (sample.has(TensorRole::q) && sample.has(TensorRole::q_rot));
  if (known || sample.past > 0) return bases;
  for (double begin = 256, step = 2; begin < 16384; begin *= 2, step *= 2)
    for (double shift = 0; shift < step; ++shift) bases.push_back(begin + shift);
  for (const double begin : {1000.0, 2000.0, 3000.0, 4000.0, 5000.0, 8000.0, 10000.0}) bases.push_back(begin);
  return bases;
}

void try_casts_of_positions(CauseSearch& search) {
  for (const auto& [type, name] : {std::pair{"bfloat16", "bf16"}, std::pair{"float16", "f16"}})
    // Where nothing says how large positions are, the way they are rounded may.
    for (const double moved : bases_of(search.sample())) {
      Recipe changed = search.recipe();
      const NumberType& rounding = number_type(type);
      for (Positions* positions : {&changed.query_positions, &changed.key_positions})
        for (auto& axis : *positions)
          for (auto& entry : axis)
            for (double& position : entry) position = rounding.rounded(position + moved) - moved;
      search.add("positions_cast", {{"dtype", name}}, changed, moved == 0 ? 1 : 3);
    }
}

/// The axis of each pair that leaves least of B's rotated vectors.
void try_axes_of_pairs(CauseSearch& search) {
  const Recipe& own = search.recipe();
  const TensorRole role = search.sample().has(TensorRole::q_rot) ? TensorRole::q_rot : TensorRole::k_rot;
  if (!search.sample().has(role)) return;
  const TensorBlock& wanted = search.sample().b.at(role);
  const auto pairs = static_cast<Index>(own.rope.axis.size());
  std::vector<std::array<double, 3>> left(own.rope.axis.size());
  for (int axis = 0; axis < 3; ++axis) {
    Recipe changed = own;
    std::fill(changed.rope.axis.begin(), changed.rope.axis.end(), axis);
    const MadeTensors made = made_tensors(search.inputs(), changed);
    const TensorBlock& block = made.at(role);
    if (block.extent != wanted.extent) return;
    for (std::size_t at = 0; at < block.values.size(); at += static_cast<std::size_t>(block.extent[3]))
      for (Index pair = 0; pair < pairs; ++pair) {
        const auto [one, two] = dimensions_of(pair, pairs, own.rope.layout, block.extent[3]);
        for (const Index column : {one, two}) {
          const auto i = at + static_cast<std::size_t>(column);
          const double difference = static_cast<double>(block.values[i] - wanted.values[i]);
          left[static_cast<std::size_t>(pair)][static_cast<std::size_t>(axis)] += difference * difference;
        }
      }
  }
  Recipe changed = own;
  std::vector<Index> axes;
  for (std::size_t pair = 0; pair < left.size(); ++pair) {
    changed.rope.axis[pair] =
        static_cast<int>(std::min_element(left[pair].begin(), left[pair].end()) - left[pair].begin());
    axes.push_back(changed.rope.axis[pair]);
  }
  search.add("mrope_sections", {{"axes", axes}}, changed, 2);
}

void try_axes(CauseSearch& search) {
  const Recipe& own = search.recipe();
  if (own.rope.axis.empty() || own.key_positions.size() != 3) return;
  const auto pairs = own.rope.axis.size();
  const auto add = [&](std::vector<int> axis, const std::vector<Index>& told) {
    if (axis == own.rope.axis) return;
    Recipe changed = own;
    changed.rope.axis = std::move(axis);
    search.add("mrope_sections", {{"axes", told}}, changed, 1);
  };
  for (int x = 0; x < 3; ++x)
    for (int y = 0; y < 3; ++y)
      for (int z = 0; z < 3; ++z) {
        std::vector<int> axis = own.rope.axis;
        for (int& each : axis) each = each == 0 ? x : each == 1 ? y : z;
        add(axis, {x, y, z});
      }
  // Sections in another order, or interleaved instead of one after the other.
  std::array<std::size_t, 3> sizes{};
  for (const int axis : own.rope.axis) ++sizes[static_cast<std::size_t>(axis)];
  std::array order{0, 1, 2};
  do {
    std::vector<int> axis;
    for (const int each : order) axis.insert(axis.end(), sizes[static_cast<std::size_t>(each)], each);
    add(axis, {order[0], order[1], order[2]});
  } while (std::next_permutation(order.begin(), order.end()));
  std::vector<int> mixed(pairs);
  for (std::size_t i = 0; i < pairs; ++i) {
    const auto axis = static_cast<int>(i % 3);
    mixed[i] = axis > 0 && i < 3 * sizes[static_cast<std::size_t>(axis)] ? axis : 0;
  }
  add(mixed, {0, 1, 2});
  try_axes_of_pairs(search);
}

}  // namespace

void try_position_causes(CauseSearch& search) {
  const LayerSample& sample = search.sample();
  const Recipe& own = search.recipe();
  if (!own.rope.rotates || !search.inputs().has_vectors() || sample.positions.empty()) return;
  if (!sample.documents.empty()) {
    Recipe changed = own;
    const double first = own.key_positions.front().front().front();
    change_new(changed, 0, true, true,
               [&](double, std::size_t, Index key) { return first + static_cast<double>(key); });
    search.add("positions_not_reset", {}, changed, 1);
  }
  if (!sample.padded.empty()) {
    Recipe changed = own;
    change_new(changed, 0, true, true, [](double, std::size_t, Index key) { return static_cast<double>(key); });
    search.add("positions_count_padding", {{"padding", sample.padding}}, changed, 1);
  }
  try_axes(search);
  try_restart(search);
  try_casts_of_positions(search);
  try_offsets(search);
}

}  // namespace vqscope
