// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/language/code/library.h"

#include <algorithm>
#include <array>
#include <set>

namespace vqscope::language {
namespace {

struct LibraryFunction {
  std::string_view name;
  std::string_view source;
  std::string_view needs = {};  ///< another one of them
};

constexpr std::string_view mask_makers_need =
    "prepare_padding_mask padding_mask_function causal_mask_function add_offsets_to_mask_function";

// As https://github.com/meta-pytorch/attention-gym (attn_gym/masks), transformers'
// masking_utils.py, and those named above them define them.
constexpr std::array functions{
    LibraryFunction{"causal_mask", R"(
def causal_mask(b, h, q_idx, kv_idx):
    causal = kv_idx <= q_idx
    return causal
)"},
    LibraryFunction{"generate_sliding_window", R"(
def generate_sliding_window(window_size):
    def sliding_window(b, h, q_idx, kv_idx):
        causal = kv_idx <= q_idx
        window = q_idx - kv_idx <= window_size
        return causal & window
    return sliding_window
)"},
    LibraryFunction{"generate_dilated_sliding_window", R"(
def generate_dilated_sliding_window(window_size, dilation):
    def dilated_sliding_window(b, h, q_idx, kv_idx):
        diff = torch.abs(q_idx - kv_idx)
        in_window = diff <= window_size
        is_dilated = diff % dilation == 0
        return in_window & is_dilated
    return dilated_sliding_window
)"},
    LibraryFunction{"generate_prefix_lm_mask", R"(
def generate_prefix_lm_mask(prefix_length):
    def prefix_lm(b, h, q_idx, kv_idx):
        prefix = kv_idx < prefix_length
        causal = kv_idx <= q_idx
        return prefix | causal
    return prefix_lm
)"},
    LibraryFunction{"_offsets_to_doc_ids_tensor", R"(
def _offsets_to_doc_ids_tensor(offsets):
    counts = offsets[1:] - offsets[:-1]
    return torch.repeat_interleave(torch.arange(len(counts)), counts)
)"},
    LibraryFunction{"length_to_offsets", R"(
def length_to_offsets(lengths, device=None):
    offsets = [0]
    offsets.extend(lengths)
    return torch.cumsum(torch.tensor(offsets), dim=-1)
)"},
    LibraryFunction{"round_up", R"(
def round_up(value, multiple):
    return (value + multiple - 1) // multiple * multiple
)"},
    LibraryFunction{"generate_doc_mask_mod", R"(
def generate_doc_mask_mod(mask_mod, offsets):
    def doc_mask(b, h, q_idx, kv_idx):
        q_document = torch.searchsorted(offsets, q_idx, right=True) - 1
        kv_document = torch.searchsorted(offsets, kv_idx, right=True) - 1
        same_document = q_document == kv_document
        inner_mask = mask_mod(b, h, q_idx - offsets[q_document], kv_idx - offsets[kv_document])
        return same_document & inner_mask
    return doc_mask
)"},
    LibraryFunction{"generate_natten", R"(
def generate_natten(canvas_w, canvas_h, kernel_w, kernel_h):
    def natten(b, h, q_idx, kv_idx):
        q_x, q_y = q_idx // canvas_w, q_idx % canvas_w
        kv_x, kv_y = kv_idx // canvas_w, kv_idx % canvas_w
        kernel_x = q_x.clamp(kernel_w // 2, (canvas_w - 1) - kernel_w // 2)
        kernel_y = q_y.clamp(kernel_h // 2, (canvas_h - 1) - kernel_h // 2)
        horizontal = (kernel_x - kv_x).abs() <= kernel_w // 2
        vertical = (kernel_y - kv_y).abs() <= kernel_h // 2
        return horizontal & vertical
    return natten
)"},
    LibraryFunction{"causal_mask_function", R"(
def causal_mask_function(batch_idx, head_idx, q_idx, kv_idx):
    causal = kv_idx <= q_idx
    return causal
)"},
    LibraryFunction{"bidirectional_mask_function", R"(
def bidirectional_mask_function(batch_idx, head_idx, q_idx, kv_idx):
    return q_idx >= 0
)"},
    LibraryFunction{"sliding_window_overlay", R"(
def sliding_window_overlay(sliding_window):
    def inner_mask(batch_idx, head_idx, q_idx, kv_idx):
        window = kv_idx > q_idx - sliding_window
        return window
    return inner_mask
)"},
    LibraryFunction{"sliding_window_bidirectional_overlay", R"(
def sliding_window_bidirectional_overlay(sliding_window):
    def inner_mask(batch_idx, head_idx, q_idx, kv_idx):
        window = abs(q_idx - kv_idx) <= sliding_window
        return window
    return inner_mask
)"},
    LibraryFunction{"chunked_overlay", R"(
def chunked_overlay(chunk_size, left_padding=0):
    def inner_mask(batch_idx, head_idx, q_idx, kv_idx):
        start = left_padding if isinstance(left_padding, int) else left_padding[batch_idx]
        same_chunk = (kv_idx - start) // chunk_size == (q_idx - start) // chunk_size
        return same_chunk
    return inner_mask
)"},
    LibraryFunction{"blockwise_overlay", R"(
def blockwise_overlay(block_sequence_ids):
    def inner_mask(batch_idx, head_idx, q_idx, kv_idx):
        q_block = block_sequence_ids[batch_idx, q_idx]
        same_block = (q_block == block_sequence_ids[batch_idx, kv_idx]) & (q_block >= 0)
        return same_block
    return inner_mask
)"},
    LibraryFunction{"token_type_ids_mask_function", R"(
def token_type_ids_mask_function(token_type_ids, image_group_ids=None):
    def inner_mask(batch_idx, head_idx, q_idx, kv_idx):
        image = (token_type_ids[batch_idx, q_idx] == 1) & (token_type_ids[batch_idx, kv_idx] == 1)
        if image_group_ids is not None:
            image = image & (image_group_ids[batch_idx, q_idx] == image_group_ids[batch_idx, kv_idx])
        return image
    return inner_mask
)"},
    LibraryFunction{"sliding_window_causal_mask_function", R"(
def sliding_window_causal_mask_function(sliding_window):
    return and_masks(sliding_window_overlay(sliding_window), causal_mask_function)
)",
                    "sliding_window_overlay causal_mask_function"},
    LibraryFunction{"chunked_causal_mask_function", R"(
def chunked_causal_mask_function(chunk_size, left_padding=0):
    return and_masks(chunked_overlay(chunk_size, left_padding), causal_mask_function)
)",
                    "chunked_overlay causal_mask_function"},
    LibraryFunction{"sliding_window_bidirectional_mask_function", R"(
def sliding_window_bidirectional_mask_function(sliding_window):
    return and_masks(sliding_window_bidirectional_overlay(sliding_window), bidirectional_mask_function)
)",
                    "sliding_window_bidirectional_overlay bidirectional_mask_function"},
    LibraryFunction{"add_offsets_to_mask_function", R"(
def add_offsets_to_mask_function(mask_function, q_offset, kv_offset):
    def inner_mask(batch_idx, head_idx, q_idx, kv_idx):
        return mask_function(batch_idx, head_idx, q_idx + q_offset, kv_idx + kv_offset)
    return inner_mask
)"},
    LibraryFunction{"prepare_padding_mask", R"(
def prepare_padding_mask(attention_mask, kv_length, kv_offset, _slice=False):
    if attention_mask is None:
        return None
    missing = kv_length + kv_offset - attention_mask.shape[-1]
    return F.pad(attention_mask, (0, missing)) if missing > 0 else attention_mask
)"},
    LibraryFunction{"maybe_pad_block_sequence_ids", R"(
def maybe_pad_block_sequence_ids(block_sequence_ids, attention_mask, kv_length, kv_offset):
    missing = kv_length + kv_offset - block_sequence_ids.shape[-1]
    return F.pad(block_sequence_ids, (0, missing), value=-1) if missing > 0 else block_sequence_ids
)"},
    LibraryFunction{"find_packed_sequence_indices", R"(
def find_packed_sequence_indices(position_ids):
    steps = torch.diff(position_ids, prepend=position_ids[:, :1] - 1, dim=-1)
    return (steps != 1).cumsum(-1)
)"},
    LibraryFunction{"sdpa_mask", R"(
def sdpa_mask(batch_size, q_length, kv_length, q_offset=0, kv_offset=0, mask_function=causal_mask_function,
              attention_mask=None, local_size=None, dtype=None, config=None, allow_is_causal_skip=True,
                    allow_is_bidirectional_skip=False, allow_torch_fix=True, use_vmap=False, device=None):
    padding = prepare_padding_mask(attention_mask, kv_length, kv_offset)
    if padding is not None:
        mask_function = and_masks(mask_function, padding_mask_function(padding))
    return add_offsets_to_mask_function(mask_function, q_offset, kv_offset)
)",
                    mask_makers_need},
    LibraryFunction{"eager_mask", R"(
def eager_mask(batch_size, q_length, kv_length, q_offset=0, kv_offset=0, mask_function=causal_mask_function,
               attention_mask=None, local_size=None, dtype=None, config=None, allow_is_causal_skip=True,
                    allow_is_bidirectional_skip=False, allow_torch_fix=True, use_vmap=False, device=None):
    return sdpa_mask(batch_size, q_length, kv_length, q_offset, kv_offset, mask_function, attention_mask)
)",
                    "sdpa_mask"},
    LibraryFunction{"flex_attention_mask", R"(
def flex_attention_mask(batch_size, q_length, kv_length, q_offset=0, kv_offset=0, mask_function=causal_mask_function,
                        attention_mask=None, local_size=None, dtype=None, config=None, allow_is_causal_skip=True,
                    allow_is_bidirectional_skip=False, allow_torch_fix=True, use_vmap=False, device=None):
    return sdpa_mask(batch_size, q_length, kv_length, q_offset, kv_offset, mask_function, attention_mask)
)",
                    "sdpa_mask"},
    LibraryFunction{"padding_mask_function", R"(
def padding_mask_function(padding_mask):
    def inner_mask(batch_idx, head_idx, q_idx, kv_idx):
        not_padding = padding_mask[batch_idx, kv_idx] != 0
        return not_padding
    return inner_mask
)"},
    LibraryFunction{"packed_sequence_mask_function", R"(
def packed_sequence_mask_function(packed_sequence_mask):
    def inner_mask(batch_idx, head_idx, q_idx, kv_idx):
        same_document = packed_sequence_mask[batch_idx, q_idx] == packed_sequence_mask[batch_idx, kv_idx]
        return same_document
    return inner_mask
)"},
    // flax.linen.attention and flax.nnx
    LibraryFunction{"make_attention_mask", R"(
def make_attention_mask(query_input, key_input, pairwise_fn=jnp.multiply, extra_batch_dims=0, dtype=None):
    mask = pairwise_fn(jnp.expand_dims(query_input, -1), jnp.expand_dims(key_input, -2))
    return jnp.expand_dims(mask, -3)
)"},
    LibraryFunction{"make_causal_mask", R"(
def make_causal_mask(x, extra_batch_dims=0, dtype=None):
    positions = jnp.arange(x.shape[-1])
    causal = positions[:, None] >= positions[None, :]
    return causal[None, None]
)"},
    LibraryFunction{"combine_masks", R"(
def combine_masks(*masks, dtype=None):
    visible = [mask != 0 for mask in masks if mask is not None]
    return reduce(jnp.logical_and, visible)
)"},
    // jax.experimental.pallas.ops.tpu.splash_attention.splash_attention_mask: both sides of
    // LocalMask are inclusive.
    LibraryFunction{"FullMask", R"(
def FullMask(_shape):
    return jnp.ones(_shape, dtype=jnp.bool)
)"},
    LibraryFunction{"CausalMask", R"(
def CausalMask(shape, offset=0, shard_count=1):
    q_ids, kv_ids = jnp.arange(shape[0])[:, None], jnp.arange(shape[1])[None, :]
    return kv_ids <= q_ids + offset
)"},
    LibraryFunction{"LocalMask", R"(
def LocalMask(shape, window_size, offset=0, shard_count=1):
    q_ids, kv_ids = jnp.arange(shape[0])[:, None] + offset, jnp.arange(shape[1])[None, :]
    left, right = window_size
    local = (q_ids == q_ids) & (kv_ids == kv_ids)
    if left is not None:
        local = local & (q_ids - kv_ids <= left)
    if right is not None:
        local = local & (kv_ids - q_ids <= right)
    return local
)"},
    LibraryFunction{"ChunkedCausalMask", R"(
def ChunkedCausalMask(shape, chunk_size, shard_count=1):
    q_ids, kv_ids = jnp.arange(shape[0])[:, None], jnp.arange(shape[1])[None, :]
    return (q_ids // chunk_size == kv_ids // chunk_size) & (kv_ids <= q_ids)
)"},
    LibraryFunction{"outer", R"(
def outer(a, b):
    return a[:, None] * b[None, :]
)"},
    LibraryFunction{"hstack", R"(
def hstack(tensors):
    return cat(tensors, 1)
)"},
    LibraryFunction{"vstack", R"(
def vstack(tensors):
    return cat(tensors, 0)
)"},
    LibraryFunction{"broadcasted_iota", R"(
def broadcasted_iota(dtype, shape, dimension):
    return jnp.ones(shape, dtype=jnp.int32).cumsum(dimension) - 1
)"},
};

