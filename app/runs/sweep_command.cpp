// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/runs/commands.h"

#include "app/cli/output/progress_line.h"
#include "app/process/console.h"
#include "app/process/interrupts.h"
#include "app/process/program.h"
#include "app/runs/sweep_arguments.h"
#include "core/base/text.h"
#include "core/export/json.h"
#include "core/io/bytes/path_text.h"
#include "core/io/json/json_text.h"
#include "core/run/sweep_run.h"

#include <algorithm>
#include <cstdlib>
#include <mutex>

namespace vqscope {
namespace {

std::optional<std::string> variable(const std::string& name) {
  const char* value = std::getenv(name.c_str());
  return value ? std::optional<std::string>(value) : std::nullopt;
}

Result<Shard> shardOf(const SweepArguments& arguments) {
  return arguments.shard ? parse_shard(*arguments.shard, variable) : Shard{};
}

std::vector<Index> pointsOf(const Sweep& sweep, const Shard& shard) {
  std::vector<Index> points;
  const auto count = static_cast<Index>(point_count(sweep));
  for (Index i = shard.number - 1; i < count; i += shard.count) points.push_back(i);
  return points;
}

/// One line for each point: {"id": "…", "n_code": 64, "seed": 0}.
std::string listed(const Sweep& sweep, const Shard& shard) {
  std::string text;
  for (const Index i : pointsOf(sweep, shard)) {
    const SweepPoint point = sweep_point(sweep, i);
    text += "{\"id\": " + json_text(point.id);
    for (const auto& varied : sweep.varied)
      text += ", " + json_text(varied.name) + ": " + json_value(*point.values.find(varied.name));
    text += "}\n";
  }
  return text;
}

/// The number of parts of a script, from auto/N; if not given, none of them is without a point.
Result<Index> partsOf(const SweepArguments& arguments, const Sweep& sweep) {
  constexpr double usual = 16;
  if (!arguments.shard) return static_cast<Index>(std::min(usual, point_count(sweep)));
  const auto text = *arguments.shard;
  const auto parts = text.starts_with("auto/") ? parse_index(text.substr(5)) : std::nullopt;
  if (parts && *parts >= 1 && *parts <= most_shards) return *parts;
  return invalid("--shard is " + shortened(*arguments.shard) +
                 "; with --emit it must be auto/N, for a script of N parts");
}

/// Counts points and shows their progress. Called on the threads of the points.
class PointTally {
 public:
  explicit PointTally(std::size_t points) : m_points(static_cast<double>(points)) {}

  void take(const PointReport& report) {
    const std::lock_guard lock(m_reportMutex);
    if (report.state == PointState::computed) ++m_computed;
    if (report.state == PointState::found) ++m_found;
    const auto done = static_cast<double>(m_computed + m_found);
    m_line.show(std::min(1.0, (done + report.fraction) / m_points));
  }

  std::string summary() const { return to_text(m_computed) + " computed, " + to_text(m_found) + " already there"; }

 private:
  const double m_points;
  Index m_computed = 0, m_found = 0;
  std::mutex m_reportMutex;
  ProgressLine m_line;
};

int carryOut(const SweepArguments& arguments, const Sweep& sweep) {
  const auto shard = shardOf(arguments);
  if (!shard) return fail(shard.error());
  if (arguments.list) return print(listed(sweep, *shard));
  if (!arguments.folder || arguments.folder->empty()) return fail(invalid("sweep needs --out DIR, or --list"));
  const std::string folder = *arguments.folder;
  const Interrupts interrupts;
  if (auto begun = begin_sweep(folder, sweep); !begun) return fail(begun.error());
  const auto points = pointsOf(sweep, *shard);
  PointTally tally(points.size());
  const SweepRun run{.folder = folder,
                     .points = points,
                     .jobs = arguments.jobs,
                     .version = VQSCOPE_VERSION,
                     .stop = interrupts.token(),
                     .notify = [&tally](const PointReport& report) { tally.take(report); }};
  if (auto done = carry_out_points(sweep, run); !done) return fail(done.error());
  const std::string part =
      arguments.shard ? ", shard " + to_text(shard->number) + "/" + to_text(shard->count) : std::string();
  note(plain_text(point_count(sweep)) + " points" + part + ": " + tally.summary());
  return exitDone;
}

int runSweep(const std::vector<std::string>& arguments) {
  const auto parsed = parseSweepArguments(arguments);
  if (!parsed) return fail(parsed.error());
  if (parsed->help) return print(helpOf(sweepCommand()));
  if (parsed->method.empty()) return fail(invalid("sweep needs an EXPERIMENT (vqscope list shows all)"));
  const auto sweep = sweepOf(*parsed);
  if (!sweep) return fail(sweep.error());
  if (!parsed->spreader) return carryOut(*parsed, *sweep);
  const auto parts = partsOf(*parsed, *sweep);
  if (!parts) return fail(parts.error());
  if (!parsed->folder || parsed->folder->empty()) return fail(invalid("sweep --emit needs --out DIR"));
  const auto words = wordsToEmit(arguments);
  return print(spreading_script(*parsed->spreader, {.program = runningProgram(),
                                                    .words = words,
                                                    .shards = *parts,
                                                    .jobs = parsed->jobs,
                                                    .folder = *parsed->folder}));
}

}  // namespace

const Command& sweepCommand() {
  static const Command command{.usage = "sweep EXPERIMENT --vary NAME=VALUES... --out DIR",
                               .summary = "an experiment for every combination of values",
                               .run = runSweep,
                               .about = R"(
EXPERIMENT is any method that vqscope list calls curves. Each point of the sweep is computed once and written
atomically to DIR/ID.json. Finished points are skipped, so the same command continues an interrupted sweep.
Several processes may write to one DIR, each with its --shard. vqscope merge DIR --out table.csv makes one table.
)",
                               .ending = R"(
Exit status: 0 done; 2 refused, with one line on stderr; 130 interrupted; finished points are kept.

Example: vqscope sweep vq_error_vs_length --vary n_code=32:512:*2 --seeds 5 --out sweep
)",
                               .options = [] { return linesOf(sweepOptions()); }};
  return command;
}

}  // namespace vqscope
