// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/capture/parity/cause_search.h"

#include <algorithm>

namespace vqscope {
namespace {

double head_distance(const TensorBlock& a, Index one, const TensorBlock& b, Index two) {
  double sum = 0;
  for (Index s = 0; s < a.extent[0]; ++s)
    for (Index t = 0; t < a.extent[2]; ++t) {
      const auto x = a.row(s, one, t), y = b.row(s, two, t);
      for (std::size_t i = 0; i < x.size(); ++i)
        if (x[i] != y[i]) {
          const double difference = static_cast<double>(x[i]) - static_cast<double>(y[i]);
          sum += difference * difference;
        }
    }
  return sum;
}

/// For each head of B the head of A that is most like it; empty where two would be the same, or all are their own.
std::vector<Index> matched_heads(const LayerSample& sample, TensorRole role) {
  const auto a = sample.a.find(role), b = sample.b.find(role);
  if (a == sample.a.end() || b == sample.b.end() || a->second.extent[1] < 2) return {};
  std::vector<Index> heads;
  bool moved = false;
  for (Index two = 0; two < b->second.extent[1]; ++two) {
    Index best = 0;
    double least = 1e300;
    for (Index one = 0; one < a->second.extent[1]; ++one)
      if (const double distance = head_distance(a->second, one, b->second, two); distance < least)
        least = distance, best = one;
    if (std::find(heads.begin(), heads.end(), best) != heads.end()) return {};
    heads.push_back(best);
    moved = moved || best != two;
  }
  return moved ? heads : std::vector<Index>{};
}

void move_heads(TensorBlock& x, const std::vector<Index>& heads) {
  if (heads.empty() || std::ssize(heads) != x.extent[1]) return;
  const TensorBlock own = x;
  for (Index b = 0; b < x.extent[0]; ++b)
    for (Index h = 0; h < x.extent[1]; ++h)
      for (Index t = 0; t < x.extent[2]; ++t) {
        const auto from = own.row(b, heads[static_cast<std::size_t>(h)], t);
        std::copy(from.begin(), from.end(), x.row(b, h, t).begin());
      }
}

/// Query heads in another order: in q, which weights and out follow, or behind the softmax alone.
void try_permutations(CauseSearch& search) {
  const LayerSample& sample = search.sample();
  for (const TensorRole role : {TensorRole::q, TensorRole::q_rot}) {
    const auto heads = matched_heads(sample, role);
    if (heads.empty()) continue;
    Recipe changed = search.recipe();
    changed.query_heads = heads;
    search.add("heads_permuted", {{"permutation", heads}}, changed, 1);
  }
  for (const TensorRole role : {TensorRole::scores, TensorRole::weights, TensorRole::out}) {
    const auto heads = matched_heads(sample, role);
    if (heads.empty()) continue;
    Recipe changed = search.recipe();
    changed.out_heads = heads;
    search.add("heads_permuted", {{"permutation", heads}}, changed, 1);
    // Tensors that nothing can be made of: the heads as they are.
    MadeTensors moved;
    for (const TensorRole each :
         {TensorRole::q, TensorRole::q_rot, TensorRole::scores, TensorRole::weights, TensorRole::out})
      if (sample.differs(each)) {
        moved[each] = sample.a.at(each);
        move_heads(moved[each], heads);
      }
    const LeftSquares squares = left_squares(sample, sample.b, moved, false);
    if (squares.before > 0)
      search.add_explained("heads_permuted", {{"permutation", heads}}, 1 - squares.left / squares.before, 2);
  }
  const auto key_heads = matched_heads(sample, TensorRole::k), value_heads = matched_heads(sample, TensorRole::v);
  if (key_heads.empty()) return;
  Recipe changed = search.recipe();
  const auto query_heads = matched_heads(sample, TensorRole::q);
  changed.edit = [=](TensorRole role, TensorBlock& block) {
    if (role == TensorRole::k) move_heads(block, key_heads);
    if (role == TensorRole::v) move_heads(block, value_heads);
    if (role == TensorRole::q) move_heads(block, query_heads);
  };
  search.add("heads_permuted", {{"permutation", key_heads}}, changed, 2);
}

/// Query heads that read other key heads than those of their group.
void try_groups(CauseSearch& search) {
  const Index heads = search.sample().heads, groups = search.sample().key_heads;
  if (groups < 2 || groups >= heads || heads % groups != 0) return;
  std::vector<Index> dealt;
  for (Index head = 0; head < heads; ++head) dealt.push_back(head % groups);
  for (const auto& [keys, values] : {std::pair{true, true}, std::pair{true, false}, std::pair{false, true}}) {
    Recipe changed = search.recipe();
    if (keys) changed.key_of_head = dealt;
    if (values) changed.value_of_head = dealt;
    search.add("gqa_mapping", {{"heads", heads}, {"groups", groups}}, changed, keys && values ? 1 : 2);
  }
}

void try_value_shifts(CauseSearch& search) {
  const LayerSample& sample = search.sample();
  if (!sample.has(TensorRole::v) || sample.key_heads < 2) return;
  const Index groups = sample.key_heads, group = std::max<Index>(1, sample.heads / groups);
  for (Index shift = 1; shift < groups; ++shift) {
    // Values of the next heads: told as the smaller step.
    const Index told = 2 * shift > groups ? shift - groups : shift;
    Recipe changed = search.recipe();
    for (Index head = 0; head < sample.heads; ++head) changed.value_of_head.push_back((head / group + shift) % groups);
    search.add("v_head", {{"shift", told}}, changed, 1);
    std::vector<Index> moved;
    for (Index g = 0; g < groups; ++g) moved.push_back((g + shift) % groups);
    changed = search.recipe();
    changed.edit = [moved](TensorRole role, TensorBlock& block) {
      if (role == TensorRole::v) move_heads(block, moved);
    };
    search.add("v_head", {{"shift", told}}, changed, 1);
  }
}

}  // namespace

void try_head_causes(CauseSearch& search) {
  try_permutations(search);
  if (search.inputs().has_vectors()) try_groups(search);
  try_value_shifts(search);
}

}  // namespace vqscope
