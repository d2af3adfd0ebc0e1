// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/mask.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace vqscope {

/// An array that the text of a mask looks into.
struct NamedArray {
  std::string name;
  std::vector<Index> values;
  friend bool operator==(const NamedArray&, const NamedArray&) = default;
};

/// The conjunction of conditions that recognition looks for, over column indices alone. The query
/// of row q stands at key q + past_len. With `documents_widen`, a query sees its whole document
/// beside what the other conditions show, which then hold over all keys: causal ∨ same document.
struct MaskShape {
  Extent extent;
  Index past_len = 0;
  std::optional<Index> right;  ///< kv - (q + past_len) <= right: 0 causal, -1 strictly so, else a window's future side
  std::optional<Index> left;   ///< (q + past_len) - kv <= left: the window's past side
  Index prefix = 0;            ///< the first keys of each document, seen in spite of `right`
  Index sinks = 0;             ///< the first keys of each document, seen in spite of `left`
  Index dilation = 1;          ///< (q + past_len) - kv is a multiple of it
  Index pad_left = 0;          ///< keys at the front that no query sees
  Index pad_right = 0;         ///< keys at the end that no query sees
  Range hidden;                ///< keys in between that no query sees
  Index blind_first = 0;       ///< queries at the front that see nothing
  Index blind_last = 0;        ///< queries at the end that see nothing
  std::vector<Index> document_starts;  ///< of all documents but the first, ascending, in (0, kv_length)
  bool documents_widen = false;        ///< documents are joined by "or"; padding and blind queries still hide

  /// The definition.
  bool visible(Index q, Index kv) const;
  /// Sorted, disjoint, not touching.
  void row(Index q, std::vector<Range>& out) const;

  /// About two for each condition and one for each document: a shorter description has less.
  Index size() const;
  /// "causal", "documents [4, 2, 4]", "window 128", in their usual order.
  std::vector<std::string> terms() const;
  /// A FlexAttention body: return (kv_idx <= q_idx) & ...; with the arrays that it looks into.
  std::string text() const;
  std::vector<NamedArray> arrays() const;

  /// document_start of each token, for texts that count from there.
  NamedArray document_start_array() const;
  /// document_length of each token, padding left out.
  NamedArray document_length_array() const;
  /// position_id of each token, 0 in padding.
  NamedArray position_array() const;

  /// The real keys of the document in which key `token` stands.
  Range document(Index token) const;
  /// The keys over which `right` and `left` hold: those of the document, or all real ones.
  Range conditioned_keys(Index token) const { return documents_widen ? real_keys() : document(token); }

 private:
  bool counts_from_documents() const { return !document_starts.empty() && !documents_widen; }
  std::string documents_term() const;
  void append_conditioned(Index token, std::vector<Range>& out) const;
  void hide(std::vector<Range>& row) const;
  Range real_keys() const { return {pad_left, extent.cols - pad_right}; }
};

/// "x + 3", "x - 3", "x".
std::string plus(const std::string& name, Index offset);
/// Limit of items of a list in words; the others are counted.
inline constexpr std::size_t most_listed = 12;

/// The lengths between borders: "[4, 2, 4]".
std::string lengths_text(const std::vector<Index>& starts, Index end);
/// The same of lengths themselves.
std::string lengths_text(const std::vector<Index>& lengths);
/// The document or block of each token.
std::vector<Index> ids_of(const std::vector<Index>& starts, Index tokens);

/// Kind of a mask, apart from documents, padding and blind queries.
enum class MaskKind {
  conjunction,      ///< described by MaskShape
  blocks,           ///< queries see whole blocks of keys: block-causal, chunks with left and right context
  spans,            ///< causal, and the tokens of a span see each other
  groups,           ///< query and key are of one group, or the key is one that all share
  global_tokens,    ///< a window, and tokens that see all and that all see
  summaries,        ///< causal, the own block and some tokens of earlier blocks
  strides,          ///< causal, a window and every so many keys before it
  neighbourhood,    ///< a neighbourhood that is moved in at the borders
  axial,            ///< the row and the column of a token in a grid
  block_table,      ///< each block of queries sees whole blocks of keys, up to its query where it is causal
  block_diffusion,  ///< a noisy copy of the tokens beside a clean one
  draft_blocks,     ///< blocks of draft tokens, each behind its own context
  open_padding,     ///< causal behind padding whose own queries see every key
  draft_tree,       ///< draft tokens that see their ancestors, and the whole context before them
};

/// Blocks whose queries see their whole block.
struct MaskBlocks {
  std::vector<Index> starts;    ///< of all blocks but the first, ascending, in (0, kv_length)
  Index size = 0;               ///< of every block but the last of a document; 0: they differ
  std::optional<Index> left;    ///< tokens before the own block that are seen; nothing: all
  Index right = 0;              ///< tokens behind the own block that are seen
  bool left_is_window = false;  ///< `left` counts back from the query instead
  friend bool operator==(const MaskBlocks&, const MaskBlocks&) = default;
};

/// Spans whose tokens see each other beside what a causal mask shows.
struct MaskSpans {
  std::vector<Index> ids;         ///< of each token, -1 outside of spans
  std::optional<Index> window;    ///< keys that a query reaches back, itself counted
  bool window_cuts_spans = true;  ///< (causal ∨ span) ∧ window; false: (causal ∧ window) ∨ span
  friend bool operator==(const MaskSpans&, const MaskSpans&) = default;
};

/// A mask that is no conjunction, or is shorter otherwise.
struct MaskPattern {
  MaskKind kind = MaskKind::conjunction;
  std::vector<std::string> terms;  ///< in words
  std::string condition;           ///< in the mask language
  std::vector<NamedArray> arrays;  ///< that the condition looks into
  Index size = 0;                  ///< as MaskShape::size()
  std::optional<MaskBlocks> blocks;
  std::optional<MaskSpans> spans;
  /// The preset that it may be, with the integers of its text.
  std::string preset;
  std::vector<std::pair<std::string, Index>> parameters;
};

}  // namespace vqscope
