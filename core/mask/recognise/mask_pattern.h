// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/recognise/mask_shape.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace vqscope {

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
