// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/runs/commands.h"

#include "app/cli/arguments/option_table.h"
#include "app/process/console.h"
#include "core/base/text.h"
#include "core/catalogue/registry.h"
#include "core/io/bytes/path_text.h"
#include "core/io/json/json_value.h"
#include "core/run/run_chart.h"
#include "core/run/run_estimate.h"

namespace vqscope {
namespace {

struct RunsArguments {
  bool help = false;
  bool json = false;
  bool remove = false;
  bool restore = false;
  std::optional<std::string> folder;
  std::optional<std::string> title;
  std::optional<std::string> note;
  std::vector<std::string> names;
};

OptionTable<RunsArguments> runsOptions() {
  return {{{"--keep", "DIR", "the folder of runs; if not given, your own"}, taking(&RunsArguments::folder)},
          jsonOption<RunsArguments>(),
          {{"--title", "TEXT", "give the run NAME a title"}, taking(&RunsArguments::title)},
          {{"--note", "TEXT", "give the run NAME a note"}, taking(&RunsArguments::note)},
          flagOption("--delete", &RunsArguments::remove, "delete the runs NAME..."),
          flagOption("--restore", &RunsArguments::restore, "restore the deleted runs NAME...")};
}

std::string verdictOf(const KeptRun& kept) {
  const Method* method = find_method(kept.run.method);
  return method ? verdict_of_run(*method, kept) : std::string();
}

JsonObject runsAsJson(const KeptRun& kept) {
  JsonObject values;
  for (const auto& [name, value] : kept.run.values) values.emplace(name, value);
  return {{"name", kept.name},
          {"id", kept.run.id},
          {"method", kept.run.method},
          {"parameters", values},
          {"when", kept.run.when},
          {"seconds", kept.run.seconds},
          {"processor", kept.run.processor},
          {"version", kept.run.version},
          {"complete", kept.run.complete},
          {"verdict", verdictOf(kept)},
          {"title", kept.note.title},
          {"note", kept.note.note}};
}

std::string line(const KeptRun& kept) {
  const auto seed = kept.run.values.find("seed");
  std::string text = kept.name + "  " + kept.run.method;
  if (seed != kept.run.values.end()) text += "  seed " + seed->second;
  text += "  " + to_text(kept.run.seconds, 3) + " s";
  if (!kept.run.complete) text += "  stopped";
  if (!kept.note.title.empty()) text += "  " + shortened(kept.note.title);
  return text + "\n";
}

int printList(const RunStore& store, bool json) {
  const auto listing = store.list();
  if (!listing) return fail(listing.error());
  for (const auto& damage : listing->damaged) warn(shortened(damage, 300));
  std::string text;
  JsonArray items;
  for (const auto& runRuns : listing->runs) {
    text += line(runRuns);
    items.emplace_back(runsAsJson(runRuns));
  }
  const int printed = print(json ? indented_json(items) : text);
  return printed != exitDone || listing->damaged.empty() ? printed : exitFindings;
}

/// Prints one run, or the table of means and spreads of several.
int show(const std::vector<KeptRun>& runs, bool json) {
  if (json) {
    JsonArray items;
    for (const auto& runRuns : runs) items.emplace_back(runsAsJson(runRuns));
    return print(indented_json(items));
  }
  const auto chart = chart_of(runs);
  if (!chart) return fail(chart.error());
  if (!chart->remark.empty()) note(chart->remark);
  if (const std::string verdict = verdictOf(runs.front()); runs.size() == 1 && !verdict.empty()) note(verdict);
  return print(spread_table(*chart));
}

Result<void> annotate(const RunStore& store, const RunsArguments& arguments, const KeptRun& kept) {
  RunNote words = kept.note;
  if (arguments.title) words.title = *arguments.title;
  if (arguments.note) words.note = *arguments.note;
  return store.annotate(kept.name, words);
}

int withNames(const RunStore& store, const RunsArguments& arguments) {
  std::vector<KeptRun> runs;
  for (const auto& name : arguments.names) {
    if (arguments.remove || arguments.restore) {
      const auto moved = arguments.remove ? store.remove(name) : store.restore(name);
      if (!moved) return fail(moved.error());
      continue;
    }
    auto runRuns = store.find(name);
    if (!runRuns) return fail(runRuns.error());
    runs.push_back(std::move(*runRuns));
  }
  if (arguments.remove || arguments.restore) return exitDone;
  if (!arguments.title && !arguments.note) return show(runs, arguments.json);
  if (runs.size() != 1) return fail(invalid("--title and --note are for one NAME"));
  const auto written = annotate(store, arguments, runs.front());
  return written ? exitDone : fail(written.error());
}

int runRuns(const std::vector<std::string>& arguments) {
  RunsArguments parsed;
  const auto addName = [](RunsArguments& a, const std::string& name) -> Result<void> {
    a.names.push_back(name);
    return {};
  };
  if (auto read = readArguments<RunsArguments>(parsed, arguments, runsOptions(), addName); !read)
    return fail(read.error());
  if (parsed.help) return print(helpOf(runsCommand()));
  const bool acts = parsed.remove || parsed.restore || parsed.title || parsed.note;
  if (parsed.remove && parsed.restore) return fail(invalid("--delete and --restore conflict; use one of them"));
  if (acts && parsed.names.empty()) return fail(invalid("runs needs the NAME of a run (vqscope runs lists them)"));
  const RunStore store(parsed.folder ? *parsed.folder : default_run_folder());
  return parsed.names.empty() ? printList(store, parsed.json) : withNames(store, parsed);
}

}  // namespace

const Command& runsCommand() {
  static const Command command{.usage = "runs [NAME...]",
                               .summary = "the kept runs: list, compare, note, delete",
                               .run = runRuns,
                               .about = R"(
VQScope keeps every experiment of vqscope run and of the window as a file with its values, results, seconds, machine and
version. Without NAME, lists the runs, newest first. With one or several names, prints a table of their results: runs
that differ only in the seed are one series with mean, least, greatest and sample standard deviation; stderr names the
parameters in which the runs differ. Deleted runs are moved to the subfolder `deleted`; --restore brings them back.
)",
                               .ending = R"(
Exit status: 0 done; 1 done, but stderr names damaged files; 2 refused, with one line on stderr.

Example: vqscope runs --json
)",
                               .options = [] { return linesOf(runsOptions()); }};
  return command;
}

}  // namespace vqscope
