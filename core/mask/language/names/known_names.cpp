// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/language/names/known_names.h"

#include "core/base/text.h"
#include "core/mask/language/parse/operators.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

namespace vqscope::language {
namespace {

/// The words of a text, in its order.
std::vector<std::string> words(std::string_view text) {
  const auto parts = vqscope::split(text, ' ');
  return {parts.begin(), parts.end()};
}

}  // namespace

std::optional<std::string> near_variable(const std::string& name) {
  if (name.size() < 4) return std::nullopt;
  std::vector<std::string> known;
  for (const auto& variable : known_variables()) known.emplace_back(variable);
  return nearest_name(name, known);
}

const std::vector<std::string>& plain_functions() {
  static const auto names = words(
      "abs min max int bool len range all any sum enumerate zip reversed tuple list partial reduce float "
      "and_masks or_masks");
  return names;
}

const std::vector<std::string>& torch_functions() {
  static const auto names = [] {
    auto all = words(
        "abs minimum maximum clamp where logical_and logical_or logical_not logical_xor ge gt le lt eq ne add "
        "sub mul div floor_divide remainder floor ceil trunc bitwise_and bitwise_or bitwise_xor bitwise_not "
        "tensor ones zeros full cumsum bucketize searchsorted isin arange eye tril triu cat stack empty "
        "repeat_interleave flip roll pad diff nonzero unique sort argsort bincount gather meshgrid cumprod "
        "prod sum any all max min argmax argmin count_nonzero split chunk masked_fill scatter index_select "
        "masked_select reshape flatten unsqueeze squeeze transpose permute tile cummax cummin numel round");
    for (const Operator& row : operators())
      if (!row.function.empty() && std::ranges::find(all, row.function) == all.end()) all.emplace_back(row.function);
    return all;
  }();
  return names;
}

const std::vector<std::string>& methods() {
  static const auto names = words(
      "abs clamp minimum maximum logical_and logical_or logical_not logical_xor bool int long to ge gt le "
      "lt eq ne add sub mul div floor_divide remainder floor ceil trunc item size numel cumsum new_ones "
      "new_zeros new_full float view reshape unsqueeze squeeze expand contiguous clone detach cpu cuda half "
      "double type astype sum all any tolist flatten bitwise_and bitwise_or new_tensor max min amax amin "
      "argmax argmin prod cumprod diff roll flip nonzero unique sort argsort gather scatter repeat "
      "repeat_interleave expand_as view_as transpose permute t split chunk unbind masked_fill masked_select "
      "index_select dim ndimension nelement append extend insert fill_ zero_ copy_ masked_fill_ scatter_ "
      "fill_diagonal_ tril triu numpy count_nonzero bincount isin new_empty diagonal round copy cummax "
      "cummin swapaxes tile neg where index count");
  return names;
}

bool changes_object(std::string_view name) {
  static constexpr std::array<std::string_view, 13> names{
      "append", "extend", "insert", "update",       "setdefault", "add",           "pop",
      "fill_",  "zero_",  "copy_",  "masked_fill_", "scatter_",   "fill_diagonal_"};
  return std::ranges::find(names, name) != names.end();
}

bool is_module(std::string_view name) {
  static constexpr std::array<std::string_view, 14> names{"torch", "np", "numpy",     "jnp",      "jax",
                                                          "lax",   "mx", "functools", "operator", "math",
                                                          "F",     "nn", "paddle",    "einops"};
  return std::ranges::find(names, name) != names.end();
}

bool is_numpy_module(std::string_view name) {
  return name == "np" || name == "numpy" || name == "jnp" || name == "jax" || name == "lax" || name == "mx";
}

bool is_torch_module(std::string_view name) {
  return name == "torch" || name == "F" || name == "nn" || name == "paddle";
}

bool makes_block_mask(std::string_view name) {
  return name.find("create_block_mask") != std::string_view::npos || name == "create_mask" ||
         name == "create_flex_block_mask";
}

bool is_function(std::string_view name) {
  static const auto others = words(
      "divmod isinstance getattr hasattr sorted set frozenset dict str sqrt isqrt log2 log pow gcd "
      "block_diag kron OrderedDict SimpleNamespace callable compile multiply subtract divide greater_equal "
      "greater less_equal less equal not_equal negative neg fmod mod true_divide clip fix full_like "
      "ones_like zeros_like as_tensor asarray array arange and_ or_ xor invert long int64 int32 absolute "
      "new_ones broadcast_to concat concatenate amin amax empty_like expand_dims argwhere unbind swapaxes "
      "take_along_dim diag diagonal unique_consecutive repeat slice rearrange einsum");
  const auto has = [&](const std::vector<std::string>& names) { return std::ranges::find(names, name) != names.end(); };
  return has(plain_functions()) || has(torch_functions()) || has(others);
}

const std::vector<std::string_view>& known_variables() {
  static const std::vector<std::string_view> names{"b",        "h",      "q_idx",   "kv_idx",      "q_pos",
                                                   "kv_pos",   "q_doc",  "kv_doc",  "q_len",       "key_valid",
                                                   "past_len", "kv_len", "offsets", "document_id", "position_ids"};
  return names;
}

const std::vector<std::string_view>& known_functions() {
  static const auto names = [] {
    std::vector<std::string_view> all{"np", "torch"};
    for (const auto* some : {&plain_functions(), &torch_functions(), &methods()})
      all.insert(all.end(), some->begin(), some->end());
    std::ranges::sort(all);
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
  }();
  return names;
}

}  // namespace vqscope::language
