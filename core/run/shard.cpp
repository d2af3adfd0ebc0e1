// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/shard.h"

#include "core/base/sentence.h"

#include <algorithm>
#include <array>

namespace vqscope {
namespace {

constexpr std::string_view allowed_shard = "i/n with 1 <= i <= n, auto, or auto/n";

Error refused(std::string_view text) { return invalid("--shard is {} but must be {}", shortened(text), allowed_shard); }

/// An integer of [least, most_shards], or nothing if the variable is missing or has another value.
std::optional<Index> variable(const Environment& environment, const std::string& name, Index least) {
  const auto text = environment(name);
  const auto value = text ? parse_index(*text) : std::nullopt;
  return value && *value >= least && *value <= Index{1} << 40 ? value : std::nullopt;
}

/// Arrays may start at any number and skip numbers: --array=0-30:2.
std::optional<Index> number_in_array(const Environment& environment) {
  if (const auto id = variable(environment, "SLURM_ARRAY_TASK_ID", 0)) {
    const Index first = variable(environment, "SLURM_ARRAY_TASK_MIN", 0).value_or(1);
    const Index step = variable(environment, "SLURM_ARRAY_TASK_STEP", 1).value_or(1);
    return (*id - first) / step + 1;
  }
  return variable(environment, "PARALLEL_SEQ", 1);
}

Result<Shard> automatic(std::optional<Index> count, const Environment& environment) {
  const auto number = number_in_array(environment);
  if (!count) count = variable(environment, "SLURM_ARRAY_TASK_COUNT", 1);
  if (!number || !count)
    return invalid(
        "--shard auto needs SLURM_ARRAY_TASK_ID and SLURM_ARRAY_TASK_COUNT, --shard auto/n SLURM_ARRAY_TASK_ID or "
        "PARALLEL_SEQ; they are not set");
  if (*number < 1 || *number > *count)
    return invalid("--shard auto is number {} of {}, which does not exist", *number, *count);
  return Shard{*number, *count};
}

std::string sweep_line(const SpreadSweep& sweep) {
  std::string line = script_word(sweep.program);
  for (const auto& word : sweep.words) line += " " + script_word(word);
  return line;
}

std::string merge_line(const SpreadSweep& sweep) {
  return fmt::format("{} merge {} --out {}", script_word(sweep.program), script_word(sweep.folder),
                     script_word(sweep.folder + "/table.csv"));
}

/// A Python string for a Snakefile, where braces stand for wildcards.
std::string snake_text(const std::string& line) {
  std::string text;
  for (const char c : line) {
    if (c == '{' || c == '}') text += c;
    if (c == '"' || c == '\\') text += '\\';
    text += c == '\n' ? std::string("\\n") : std::string(1, c);
  }
  return "\"" + text + "\"";
}

/// The only lines that are no commands hold nothing but numbers: a name may have a line end in it.
/// In the name of a log, SLURM replaces what follows a percent sign.
std::string slurm_script(const SpreadSweep& sweep) {
  constexpr Index usual_cpus = 4;
  return fmt::format(
      "#!/bin/bash\n"
      "#SBATCH --job-name=vqscope-sweep\n"
      "#SBATCH --array=1-{}\n"
      "#SBATCH --time=04:00:00\n"
      "#SBATCH --mem=4G\n"
      "#SBATCH --cpus-per-task={}\n"
      "# Run this file with bash. It submits itself as an array of {} parts, and the merge as a job that\n"
      "# starts once every part has succeeded. Set time, memory and CPUs above to what a part needs.\n"
      "set -eu\n"
      "if [ -z \"${{SLURM_ARRAY_TASK_ID-}}\" ]; then\n"
      "  folder={}\n"
      "  mkdir -p -- \"$folder/logs\"\n"
      "  logs=\"${{folder//%/%%}}/logs\"\n"
      "  array=$(sbatch --parsable --output=\"$logs/%A_%a.log\" \"$0\")\n"
      "  exec sbatch --dependency=afterok:\"${{array%%;*}}\" --job-name=vqscope-merge --time=01:00:00 --mem=4G \\\n"
      "    --cpus-per-task=1 --output=\"$logs/merge_%j.log\" --wrap={}\n"
      "fi\n"
      "exec {} --shard auto\n",
      sweep.shards, sweep.jobs > 1 ? sweep.jobs : usual_cpus, sweep.shards, script_word(sweep.folder),
      script_word(merge_line(sweep)), sweep_line(sweep));
}

/// GNU parallel passes its command through a shell once more, and gives each job its number.
std::string parallel_script(const SpreadSweep& sweep) {
  const std::string count = to_text(sweep.shards);
  const std::string logs = sweep.folder + "/logs";
  return fmt::format("#!/bin/sh\nset -e\nmkdir -p {}\nseq {} | parallel -N0 --halt now,fail=1 --joblog {} {}\n{}\n",
                     script_word(logs), count, script_word(logs + "/parallel.log"),
                     script_word(sweep_line(sweep) + " --shard auto/" + count), merge_line(sweep));
}

std::string snakemake_script(const SpreadSweep& sweep) {
  const std::string count = to_text(sweep.shards);
  const std::string done = fmt::format("{} + \"{{shard}}_of_{}\"", snake_text(sweep.folder + "/shards/"), count);
  return fmt::format(
      "rule table:\n"
      "    input: expand({}, shard=range(1, {}))\n"
      "    output: {}\n"
      "    shell: {}\n\n"
      "rule shard:\n"
      "    output: touch({})\n"
      "    shell: {} + \"{{wildcards.shard}}/{}\"\n",
      done, sweep.shards + 1, snake_text(sweep.folder + "/table.csv"), snake_text(merge_line(sweep)), done,
      snake_text(sweep_line(sweep) + " --shard "), count);
}

}  // namespace

Result<Shard> parse_shard(std::string_view text, const Environment& environment) {
  const auto parts = split(trimmed(text), '/');
  if (parts.size() > 2) return refused(text);
  std::optional<Index> count;
  if (parts.size() == 2) {
    count = parse_index(parts[1]);
    if (!count || *count < 1 || *count > most_shards) return refused(text);
  }
  if (parts[0] == "auto") return automatic(count, environment);
  const auto number = parse_index(parts[0]);
  if (!number || !count || *number < 1 || *number > *count) return refused(text);
  return Shard{*number, *count};
}

Result<Spreader> parse_spreader(std::string_view text) {
  constexpr std::array<std::string_view, 3> names{"slurm", "parallel", "snakemake"};
  const auto found = std::ranges::find(names, text);
  if (found == names.end())
    return invalid("--emit is {} but must be one of slurm, parallel, snakemake",
                   text.empty() ? "empty" : shortened(text));
  return static_cast<Spreader>(found - names.begin());
}

std::string script_word(std::string_view word) {
  constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=:,./@%^";
  if (!word.empty() && word.find_first_not_of(plain) == std::string_view::npos) return std::string(word);
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

std::string spreading_script(Spreader spreader, const SpreadSweep& sweep) {
  switch (spreader) {
    case Spreader::slurm: return slurm_script(sweep);
    case Spreader::parallel: return parallel_script(sweep);
    case Spreader::snakemake: break;
  }
  return snakemake_script(sweep);
}

}  // namespace vqscope
