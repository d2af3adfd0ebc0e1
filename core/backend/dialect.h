// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/backend/mask_structure.h"
#include "core/backend/window_meaning.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace vqscope {

/// What a value of a dialect's mask means.
enum class MaskPolarity {
  true_attends,  ///< boolean: True is visible
  true_masked,   ///< boolean: True is masked
  added,         ///< a number added to the score: 0 is visible
  arguments,     ///< no tensor: numbers and flags
};

/// Which query a causal flag lines up with which key when their numbers differ.
enum class CausalAlignment {
  none,          ///< no causal flag
  top_left,      ///< kv_idx <= q_idx
  bottom_right,  ///< kv_idx <= q_idx + kv_length - q_length
};

/// A way to say a mask to a library.
struct Dialect {
  std::string id;
  std::string title;
  std::string library;  ///< with the versions for which it is known
  MaskPolarity polarity;
  CausalAlignment alignment;
  std::string window;   ///< id of the WindowMeaning of its window argument; empty: it has none
  std::string fill;     ///< of `added`: "torch.finfo(torch.float16).min", "-inf"
  std::string masked;   ///< of `added`: that number
  bool dense = false;   ///< a tensor [q_length, kv_length]: it can say everything
  bool causal = false;  ///< without a tensor: what its arguments can say
  bool documents = false;
  bool padding = false;
  std::string note;  ///< what to mind; may be empty
};

/// One row a dialect.
std::span<const Dialect> dialects();
const Dialect* find_dialect(std::string_view id);

/// "True attends", "0 attends, -65504 is masked".
std::string polarity_text(const Dialect& dialect);

/// "window 128 is (127, 0)": what the dialect's window argument has to be, or nothing where it has none.
std::string window_text(const Dialect& dialect, const MaskStructure& structure);

/// What of this mask the dialect can and what it cannot say, one short phrase each: "window 128".
struct DialectCoverage {
  std::vector<std::string> can;
  std::vector<std::string> cannot;
  bool says_all() const { return cannot.empty(); }
};
DialectCoverage dialect_coverage(const Dialect& dialect, const MaskStructure& structure, const SequenceLayout& layout);

/// Where a causal flag would mask other keys aligned top-left than bottom-right.
struct AlignmentDifference {
  std::uint64_t cells = 0;
  Index row = 0;  ///< of the first cell; 0 when there is none
  Index key = 0;
  Index empty_rows = 0;  ///< rows of the bottom-right mask that see nothing
};
AlignmentDifference alignment_difference(Extent extent);
/// "the same: as many queries as keys"; else with the numbers in it.
std::string alignment_text(const Dialect& dialect, Extent extent);

/// Python that builds the mask and calls the library with it: complete, with the current numbers. Where the dialect
/// cannot say all of it, a comment in it says what is left out.
std::string dialect_snippet(const Dialect& dialect, const MaskStructure& structure, const SequenceLayout& layout);

}  // namespace vqscope
