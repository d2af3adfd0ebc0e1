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

/// Meaning of a value in a backend's mask.
enum class MaskPolarity {
  true_attends,  ///< boolean: True is visible
  true_masked,   ///< boolean: True is masked
  added,         ///< a number added to the score: 0 is visible
  arguments,     ///< no tensor: numbers and flags
};

/// How a causal flag aligns queries with keys when their numbers differ.
enum class CausalAlignment {
  none,          ///< no causal flag
  top_left,      ///< kv_idx <= q_idx
  bottom_right,  ///< kv_idx <= q_idx + kv_length - q_length
};

/// A backend: how a library takes a mask.
struct Backend {
  std::string id;
  std::string title;
  std::string library;  ///< with the versions it is known for
  MaskPolarity polarity;
  CausalAlignment alignment;
  std::string window;   ///< id of the WindowMeaning of its window argument; empty: none
  std::string fill;     ///< of `added`: "torch.finfo(torch.float16).min", "-inf"
  std::string masked;   ///< of `added`: the same as a number
  bool dense = false;   ///< a tensor [q_length, kv_length]: can express any mask
  bool causal = false;  ///< without a tensor: what its arguments can express
  bool documents = false;
  bool padding = false;
  bool two_sided = false;     ///< its window has a side ahead, too
  bool query_blocks = false;  ///< blocks of queries with a range of keys each, wherever it begins
  std::string note;           ///< pitfalls; may be empty
};

/// One row per backend.
std::span<const Backend> backends();
const Backend* find_backend(std::string_view id);

/// "True attends", "0 attends, -65504 is masked".
std::string polarity_text(const Backend& backend);

/// "window 128 is (127, 0)": the value of the backend's window argument; empty if it has none.
std::string window_text(const Backend& backend, const MaskStructure& structure);

/// Parts of this mask that the backend can and cannot express, a phrase each: "window 128".
struct BackendCoverage {
  std::vector<std::string> can;
  std::vector<std::string> cannot;
  bool is_complete() const { return cannot.empty(); }
};
BackendCoverage backend_coverage(const Backend& backend, const MaskStructure& structure, const SequenceLayout& layout);

/// Where a causal flag masks other keys if aligned top-left than if aligned bottom-right.
struct AlignmentDifference {
  std::uint64_t cells = 0;
  Index row = 0;  ///< of the first cell; 0 when there is none
  Index key = 0;
  Index empty_rows = 0;  ///< rows of the bottom-right mask without a visible key
};
AlignmentDifference alignment_difference(Extent extent);
/// "top-left; no difference, 8 queries, 8 keys"; otherwise with the number of differing cells and
/// the first one.
std::string alignment_text(const Backend& backend, Extent extent);

/// Complete Python code, with the current numbers, that builds the mask and calls the library with
/// it. A comment in it names what the backend cannot express.
std::string backend_snippet(const Backend& backend, const MaskStructure& structure, const SequenceLayout& layout);

}  // namespace vqscope
