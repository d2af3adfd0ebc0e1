// SPDX-License-Identifier: GPL-3.0-or-later
// Which dimension of the tensors q, k and v counts heads.
#pragma once

#include "core/base/index.h"
#include "core/base/result.h"
#include "core/method/parameter.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace vqscope {

/// [heads, T, d], as torch's scaled_dot_product_attention takes it, or [T, heads, d], as
/// FlashAttention does.
enum class HeadLayout { heads_first, tokens_first };

/// A tensor [T, d] of one head, [heads, T, d] or [T, heads, d].
struct NamedShape {
  std::string title;  ///< how errors call it: "q", "k_tensor = k.npy"
  std::vector<Index> shape;
};

struct ChosenLayout {
  HeadLayout layout = HeadLayout::heads_first;
  bool is_guess = false;  ///< the shapes fit the other layout too
};

/// The layout of q, k and, if given, v, which have at most three dimensions. `wanted` is a value of
/// `tensor_layout`. Automatic: the one in which q, k and v have as many tokens and the heads of k
/// and v divide those of q; if both fit, a tensor has more tokens than heads. `fewer_queries`: q
/// may have fewer tokens than k. Refuses shapes that fit neither.
Result<ChosenLayout> choose_layout(std::span<const NamedShape> qkv, std::string_view wanted,
                                   bool fewer_queries = false);

Index heads_of(const std::vector<Index>& shape, HeadLayout layout);
Index tokens_of(const std::vector<Index>& shape, HeadLayout layout);

/// "q is [512, 4, 64], read as [T, heads, d]: 512 tokens, 4 heads", and how to read a guess
/// otherwise. Empty where nothing needs to be said.
std::string layout_sentence(const NamedShape& tensor, const ChosenLayout& chosen);

/// "[4, 512, 64]".
std::string shape_words(std::span<const Index> shape);

/// [heads, T, d] in place of [T, heads, d]; a matrix stays.
void put_heads_first(std::vector<Index>& shape, std::vector<float>& values);

/// `tensor_layout`: automatic, heads_first or tokens_first.
ParameterSpec tensor_layout_parameter(const std::string& group, std::vector<Relevance> relevant = {});

}  // namespace vqscope
