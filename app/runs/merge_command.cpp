// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/runs/commands.h"

#include "app/cli/arguments/option_table.h"
#include "app/process/console.h"
#include "app/process/interrupts.h"
#include "core/base/text.h"
#include "core/catalogue/registry.h"
#include "core/io/bytes/path_text.h"
#include "core/io/bytes/whole_file.h"
#include "core/run/sweep_table.h"

namespace vqscope {
namespace {

struct MergeArguments {
  bool help = false;
  std::vector<std::string> folders;
  std::vector<std::string> outputs;
};

OptionTable<MergeArguments> mergeOptions() {
  return {{{"--out", "FILE", "the table, .csv"},
           [](MergeArguments& arguments, const std::string& path) { return addOutput(arguments.outputs, path); }}};
}

Result<void> addFolder(MergeArguments& arguments, const std::string& path) {
  arguments.folders.push_back(path);
  return {};
}

/// At most this many names of each kind are printed; the others are counted.
constexpr std::size_t mostNamed = 20;

void printNames(const std::string& what, const std::vector<std::string>& names) {
  for (std::size_t i = 0; i < std::min(names.size(), mostNamed); ++i) warn(what + ": " + shortened(names[i], 300));
  if (names.size() > mostNamed) warn(to_text(static_cast<Index>(names.size() - mostNamed)) + " more: " + what);
}

Result<MergeReport> merged(const MergeArguments& arguments) {
  std::vector<std::string> folders;
  for (const auto& folder : arguments.folders) folders.push_back(folder);
  const auto sweep = open_sweep(folders.front(), require_method);
  if (!sweep) return sweep.error();
  const Interrupts interrupts;
  auto file = WholeFile::open(arguments.outputs.front());
  if (!file) return file.error();
  auto report = merge_sweep(*sweep, folders, **file, interrupts.token());
  if (!report) return report;
  WholeFiles files;
  files.push_back(std::move(*file));
  if (auto done = commit(files); !done) return done.error();
  return report;
}

int runMerge(const std::vector<std::string>& arguments) {
  MergeArguments parsed;
  if (auto read = readArguments<MergeArguments>(parsed, arguments, mergeOptions(), addFolder); !read)
    return fail(read.error());
  if (parsed.help) return print(helpOf(mergeCommand()));
  if (parsed.folders.empty()) return fail(invalid("merge needs the DIR of a sweep"));
  if (parsed.outputs.size() != 1) return fail(invalid("merge needs one --out FILE"));
  if (file_suffix(parsed.outputs.front()) != "csv")
    return fail(invalid("--out is " + shown_path(parsed.outputs.front()) + " but must end with .csv"));
  const auto report = merged(parsed);
  if (!report) return fail(report.error());
  printNames("missing", report->missing);
  printNames("damaged or incomplete run", report->damaged);
  printNames("two runs of one point differ, the table uses the first", report->differing);
  printNames("two equal runs of one point", report->doubled);
  printNames("not part of this sweep", report->foreign);
  note(to_text(report->points - static_cast<Index>(report->missing.size())) + " of " + to_text(report->points) +
       " points are in the table");
  return report->complete() ? exitDone : exitFindings;
}

}  // namespace

const Command& mergeCommand() {
  static const Command command{.usage = "merge DIR... --out FILE",
                               .summary = "the runs of a sweep as one table (.csv)",
                               .run = runMerge,
                               .about = R"(
DIR is the folder of a sweep; of several folders, the first defines the sweep. Each row holds one number of one point:
point, the parameters that vary, series, x, value. The same runs give the same bytes, in any order and from any process.
)",
                               .ending = R"(
Exit status: 0 every point is in the table; 1 points are missing, files are damaged or two runs of one point differ, each
named on stderr; 2 refused, with one line on stderr and nothing written; 130 interrupted.

Example: vqscope merge sweep --out table.csv
)",
                               .options = [] { return linesOf(mergeOptions()); }};
  return command;
}

}  // namespace vqscope
