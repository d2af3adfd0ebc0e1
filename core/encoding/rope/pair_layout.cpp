// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/encoding/rope/rope_fields.h"

namespace vqscope {

ParameterSpec pair_layout_parameter() {
  return make_parameter("pair_layout", "RoPE", "Which two dimensions of a head form a rotated pair.",
                        {.default_value = std::string("half_split"),
                         .choices = {{"half_split", "i and i + d/2: Hugging Face, GPT-NeoX"},
                                     {"interleaved", "2i and 2i + 1: Meta, GPT-J"},
                                     {"head_split", "i and i + head_dim/2, however few rotate: Gemma 4"}}});
}

std::string_view name_of(PairLayout layout) {
  switch (layout) {
    case PairLayout::half_split: break;
    case PairLayout::interleaved: return "interleaved";
    case PairLayout::head_split: return "head_split";
  }
  return "half_split";
}

PairLayout pair_layout_of(std::string_view id) {
  for (const PairLayout layout : {PairLayout::interleaved, PairLayout::head_split})
    if (id == name_of(layout)) return layout;
  return PairLayout::half_split;
}

std::string_view order_of(PairLayout layout) {
  return name_of(layout == PairLayout::interleaved ? layout : PairLayout::half_split);
}

Index pairs_apart(Index pairs, PairLayout layout, Index head_dim) {
  if (layout == PairLayout::interleaved) return 1;
  return layout == PairLayout::head_split && head_dim > 0 ? head_dim / 2 : pairs;
}

std::pair<Index, Index> dimensions_of(Index pair, Index pairs, PairLayout layout, Index head_dim) {
  if (layout == PairLayout::interleaved) return {2 * pair, 2 * pair + 1};
  return {pair, pair + pairs_apart(pairs, layout, head_dim)};
}

Index pair_of(Index dimension, Index pairs, PairLayout layout, Index head_dim) {
  if (layout == PairLayout::head_split && head_dim > 0) {
    const Index place = dimension % (head_dim / 2);
    return place < pairs ? place : -1;
  }
  if (dimension >= 2 * pairs) return -1;
  return layout == PairLayout::interleaved ? dimension / 2 : dimension % pairs;
}

}  // namespace vqscope
