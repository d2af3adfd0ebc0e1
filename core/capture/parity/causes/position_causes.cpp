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

void try_offsets(CauseSearch& search) {
  const LayerSample& sample = search.sample();
  const auto first = static_cast<Index>(sample.positions.front().front()[static_cast<std::size_t>(sample.past)]);
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
  const auto first = static_cast<Index>(sample.positions.front().front()[static_cast<std::size_t>(sample.past)]);
  if (first == 0) return;
  for (const Index begin : {Index{0}, Index{1}, Index{2}}) {
    Recipe changed = search.recipe();
    change_new(changed, sample.past, true, true, [&](double position, std::size_t, Index) {
      return position - static_cast<double>(first) + static_cast<double>(begin);
    });
    search.add("positions_restart", {{"first_a", first}, {"first_b", begin}}, changed, 1);
  }
}

void try_casts_of_positions(CauseSearch& search) {
  for (const auto& [type, name] : {std::pair{"bfloat16", "bf16"}, std::pair{"float16", "f16"}})
    // Where nothing says how large positions are, the way they are rounded may.
    for (const double moved : {0.0, 256.0, 512.0, 1024.0, 2048.0, 4096.0, 8192.0}) {
      Recipe changed = search.recipe();
      const NumberType& rounding = number_type(type);
      for (Positions* positions : {&changed.query_positions, &changed.key_positions})
        for (auto& axis : *positions)
          for (auto& entry : axis)
            for (double& position : entry) position = rounding.rounded(position + moved) - moved;
      search.add("positions_cast", {{"dtype", name}}, changed, moved == 0 ? 1 : 3);
      if (search.sample().has(TensorRole::q_rot) || search.sample().has(TensorRole::position_ids)) break;
    }
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
}

}  // namespace

void try_position_causes(CauseSearch& search) {
  const LayerSample& sample = search.sample();
  const Recipe& own = search.recipe();
  if (!own.rope.rotates || !search.inputs().has_vectors() || sample.positions.empty()) return;
  if (!sample.documents.empty()) {
    Recipe changed = own;
    const double first = sample.positions.front().front().front();
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