const LibraryFunction* find_function(std::string_view name) {
  const auto found = std::ranges::find(functions, name, &LibraryFunction::name);
  return found == functions.end() ? nullptr : &*found;
}

void add_defined(const std::vector<Statement>& statements, const Syntax& syntax, std::set<std::string_view>& names) {
  for (const Statement& statement : statements) {
    names.insert(statement.targets.begin(), statement.targets.end());
    if (statement.function >= 0) names.insert(syntax.functions[static_cast<std::size_t>(statement.function)].name);
    add_defined(statement.body, syntax, names);
    add_defined(statement.otherwise, syntax, names);
  }
}

void append_function(const LibraryFunction& wanted, std::set<std::string_view>& defined, std::string& text) {
  if (!defined.insert(wanted.name).second) return;
  text += wanted.source;
  for (std::string_view rest = wanted.needs; !rest.empty();) {
    const auto end = std::min(rest.find(' '), rest.size());
    if (const auto* needed = find_function(rest.substr(0, end))) append_function(*needed, defined, text);
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
}

}  // namespace

std::string library_for(const Syntax& syntax) {
  std::set<std::string_view> defined;
  add_defined(syntax.statements, syntax, defined);
  for (const Function& function : syntax.functions)
    for (const Parameter& parameter : function.parameters) defined.insert(parameter.name);
  std::string text;
  for (const Expression& e : syntax.expressions) {
    const Expression* named = e.kind == ExpressionKind::call ? &syntax.at(e.operands[0]) : &e;
    if (named->kind == ExpressionKind::attribute && named != &e) {
      const Expression& root = syntax.owner_of(*named);
      if (!is_of_module(root) || defined.contains(root.name)) continue;
    } else if (named->kind != ExpressionKind::name) {
      continue;
    }
    if (const auto* wanted = find_function(named->name)) append_function(*wanted, defined, text);
  }
  return text;
}

bool is_library_function(std::string_view name) { return find_function(name) != nullptr; }

bool is_of_module(const Expression& root) {
  return root.kind == ExpressionKind::name && root.name != "self" && root.name != "cls";
}

}  // namespace vqscope::language
