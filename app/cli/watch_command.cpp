// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/command.h"

#include "app/cli/arguments/batch_file.h"
#include "app/cli/linted_mask.h"
#include "app/cli/output/check_output.h"
#include "app/process/console.h"
#include "app/process/interrupts.h"
#include "core/base/machine.h"
#include "core/base/sentence.h"
#include "core/io/watch/watched_folder.h"

#include <chrono>
#include <cmath>
#include <optional>

namespace vqscope {
namespace {

constexpr std::chrono::milliseconds betweenLooks{100};
constexpr double longestTimeout = 30 * 86400;

struct WatchArguments : MethodArguments {
  std::optional<std::string> folder;
  bool json = false;
  bool strict = false;
  bool once = false;
  std::optional<double> timeout;  ///< seconds
  std::vector<std::string> rules;
};

Result<void> readTimeout(WatchArguments& arguments, const std::string& text) {
  const auto seconds = parse_real(text);
  if (!seconds || !(*seconds >= 0) || *seconds > longestTimeout)
    return refusedOption("--timeout", text, "a number of seconds from 0 to 2592000");
  arguments.timeout = *seconds;
  return {};
}

OptionTable<WatchArguments> watchOptions() {
  auto table = lintOptions<WatchArguments>();
  std::erase_if(table, [](const auto& each) { return each.name == "--mask"; });
  table.push_back(ruleOption<WatchArguments>());
  table.push_back(flagOption("--strict", &WatchArguments::strict, "warnings count as findings"));
  table.push_back(jsonOption<WatchArguments>("print one JSON object a line"));
  table.push_back(flagOption("--once", &WatchArguments::once, "end after the first file"));
  table.push_back({{"--timeout", "SECONDS", "end after that time; if not given, at Ctrl+C"}, readTimeout});
  return table;
}

Result<void> readFolder(WatchArguments& arguments, const std::string& path) {
  if (path.empty()) return refusedOption("FOLDER", path, "a directory into which masks are written");
  if (arguments.folder)
    return invalid("watch expects one FOLDER, {} and {} were given", shown_path(*arguments.folder), shown_path(path));
  arguments.folder = path;
  return {};
}

Result<WatchArguments> parseWatchArguments(const std::vector<std::string>& arguments) {
  WatchArguments parsed;
  parsed.method = "visibility";
  if (auto read = readArguments<WatchArguments>(parsed, arguments, watchOptions(), readFolder); !read)
    return read.error();
  if (!parsed.help && !parsed.folder) return invalid("watch needs a FOLDER");
  return parsed;
}

/// The line of a file: what is wrong first.
std::string lineOf(const std::string& name, const LintReport& report) {
  if (report.findings.empty()) return fmt::format("{}: {}\n", name, report.summary());
  const Finding& first = report.findings.front();
  std::string place;
  if (first.batch) place = fmt::format("sample {}: ", *first.batch);
  if (first.head) place += fmt::format("head {}: ", *first.head);
  return fmt::format("{}: {}: {}: {}{} ({})\n", name, first.severity == Severity::error ? "error" : "warning",
                     first.rule, place, first.sentence, report.summary());
}

class Watch {
 public:
  Watch(const WatchArguments& arguments, std::stop_token stop)
      : m_arguments(arguments), m_stop(std::move(stop)), m_folder(*arguments.folder) {}

  /// Returns the exit status.
  int run() {
    for (;;) {
      const auto arrivals = m_folder.look(milliseconds());
      if (!arrivals) return fail(arrivals.error());
      for (const auto& arrival : *arrivals) {
        const int status = report(arrival);
        if (status != exitDone || m_arguments.once) return status;
      }
      if (m_stop.stop_requested()) return exitInterrupted;
      if (m_arguments.timeout && m_clock.seconds() >= *m_arguments.timeout) return exitDone;
      sleepUnless(m_stop, betweenLooks);
    }
  }

 private:
  Index milliseconds() const { return static_cast<Index>(std::floor(m_clock.seconds() * 1000)); }

  /// A file that cannot be read is told and not an end: it breaks no expectation.
  int report(const WatchedFolder::Arrival& arrival) const {
    MethodArguments arguments = m_arguments;
    takeFile(arguments, arrival.path);
    const std::string name(file_name(arrival.path));
    const auto checked = lintSamples(arguments, m_arguments.rules, m_stop, [](double) {});
    if (!checked && checked.error().code == Errc::cancelled) return exitInterrupted;
    if (!checked) return printLine(name, arrival.path, checked.error().message);
    if (checked->report.stopped) return exitInterrupted;
    const CheckOutput output{checked->first, checked->report, checked->samples, checked->fix};
    const int printed = m_arguments.json ? printJson(arrival.path, checkAsJson(output))
                                         : print(lineOf(shown_path(name), checked->report));
    if (printed != exitDone) return printed;
    return checked->status(m_arguments.strict) == exitFindings ? exitFindings : exitDone;
  }

  int printLine(const std::string& name, const std::string& path, const std::string& error) const {
    if (m_arguments.json) return printJson(path, {{"error", error}});
    return print(fmt::format("{}: not read: {}\n", shown_path(name), shortened(error, 300)));
  }

  static int printJson(const std::string& path, JsonObject object) {
    object["file"] = path;
    return print(compact_json(object) + "\n");
  }

  const WatchArguments& m_arguments;
  std::stop_token m_stop;
  WatchedFolder m_folder;
  Clock m_clock;
};

int runWatch(const std::vector<std::string>& arguments) {
  const auto parsed = parseWatchArguments(arguments);
  if (!parsed) return fail(parsed.error());
  if (parsed->help) return print(helpOf(watchCommand()));
  Interrupts interrupts;
  return Watch(*parsed, interrupts.token()).run();
}

}  // namespace

const Command& watchCommand() {
  static const Command command{.usage = "watch FOLDER [options]",
                               .summary = "lint each mask that is written into a folder; exit 1 at the first finding",
                               .run = runWatch,
                               .about = R"(
Waits for files in FOLDER and lints each mask once it is written to its end: arrays, archives and images by the sizes in
their headers, texts when they stay unchanged. Hidden and temporary files (.tmp, .part, ~) are left alone. Of the files
that are there at the start, the newest is linted. A file of several tensors is read as with --batch-file, or its
attn_mask is. Prints one line a file and ends at the first one that breaks the expected mask.
)",
                               .ending = R"(
Exit status: 0 no findings until --timeout or --once; 1 findings; 2 refused, with one line on stderr; 130 interrupted.

Example: vqscope watch masks --objective causal --window 128 --timeout 600
)",
                               .options = [] { return linesOf(watchOptions()); }};
  return command;
}

}  // namespace vqscope
