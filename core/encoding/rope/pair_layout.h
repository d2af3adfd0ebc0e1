// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/parameter.h"

#include <string_view>
#include <utility>

namespace vqscope {

/// Which dimensions of a head a pair is: i and i + half of those that rotate (Hugging Face, GPT-NeoX), 2i and 2i + 1
/// (Meta, GPT-J), or i and i + half of the head, however few rotate (Gemma 4).
enum class PairLayout { half_split, interleaved, head_split };
ParameterSpec pair_layout_parameter();

/// The id in `pair_layout`; an unknown id is half_split.
std::string_view name_of(PairLayout layout);
PairLayout pair_layout_of(std::string_view id);
/// half_split or interleaved: head_split is the first of them, over the halves of the head.
std::string_view order_of(PairLayout layout);

/// The dimensions of pair `pair` among `pairs`, in a head of `head_dim`; 0: twice `pairs`.
std::pair<Index, Index> dimensions_of(Index pair, Index pairs, PairLayout layout, Index head_dim = 0);

/// How far apart the two dimensions of a pair are; 1 in interleaved pairs.
Index pairs_apart(Index pairs, PairLayout layout, Index head_dim = 0);

/// The pair of a dimension, -1 for one that does not rotate.
Index pair_of(Index dimension, Index pairs, PairLayout layout, Index head_dim = 0);

}  // namespace vqscope
