// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/backend/dialect.h"
#include "core/base/sentence.h"
#include "core/mask/layout_regions.h"

namespace vqscope {
namespace {

constexpr double dense_warning = 1 << 28;  // cells: 256 MiB of booleans

/// Names that differ between torch and jax.numpy.
struct Library {
  std::string module;
  std::string concatenate;
  std::string boolean;
};
const Library torch{"torch", "torch.cat", "torch.bool"};
const Library jax_numpy{"jnp", "jnp.concatenate", "bool"};

bool padded_left(const SequenceLayout& layout) { return !layout.kv_runs().front().valid; }

std::string number_list(const std::vector<Index>& numbers) {
  std::string text = "[";
  for (const Index number : numbers) text += (text.size() > 1 ? ", " : "") + to_text(number);
  return text + "]";
}

/// Lengths of the documents among the keys or the queries; 0 for a document without a query.
std::vector<Index> document_lengths(std::span<const TokenRun> runs, std::size_t count) {
  std::vector<Index> lengths(count, 0);
  for (const auto& run : runs)
    if (run.valid) lengths[static_cast<std::size_t>(run.document)] = run.tokens.size();
  return lengths;
}

std::string lengths_line(const SequenceLayout& layout) {
  return fmt::format("q_length, kv_length, past_len = {}, {}, {}\n", layout.q_length(), layout.kv_length(),
                     layout.past_len());
}

/// Code for kv_pos, kv_doc, q_pos and q_doc from the lengths.
std::string tokens_of(const SequenceLayout& layout, const Library& library) {
  const std::string& m = library.module;
  const Index padding = padding_count(layout);
  std::string text = lengths_line(layout);
  text +=
      fmt::format("document_lengths = {}\n", number_list(document_lengths(layout.kv_runs(), document_count(layout))));
  text += fmt::format("kv_pos = {}([{}.arange(n) for n in document_lengths])\n", library.concatenate, m);
  text +=
      fmt::format("kv_doc = {}([{}.full((n,), i) for i, n in enumerate(document_lengths)])\n", library.concatenate, m);
  if (padding > 0) {
    text += fmt::format("padding = {}  # {}\n", padding, padded_left(layout) ? "left" : "right");
    const auto padded = [&](const std::string& name, const std::string& value) {
      const std::string fill = fmt::format("{}.full((padding,), {})", m, value);
      return fmt::format("{} = {}([{}])\n", name, library.concatenate,
                         padded_left(layout) ? fill + ", " + name : name + ", " + fill);
    };
    text += padded("kv_pos", "0") + padded("kv_doc", "-1");
  }
  if (layout.query_source() == QuerySource::own)
    return fmt::format("{}q_pos = {}.arange(q_length) + past_len\nq_doc = {}.full((q_length,), 0)\n", text, m, m);
  return text + "q_pos = kv_pos[past_len:past_len + q_length]\nq_doc = kv_doc[past_len:past_len + q_length]\n";
}

/// Conditions over q_pos[q], kv_pos[k], with the given subscripts.
std::vector<std::string> conditions(const MaskStructure& structure, const SequenceLayout& layout, const std::string& q,
                                    const std::string& k) {
  std::vector<std::string> all;
  const bool positions = structure.causal || structure.prefix || structure.window;
  if (structure.padding) all.push_back(fmt::format("(kv_doc{} >= 0)", k));
  if (structure.documents) all.push_back(fmt::format("(q_doc{} == kv_doc{})", q, k));
  if (positions && padding_count(layout) > 0) all.push_back(fmt::format("(q_doc{} >= 0)", q));
  const std::string behind = fmt::format("(kv_pos{} <= q_pos{})", k, q);
  if (structure.causal) all.push_back(behind);
  if (structure.prefix) all.push_back(fmt::format("((kv_pos{} < {}) | {})", k, *structure.prefix, behind));
  if (structure.window) all.push_back(fmt::format("(q_pos{} - kv_pos{} < {})", q, k, *structure.window));
  return all;
}

std::string dense_visible(const MaskStructure& structure, const SequenceLayout& layout, const Library& library) {
  std::string text;
  const double cells = static_cast<double>(layout.q_length()) * static_cast<double>(layout.kv_length());
  if (cells >= dense_warning) text += fmt::format("# visible alone takes {}\n", byte_count(cells));
  if (!structure.exact) {
    text += lengths_line(layout) + "# written by: vqscope export visibility --out visibility.npy\n";
    const bool jax = &library == &jax_numpy;
    return fmt::format("{}visible = {}(numpy.load(\"visibility.npy\"))\n", text,
                       jax ? "jnp.asarray" : "torch.from_numpy");
  }
  text += tokens_of(layout, library);
  text += fmt::format("visible = {}.ones((q_length, kv_length), dtype={})\n", library.module, library.boolean);
  for (const auto& condition : conditions(structure, layout, "[:, None]", "[None, :]"))
    text += fmt::format("visible = visible & {}\n", condition);
  return text;
}

std::string imports(const MaskStructure& structure, const std::string& rest) {
  return (structure.exact ? "" : "import numpy\n") + rest + "\n";
}

/// q, k, v of shape [1, heads, length, 64].
std::string torch_inputs(const std::string& arguments = {}) {
  return fmt::format(
      "q = torch.randn(1, 8, q_length, 64{})\n"
      "k = torch.randn(1, 8, kv_length, 64{})\n"
      "v = torch.randn(1, 8, kv_length, 64{})\n",
      arguments, arguments, arguments);
}

std::string sdpa(const MaskStructure& structure, const SequenceLayout& layout) {
  return fmt::format("{}{}{}out = F.scaled_dot_product_attention(q, k, v, attn_mask=visible)  # True attends\n",
                     imports(structure, "import torch\nimport torch.nn.functional as F\n"),
                     dense_visible(structure, layout, torch), torch_inputs());
}

std::string mha(const MaskStructure& structure, const SequenceLayout& layout) {
  return fmt::format(
      "{}{}attention = torch.nn.MultiheadAttention(512, 8, batch_first=True)\n"
      "q = torch.randn(1, q_length, 512)\n"
      "k = torch.randn(1, kv_length, 512)\n"
      "out, _ = attention(q, k, k, attn_mask=~visible)  # True is masked\n",
      imports(structure, "import torch\n"), dense_visible(structure, layout, torch));
}

std::string added(const Dialect& dialect, const MaskStructure& structure, const SequenceLayout& layout) {
  const std::string dtype = dialect.id == "additive_f16"    ? "torch.float16"
                            : dialect.id == "additive_bf16" ? "torch.bfloat16"
                                                            : "torch.float32";
  return fmt::format(
      "{}{}bias = torch.zeros(visible.shape, dtype={}).masked_fill(~visible, {})\n"
      "{}out = F.scaled_dot_product_attention(q, k, v, attn_mask=bias)  # added\n",
      imports(structure, "import torch\nimport torch.nn.functional as F\n"), dense_visible(structure, layout, torch),
      dtype, dialect.fill, torch_inputs(", dtype=" + dtype));
}

std::string flex(const MaskStructure& structure, const SequenceLayout& layout) {
  std::string text = imports(structure,
                             "import torch\nfrom torch.nn.attention.flex_attention import create_block_mask, "
                             "flex_attention\n");
  std::vector<std::string> terms;
  if (structure.exact) {
    text += tokens_of(layout, torch);
    terms = conditions(structure, layout, "[q_idx]", "[kv_idx]");
  } else {
    text += dense_visible(structure, layout, torch);
    terms = {"visible[q_idx, kv_idx]"};
  }
  const std::string all = terms.empty() ? "q_idx >= 0" : join(terms, " & ");
  return fmt::format(
      "{}\n\n"
      "def mask_mod(b, h, q_idx, kv_idx):\n"
      "    return {}\n\n\n"
      "block_mask = create_block_mask(mask_mod, None, None, q_length, kv_length, device=\"cpu\")\n"
      "{}out = flex_attention(q, k, v, block_mask=block_mask)\n",
      text, all, torch_inputs());
}

std::string padding_2d(const SequenceLayout& layout) {
  return fmt::format(
      "import torch\n\n"
      "{}attention_mask = (kv_doc >= 0).long()[None, :]  # 1 attends\n"
      "position_ids = q_pos[None, :]\n"
      "# out = model(input_ids, attention_mask=attention_mask, position_ids=position_ids)\n",
      tokens_of(layout, torch));
}

/// Code for q_lengths and kv_lengths of the documents that have a query, for packed kernels.
std::string packed_lengths(const MaskStructure& structure, const SequenceLayout& layout) {
  std::vector<Index> q_lengths{0};
  std::vector<Index> kv_lengths{0};
  for (const auto& run : layout.q_runs())
    if (run.valid) q_lengths.front() += run.tokens.size();
  for (const auto& run : layout.kv_runs())
    if (run.valid) kv_lengths.front() += run.tokens.size();
  if (structure.documents) {
    q_lengths = document_lengths(layout.q_runs(), document_count(layout));
    kv_lengths = document_lengths(layout.kv_runs(), document_count(layout));
  }
  const std::string padding =
      padding_count(layout) > 0 ? fmt::format("# {} padding tokens are left out of q, k and v\n", padding_count(layout))
                                : "";
  return fmt::format("{}q_lengths = {}\nkv_lengths = {}\n", padding, number_list(q_lengths), number_list(kv_lengths));
}

std::string flash(const MaskStructure& structure, const SequenceLayout& layout) {
  const std::string causal = structure.causal ? "True" : "False";
  const std::string left = structure.window ? to_text(*structure.window - 1) : "-1";
  const std::string window = fmt::format("({}, {})", left, structure.causal && structure.window ? "0" : "-1");
  return fmt::format(
      "import torch\n"
      "from flash_attn import flash_attn_varlen_func\n\n"
      "{}\n\n"
      "def starts(lengths):\n"
      "    ends = torch.tensor(lengths, dtype=torch.int32, device=\"cuda\").cumsum(0, dtype=torch.int32)\n"
      "    return torch.nn.functional.pad(ends, (1, 0))\n\n\n"
      "q = torch.randn(sum(q_lengths), 8, 64, dtype=torch.float16, device=\"cuda\")\n"
      "k = torch.randn(sum(kv_lengths), 8, 64, dtype=torch.float16, device=\"cuda\")\n"
      "v = torch.randn_like(k)\n"
      "out = flash_attn_varlen_func(\n"
      "    q, k, v, starts(q_lengths), starts(kv_lengths), max(q_lengths), max(kv_lengths),\n"
      "    causal={}, window_size={})  # both ends inclusive, bottom-right\n",
      packed_lengths(structure, layout), causal, window);
}

/// The expression that makes the bias of xFormers.
std::string xformers_bias(const MaskStructure& structure, bool square) {
  const std::string window = structure.window ? to_text(*structure.window) : "";
  std::string made = "fmha.attn_bias.BlockDiagonalMask.from_seqlens(q_lengths, kv_lengths)";
  if (structure.window)
    made += square ? ".make_causal().make_local_attention(" + window + ")"
                   : ".make_causal().make_local_attention_from_bottomright(" + window + ")";
  else if (structure.causal)
    made += square ? ".make_causal()" : ".make_causal_from_bottomright()";
  return made;
}

std::string xformers(const MaskStructure& structure, const SequenceLayout& layout) {
  const bool square = layout.q_length() == layout.kv_length();
  const bool plain = !structure.documents && padding_count(layout) == 0 && structure.causal;
  std::string bias = xformers_bias(structure, square);
  if (plain && structure.window)
    bias = "fmha.attn_bias.LowerTriangularFromBottomRightLocalAttentionMask(" + to_text(*structure.window) + ")";
  if (plain && !structure.window)
    bias = square ? "fmha.attn_bias.LowerTriangularMask()" : "fmha.attn_bias.LowerTriangularFromBottomRightMask()";
  const bool nothing = !structure.causal && !structure.documents && padding_count(layout) == 0;
  return fmt::format(
      "import torch\n"
      "from xformers.ops import fmha\n\n"
      "{}attn_bias = {}\n"
      "q = torch.randn(1, sum(q_lengths), 8, 64, dtype=torch.float16, device=\"cuda\")\n"
      "k = torch.randn(1, sum(kv_lengths), 8, 64, dtype=torch.float16, device=\"cuda\")\n"
      "out = fmha.memory_efficient_attention(q, k, k, attn_bias=attn_bias)\n",
      packed_lengths(structure, layout), nothing ? "None" : bias);
}

std::string jax(const MaskStructure& structure, const SequenceLayout& layout) {
  const bool square = layout.q_length() == layout.kv_length();
  const bool flags = structure.exact && square && layout.query_source() == QuerySource::keys && !structure.prefix &&
                     !structure.documents && padding_count(layout) == 0 && (structure.causal || !structure.window);
  const std::string inputs =
      "keys = jax.random.split(jax.random.key(0), 3)\n"
      "q = jax.random.normal(keys[0], (1, q_length, 8, 64))\n"
      "k = jax.random.normal(keys[1], (1, kv_length, 8, 64))\n"
      "v = jax.random.normal(keys[2], (1, kv_length, 8, 64))\n";
  if (!flags)
    return fmt::format("{}{}{}out = jax.nn.dot_product_attention(q, k, v, mask=visible[None, None])  # True attends\n",
                       imports(structure, "import jax\nimport jax.numpy as jnp\n"),
                       dense_visible(structure, layout, jax_numpy), inputs);
  std::string arguments = structure.causal ? ", is_causal=True" : "";
  if (structure.window) arguments += fmt::format(", local_window_size=({}, 0)", *structure.window - 1);
  return fmt::format("import jax\n\n{}{}out = jax.nn.dot_product_attention(q, k, v{})\n", lengths_line(layout), inputs,
                     arguments);
}

}  // namespace

std::string dialect_snippet(const Dialect& dialect, const MaskStructure& structure, const SequenceLayout& layout) {
  const auto coverage = dialect_coverage(dialect, structure, layout);
  const std::string head =
      coverage.says_all() ? "" : fmt::format("# {} cannot express: {}\n", dialect.title, join(coverage.cannot, ", "));
  if (dialect.polarity == MaskPolarity::added) return added(dialect, structure, layout);
  if (dialect.id == "flex_attention") return flex(structure, layout);
  if (dialect.id == "mha") return mha(structure, layout);
  if (dialect.id == "padding_2d") return head + padding_2d(layout);
  if (dialect.id == "flash_attention") return head + flash(structure, layout);
  if (dialect.id == "xformers") return head + xformers(structure, layout);
  if (dialect.id == "jax") return jax(structure, layout);
  return sdpa(structure, layout);
}

}  // namespace vqscope
