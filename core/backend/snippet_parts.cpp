// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/backend/snippet_parts.h"

#include "core/base/sentence.h"
#include "core/mask/layout_regions.h"

namespace vqscope {
namespace {

constexpr double dense_warning = 1 << 28;  // cells: 256 MiB of booleans

bool padded_left(const SequenceLayout& layout) { return !layout.kv_runs().front().valid; }

/// Lengths of the documents among the keys or the queries; 0 for a document without a query.
std::vector<Index> document_lengths(std::span<const TokenRun> runs, std::size_t count) {
  std::vector<Index> lengths(count, 0);
  for (const auto& run : runs)
    if (run.valid) lengths[static_cast<std::size_t>(run.document)] = run.tokens.size();
  return lengths;
}

std::string visible_of_body(const MaskStructure& structure, const SequenceLayout& layout, const ArrayNames& library) {
  const std::string& m = library.module;
  return fmt::format(
      "{}{}q_idx = {}.arange(q_length)[:, None]\n"
      "kv_idx = {}.arange(kv_length)[None, :]\n"
      "visible = {}.broadcast_to({}, (q_length, kv_length))\n",
      lengths_line(layout), arrays_of(structure, library), m, m, m, expression_of(structure, library));
}

}  // namespace

const ArrayNames& torch_names() {
  static const ArrayNames names{"torch", "torch.cat", "torch.bool", "torch.tensor", "torch.clamp", "torch.from_numpy("};
  return names;
}

const ArrayNames& jax_names() {
  static const ArrayNames names{"jnp", "jnp.concatenate", "bool", "jnp.array", "jnp.clip", "jnp.asarray("};
  return names;
}

const ArrayNames& numpy_names() {
  static const ArrayNames names{"numpy", "numpy.concatenate", "bool", "numpy.array", "numpy.clip", "("};
  return names;
}

std::string number_list(const std::vector<Index>& numbers) {
  std::string text = "[";
  for (const Index number : numbers) text += (text.size() > 1 ? ", " : "") + to_text(number);
  return text + "]";
}

std::string lengths_line(const SequenceLayout& layout) {
  return fmt::format("q_length, kv_length, past_len = {}, {}, {}\n", layout.q_length(), layout.kv_length(),
                     layout.past_len());
}

std::string tokens_of(const SequenceLayout& layout, const ArrayNames& library) {
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

std::vector<std::string> snippet_conditions(const MaskStructure& structure, const SequenceLayout& layout,
                                            const std::string& q, const std::string& k) {
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

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

std::string arrays_of(const MaskStructure& structure, const ArrayNames& library) {
  std::string text;
  for (const auto& array : structure.arrays)
    text += fmt::format("{} = {}({})\n", array.name, library.array, number_list(array.values));
  return text;
}

std::string expression_of(const MaskStructure& structure, const ArrayNames& library) {
  constexpr std::string_view keyword = "return ";
  return replaced(structure.body.substr(keyword.size()), "torch.clamp", library.clamp);
}

std::string dense_visible(const MaskStructure& structure, const SequenceLayout& layout, const ArrayNames& library) {
  std::string text;
  const double cells = static_cast<double>(layout.q_length()) * static_cast<double>(layout.kv_length());
  if (cells >= dense_warning) text += fmt::format("# visible alone takes {}\n", byte_count(cells));
  if (!structure.exact) {
    text += lengths_line(layout) + "# written by: vqscope export visibility --out visibility.npy\n";
    return fmt::format("{}visible = {}numpy.load(\"visibility.npy\"))\n", text, library.load);
  }
  if (!structure.body.empty()) return text + visible_of_body(structure, layout, library);
  text += tokens_of(layout, library);
  text += fmt::format("visible = {}.ones((q_length, kv_length), dtype={})\n", library.module, library.boolean);
  for (const auto& condition : snippet_conditions(structure, layout, "[:, None]", "[None, :]"))
    text += fmt::format("visible = visible & {}\n", condition);
  return text;
}

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

std::string snippet_imports(const MaskStructure& structure, const std::string& rest) {
  return (structure.exact ? "" : "import numpy\n") + rest + "\n";
}

}  // namespace vqscope
