// SPDX-License-Identifier: GPL-3.0-or-later
// How several processes, on one machine or many, share the points of a sweep.
#pragma once

#include "core/base/index.h"
#include "core/base/result.h"

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace vqscope {

/// The points that one of several processes computes: every count-th.
struct Shard {
  Index number = 1;  ///< from 1 to count
  Index count = 1;

  bool has(Index point) const { return point % count == number - 1; }
  friend bool operator==(const Shard&, const Shard&) = default;
};

inline constexpr Index most_shards = 100'000;

/// The value of an environment variable, or nothing.
using Environment = std::function<std::optional<std::string>(const std::string& name)>;

/// "3/16", counted from 1. "auto" and "auto/16" take the number from SLURM's array
/// (SLURM_ARRAY_TASK_ID, _MIN, _STEP and, without /16, _COUNT) or from GNU parallel (PARALLEL_SEQ),
/// which does not tell how many jobs there are.
Result<Shard> parse_shard(std::string_view text, const Environment& environment);

/// The tools for which a script can spread a sweep over processes.
enum class Spreader { slurm, parallel, snakemake };
Result<Spreader> parse_spreader(std::string_view text);

/// A script that runs `command`, the words of a sweep without --shard and --emit, in `shards` parts
/// and merges them into `folder`/table.csv: an sbatch file, a shell script for GNU parallel, or a
/// Snakefile.
std::string spreading_script(Spreader spreader, std::span<const std::string> command, Index shards,
                             const std::string& folder);

/// A word as a POSIX shell takes it literally.
std::string shell_word(std::string_view word);

}  // namespace vqscope
