// SPDX-License-Identifier: GPL-3.0-or-later
// The arrays and the mask of a command whose samples differ.
#pragma once

#include "app/cli/arguments/option_table.h"
#include "core/mask/batch/mask_batch.h"
#include "core/mask/batch/sample_documents.h"

#include <optional>
#include <string>
#include <vector>

namespace vqscope {

/// An array with its own row for each sample.
struct NamedSampleArray {
  std::string name;
  SampleArray array;
  bool stated = false;  ///< of the expected mask alone: the mask's text takes the whole array
};

/// Inputs of a command before they are taken apart by samples.
struct SampleInputs {
  std::optional<std::string> path;         ///< of the mask
  std::optional<MaskBatch> mask;           ///< of --mask
  std::vector<SamplePadding> padding;      ///< [B] or one; empty: not given
  std::vector<SampleDocuments> documents;  ///< [B] or one; empty: not given
  std::vector<Index> prefixes;             ///< [B]; empty: not given by sample
  std::vector<NamedSampleArray> arrays;    ///< of the expected mask
  std::vector<Setting> settings;           ///< the others, with T if the arrays give it
  Index samples = 1;                       ///< B
  bool readsBatch = false;                 ///< the mask's text reads b
  std::optional<Index> givenBatch;         ///< b as it is set
  bool readsHead = false;                  ///< the mask's text reads h
  bool statesPrefixes = false;             ///< the mask's text takes the prefixes itself
  Index heads = 1;                         ///< H
  std::optional<Index> tokens;             ///< of a sequence; nothing: the arrays do not tell

  std::vector<std::string> notes;     ///< how the mask was read
  std::vector<std::string> warnings;  ///< about the mask

  bool hasCells() const { return mask && !mask->masks.empty() && !mask->masks.front()->is_text(); }
};

/// Reads them. Errors name two inputs that have different numbers of samples or tokens.
Result<SampleInputs> readSampleInputs(const MethodArguments& arguments);

}  // namespace vqscope
