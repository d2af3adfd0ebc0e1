// SPDX-License-Identifier: GPL-3.0-or-later
// The arrays and the mask of a command whose samples differ.
#pragma once

#include "app/cli/arguments/option_table.h"
#include "core/lint/batch/sample_batch.h"

#include <optional>
#include <string>
#include <vector>

namespace vqscope {

/// Inputs of a command before they are taken apart by samples.
struct SampleInputs : SampleBatch {
  std::optional<std::string> path = {};    ///< of the mask
  std::vector<Setting> settings = {};      ///< the others, with T if the arrays give it
  bool readsBatch = false;                 ///< the mask's text reads b
  std::optional<Index> givenBatch = {};    ///< b as it is set
  bool readsHead = false;                  ///< the mask's text reads h
  bool statesPrefixes = false;             ///< the mask's text takes the prefixes itself
  std::vector<std::string> notes = {};     ///< how the mask was read
  std::vector<std::string> warnings = {};  ///< about the mask
};

/// Reads them. Errors name two inputs that have different numbers of samples or tokens.
Result<SampleInputs> readSampleInputs(const MethodArguments& arguments);

}  // namespace vqscope
