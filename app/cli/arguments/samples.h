// SPDX-License-Identifier: GPL-3.0-or-later
// The samples and heads that a command looks at.
#pragma once

#include "app/cli/arguments/option_table.h"

#include <cstddef>
#include <string>
#include <vector>

namespace vqscope {

/// The arguments of a command, taken apart by the samples of its arrays and the samples and heads
/// of its mask.
struct Samples {
  /// Arguments for one sample and head, with its own row of each array.
  struct Case {
    MethodArguments arguments;
    bool isPadding = false;  ///< the attention mask has no real token here
  };

  Index samples = 1;                ///< B
  Index heads = 1;                  ///< H
  Index samplesChecked = 1;         ///< all, or the one of --batch
  Index headsChecked = 1;           ///< all, or the one of --head
  Index firstSample = 0;            ///< of those checked
  Index firstHead = 0;              ///< of those checked
  std::vector<Index> shape;         ///< of the mask's file; empty: none
  std::string broadcast;            ///< "one for all heads"; empty: the mask has no side of 1 for several
  std::vector<Case> cases;          ///< that differ, at least one
  std::vector<std::size_t> caseOf;  ///< [samplesChecked, headsChecked]: into cases

  std::vector<std::string> notes;     ///< how the mask was read
  std::vector<std::string> warnings;  ///< about the mask

  /// Prints the notes and warnings on stderr.
  void say() const;
  bool areSeveral() const { return caseOf.size() > 1; }
  /// "sample 2 of 3, head 0 of 4" of an index into caseOf; empty where there is one.
  std::string placeOf(std::size_t index) const;
  /// The same of several, sorted: "samples 0 to 2, 5", "heads 1, 3"; long lists are cut.
  std::string placesOf(const std::vector<std::size_t>& indices) const;
  /// Indices into caseOf that have one of these cases.
  std::vector<std::size_t> withCases(const std::vector<std::size_t>& which) const;
};

/// Reads the mask's file and the arrays that have a row for each sample: attention_mask [B, T] or
/// [T], position_ids, labels, input_ids, span_ids, document_ids, cu_seqlens and others of the
/// expected mask, prefix_length [B]. T is that of the arrays unless it is set. Errors name two inputs that contradict
/// each other.
Result<Samples> samplesOf(const MethodArguments& arguments);

/// The arguments of one sample and head: those of --batch and --head, else the first, and stderr
/// says so.
Result<MethodArguments> oneSampleOf(const MethodArguments& arguments);

}  // namespace vqscope
