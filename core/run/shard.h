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
/// which does not give the number of jobs.
Result<Shard> parse_shard(std::string_view text, const Environment& environment);

/// The tools for which a script can spread a sweep over processes.
enum class Spreader { slurm, parallel, snakemake };
Result<Spreader> parse_spreader(std::string_view text);

/// A sweep that a script runs in parts.
struct SpreadSweep {
  std::string program;                 ///< path of vqscope
  std::span<const std::string> words;  ///< of the sweep, without --shard and --emit
  Index shards = 1;                    ///< number of parts
  Index jobs = 1;                      ///< points at a time in each part
  std::string folder;                  ///< of the sweep
};

/// A script that runs the sweep and merges its points into `folder`/table.csv: a shell script that
/// submits itself and the merge to SLURM, a shell script for GNU parallel, or a Snakefile.
std::string spreading_script(Spreader spreader, const SpreadSweep& sweep);

/// A word as a POSIX shell takes it literally.
std::string script_word(std::string_view word);

}  // namespace vqscope
