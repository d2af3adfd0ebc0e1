// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/runs/sweep_command.h"

#include "app/cli/arguments/sweep_arguments.h"
#include "app/cli/output/progress_line.h"
#include "app/process/console.h"
#include "app/process/interrupts.h"
#include "core/base/parallel.h"
#include "core/base/text.h"
#include "core/export/json.h"
#include "core/io/json/json_text.h"
#include "core/run/sweep_folder.h"
#include "widgets/parts/file_name.h"

#include <atomic>
#include <cstdlib>
#include <mutex>

namespace vqscope {
namespace {

std::optional<std::string> variable(const std::string& name) {
  const char* value = std::getenv(name.c_str());
  return value ? std::optional<std::string>(value) : std::nullopt;
}

Result<Shard> shardOf(const SweepArguments& arguments) {
  return arguments.shard ? parse_shard(bytesOf(*arguments.shard), variable) : Shard{};
}

std::vector<Index> pointsOf(const Sweep& sweep, const Shard& shard) {
  std::vector<Index> points;
  const auto count = static_cast<Index>(point_count(sweep));
  for (Index i = shard.number - 1; i < count; i += shard.count) points.push_back(i);
  return points;
}

/// {"id": "…", "n_code": 64, "seed": 0}, a line each.
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

/// How many parts a script makes: of auto/N.
Result<Index> partsOf(const SweepArguments& arguments) {
  constexpr Index usual = 16;
  if (!arguments.shard) return usual;
  const auto text = bytesOf(*arguments.shard);
  const auto parts = text.starts_with("auto/") ? parse_index(text.substr(5)) : std::nullopt;
  if (parts && *parts >= 1 && *parts <= most_shards) return *parts;
  return invalid("--shard is " + shownText(*arguments.shard) +
                 "; with --emit it must be auto/N, for a script of N parts");
}

/// The points of a shard that are to be done, one after the other or several at a time.
class Carrier {
 public:
  Carrier(std::string folder, const Sweep& sweep, std::vector<Index> points, std::stop_token stop)
      : m_folder(std::move(folder)), m_sweep(sweep), m_points(std::move(points)), m_stop(std::move(stop)) {}

  Result<void> run(Index jobs) {
    const auto count = static_cast<Index>(m_points.size());
    parallel_for(count, static_cast<int>(jobs), [&](Index i) { carryOut(m_points[static_cast<std::size_t>(i)]); });
    return m_problem ? Result<void>(*m_problem) : Result<void>();
  }

  std::string summary() const {
    return to_text(Index{m_done}) + " computed, " + to_text(Index{m_found}) + " already there";
  }

 private:
  void carryOut(Index index) {
    if (m_failed) return;
    const SweepPoint point = sweep_point(m_sweep, index);
    if (is_finished(m_folder, point)) {
      ++m_found;
      return show(1);
    }
    const Work work{.progress = [this](double fraction) { show(fraction); }, .stop = m_stop};
    const auto done = carry_out(m_folder, m_sweep, point, VQSCOPE_VERSION, work);
    if (done) {
      ++m_done;
      return show(0);
    }
    m_failed = true;
    const std::lock_guard lock(m_telling);
    if (!m_problem) m_problem = done.error();
  }

  void show(double fraction) {
    const std::lock_guard lock(m_telling);
    const auto before = static_cast<double>(m_done + m_found);
    m_line.show(std::min(1.0, (before + fraction) / static_cast<double>(m_points.size())));
  }

  std::string m_folder;
  const Sweep& m_sweep;
  std::vector<Index> m_points;
  std::stop_token m_stop;
  std::atomic<Index> m_done = 0, m_found = 0;
  std::atomic<bool> m_failed = false;
  std::mutex m_telling;
  ProgressLine m_line;
  std::optional<Error> m_problem;
};

int carryOut(const SweepArguments& arguments, const Sweep& sweep) {
  const auto shard = shardOf(arguments);
  if (!shard) return fail(shard.error());
  if (arguments.list) return print(listed(sweep, *shard));
  if (!arguments.folder || arguments.folder->isEmpty()) return fail(invalid("sweep needs --out DIR, or --list"));
  const std::string folder = bytesOf(*arguments.folder);
  const Interrupts interrupts;
  if (auto begun = begin_sweep(folder, sweep); !begun) return fail(begun.error());
  Carrier carrier(folder, sweep, pointsOf(sweep, *shard), interrupts.token());
  if (auto done = carrier.run(arguments.jobs); !done) return fail(done.error());
  const std::string part =
      arguments.shard ? ", shard " + to_text(shard->number) + "/" + to_text(shard->count) : std::string();
  note(plain_text(point_count(sweep)) + " points" + part + ": " + carrier.summary());
  return exitDone;
}

int runSweep(const QStringList& arguments) {
  const auto parsed = parseSweepArguments(arguments);
  if (!parsed) return fail(parsed.error());
  if (parsed->help) return print(helpOf(sweepCommand(), sweepOptions()));
  if (parsed->method.empty()) return fail(invalid("sweep needs an EXPERIMENT (vqscope list shows all)"));
  const auto sweep = sweepOf(*parsed);
  if (!sweep) return fail(sweep.error());
  if (!parsed->spreader) return carryOut(*parsed, *sweep);
  const auto parts = partsOf(*parsed);
  if (!parts) return fail(parts.error());
  if (!parsed->folder || parsed->folder->isEmpty()) return fail(invalid("sweep --emit needs --out DIR"));
  return print(spreading_script(*parsed->spreader, wordsToEmit(arguments), *parts, bytesOf(*parsed->folder)));
}

}  // namespace

const Command& sweepCommand() {
  static const Command command{.usage = "sweep EXPERIMENT --vary NAME=VALUES... --out DIR",
                               .summary = "an experiment for every combination of values",
                               .run = runSweep,
                               .about = R"(
EXPERIMENT is any method that vqscope list calls curves. Each point of the sweep is computed once and kept as
DIR/ID.json, whole or not at all. Finished points are skipped, so the same command continues an interrupted sweep.
 Several processes may fill one DIR, each with its --shard. vqscope merge DIR --out table.csv makes one table.
)",
                               .ending = R"(
Exit status: 0 done; 2 refused, with one line on stderr; 130 interrupted: what is finished stays.

Example: vqscope sweep vq_error_vs_length --vary n_code=32:512:*2 --seeds 5 --out sweep
)"};
  return command;
}

}  // namespace vqscope
