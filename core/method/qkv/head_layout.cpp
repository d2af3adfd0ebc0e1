// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/method/qkv/head_layout.h"

#include "core/base/sentence.h"

#include <algorithm>
#include <array>

namespace vqscope {
namespace {

constexpr std::array layouts{HeadLayout::heads_first, HeadLayout::tokens_first};
/// By HeadLayout: values of `tensor_layout`, and dimensions.
constexpr std::array<std::string_view, 2> layout_ids{"heads_first", "tokens_first"};
constexpr std::array<std::string_view, 2> layout_words{"[heads, T, d]", "[T, heads, d]"};

std::size_t place_of(HeadLayout layout) { return static_cast<std::size_t>(layout); }

HeadLayout other_than(HeadLayout layout) { return layouts[1 - place_of(layout)]; }

bool fits(std::span<const NamedShape> qkv, HeadLayout layout, bool fewer_queries) {
  const auto& q = qkv[0].shape;
  const auto& k = qkv[1].shape;
  const Index kv_heads = heads_of(k, layout), keys = tokens_of(k, layout);
  if (kv_heads < 1 || heads_of(q, layout) % kv_heads != 0) return false;
  const Index queries = tokens_of(q, layout);
  if (fewer_queries ? queries > keys : queries != keys) return false;
  return qkv.size() < 3 || (heads_of(qkv[2].shape, layout) == kv_heads && tokens_of(qkv[2].shape, layout) == keys);
}

std::string shapes_text(std::span<const NamedShape> qkv) {
  std::string text;
  for (const NamedShape& each : qkv)
    text += fmt::format("{}{} is {}", text.empty() ? "" : ", ", each.title, shape_words(each.shape));
  return text;
}

}  // namespace

Index heads_of(const std::vector<Index>& shape, HeadLayout layout) {
  if (shape.size() != 3) return 1;
  return layout == HeadLayout::heads_first ? shape[0] : shape[1];
}

Index tokens_of(const std::vector<Index>& shape, HeadLayout layout) {
  return shape.size() == 3 && layout == HeadLayout::heads_first ? shape[1] : shape[0];
}

std::string shape_words(std::span<const Index> shape) {
  std::string text;
  for (const Index size : shape) text += (text.empty() ? "" : ", ") + to_text(size);
  return fmt::format("[{}]", text);
}

Result<ChosenLayout> choose_layout(std::span<const NamedShape> qkv, std::string_view wanted, bool fewer_queries) {
  for (const HeadLayout layout : layouts)
    if (wanted == layout_ids[place_of(layout)]) return ChosenLayout{layout, false};
  if (std::ranges::all_of(qkv, [](const NamedShape& each) { return each.shape.size() < 3; })) return ChosenLayout{};
  if (qkv.size() < 2) {
    const auto& shape = qkv[0].shape;
    return ChosenLayout{shape[0] > shape[1] ? HeadLayout::tokens_first : HeadLayout::heads_first, true};
  }
  for (const bool fewer : {false, true}) {
    if (fewer && !fewer_queries) break;
    const bool heads = fits(qkv, HeadLayout::heads_first, fewer);
    const bool tokens = fits(qkv, HeadLayout::tokens_first, fewer);
    if (heads != tokens) return ChosenLayout{heads ? HeadLayout::heads_first : HeadLayout::tokens_first, false};
    if (!heads) continue;
    const auto& shape = qkv[qkv[0].shape.size() == 3 ? 0 : 1].shape;
    return ChosenLayout{shape[0] > shape[1] ? HeadLayout::tokens_first : HeadLayout::heads_first, true};
  }
  return invalid(
      "{}: neither [heads, T, d] nor [T, heads, d] fits; k and v must have one number of tokens and of heads, which "
      "divides the heads of q",
      shapes_text(qkv));
}

std::string layout_sentence(const NamedShape& tensor, const ChosenLayout& chosen) {
  const auto& shape = tensor.shape;
  if (shape.size() != 3 || (chosen.layout == HeadLayout::heads_first && !chosen.is_guess)) return {};
  std::string text = fmt::format("{} is {}, read as {}: {} tokens, {} heads", tensor.title, shape_words(shape),
                                 layout_words[place_of(chosen.layout)], tokens_of(shape, chosen.layout),
                                 heads_of(shape, chosen.layout));
  if (chosen.is_guess)
    text += fmt::format("; tensor_layout={} reads it as {}", layout_ids[place_of(other_than(chosen.layout))],
                        layout_words[place_of(other_than(chosen.layout))]);
  return text;
}

void put_heads_first(std::vector<Index>& shape, std::vector<float>& values) {
  if (shape.size() != 3) return;
  const Index tokens = shape[0], heads = shape[1], width = shape[2];
  std::vector<float> turned(values.size());
  for (Index head = 0; head < heads; ++head)
    for (Index token = 0; token < tokens; ++token)
      std::copy_n(values.begin() + (token * heads + head) * width, width,
                  turned.begin() + (head * tokens + token) * width);
  values = std::move(turned);
  std::swap(shape[0], shape[1]);
}

ParameterSpec tensor_layout_parameter(const std::string& group, std::vector<Relevance> relevant) {
  return make_parameter("tensor_layout", group, "Order of the dimensions of tensors with heads.",
                        {.label = "Layout",
                         .default_value = std::string("automatic"),
                         .choices = {{"automatic", "the order in which q, k and v fit together"},
                                     {"heads_first", "[heads, T, d], as torch's scaled_dot_product_attention"},
                                     {"tokens_first", "[T, heads, d], as FlashAttention"}},
                         .relevant = std::move(relevant)});
}

}  // namespace vqscope
