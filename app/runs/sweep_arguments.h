// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/arguments/option_table.h"
#include "core/run/shard.h"
#include "core/run/sweep.h"

#include <vector>

#include <optional>
#include <string>

namespace vqscope {

/// The arguments of `sweep`, option by option.
struct SweepArguments : MethodArguments {
  std::vector<Setting> varied;  ///< as given: the name, and the text after the =
  std::optional<Index> seeds;
  std::optional<std::string> folder;
  std::optional<std::string> shard;
  std::optional<Spreader> spreader;
  Index jobs = 1;
  bool list = false;
};

OptionTable<SweepArguments> sweepOptions();

Result<SweepArguments> parseSweepArguments(const std::vector<std::string>& arguments);

/// The method, the fixed values and the varying parameters, all checked.
Result<Sweep> sweepOf(const SweepArguments& arguments);

/// The words of the same command without --emit and --shard, for a script.
std::vector<std::string> wordsToEmit(const std::vector<std::string>& arguments);

}  // namespace vqscope
