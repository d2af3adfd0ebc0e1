// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/command_line.h"

#include "app/cli/check_command.h"
#include "app/cli/config_command.h"
#include "app/cli/dialects_command.h"
#include "app/cli/diff_command.h"
#include "app/cli/export_command.h"
#include "app/cli/list_command.h"
#include "app/cli/recognise_command.h"
#include "app/cli/row_command.h"
#include "app/cli/runs/merge_command.h"
#include "app/cli/runs/run_command.h"
#include "app/cli/runs/runs_command.h"
#include "app/cli/runs/sweep_command.h"
#include "app/cli/snippet_command.h"
#include "app/process/application.h"
#include "app/process/console.h"
#include "core/base/text.h"
#include "widgets/parts/file_name.h"

#include <QFileInfo>
#include <QRegularExpression>

#include <algorithm>
#include <string>
#include <vector>

namespace vqscope {
namespace {

/// In the order of the help.
const std::vector<const Command*>& commands() {
  static const std::vector<const Command*> all{
      &listCommand(),  &exportCommand(), &rowCommand(),      &diffCommand(),    &recogniseCommand(),
      &checkCommand(), &configCommand(), &dialectsCommand(), &snippetCommand(), &runCommand(),
      &runsCommand(),  &sweepCommand(),  &mergeCommand()};
  return all;
}

const Command* findCommand(const QString& name) {
  const std::string given = bytesOf(name);
  const auto found = std::ranges::find(commands(), given, &Command::name);
  return found == commands().end() ? nullptr : *found;
}

bool asksForHelp(const QString& name) { return name == "--help" || name == "-h" || name == "help"; }

bool asksForVersion(const QString& name) { return name == "--version" || name == "-V" || name == "-v"; }

bool isKnown(const QString& name) { return findCommand(name) || asksForHelp(name) || asksForVersion(name); }

/// "  vqscope USAGE  SUMMARY", with the summaries aligned.
std::string helpLine(std::string_view usage, std::string_view summary) {
  constexpr std::size_t width = 54;
  const std::string line = "  vqscope " + std::string(usage);
  return line + std::string(line.size() < width ? width - line.size() : 1, ' ') + "  " + std::string(summary) + "\n";
}

std::string mainHelp() {
  std::string text = "VQScope shows how attention knows about position.\n\n";
  text += helpLine("[FILE]", "the workbench, with a session or a mask");
  for (const auto* command : commands()) text += helpLine(command->usage, command->summary);
  return text + helpLine("help COMMAND", "the options of COMMAND, as COMMAND --help") +
         helpLine("--version", "the version of the program (-V)");
}

/// A plain word that is not a file is read as a command. A single dash begins an option of Qt.
bool looksLikeCommand(const QString& first) {
  static const QRegularExpression word("^[A-Za-z_]+$");
  return first.startsWith("--") || (word.match(first).hasMatch() && !QFileInfo::exists(first));
}

Error unknownCommand(const QString& name) {
  std::vector<std::string> known{"help", "--help", "--version"};
  for (const auto* command : commands()) known.emplace_back(command->name());
  const std::string kind = name.startsWith('-') ? "unknown option " : "unknown command ";
  return invalid(kind + shownText(name) + did_you_mean(bytesOf(name), known) + " (vqscope --help shows all)");
}

/// `help`, `help COMMAND`, --help.
int showHelp(const QStringList& about) {
  if (about.isEmpty() || asksForHelp(about.first())) return print(mainHelp());
  if (about.size() > 1)
    return fail(
        invalid("help expects one COMMAND, " + shownText(about[0]) + " and " + shownText(about[1]) + " were given"));
  if (const auto* command = findCommand(about.first())) return command->run({"--help"});
  return fail(unknownCommand(about.first()));
}

}  // namespace

bool isCommand(const QStringList& arguments) {
  return !arguments.isEmpty() && (isKnown(arguments.first()) || looksLikeCommand(arguments.first()));
}

int runCommandLine(const QStringList& arguments) {
  keepErrorsAlone();
  const QString& name = arguments.first();
  if (asksForVersion(name)) return print("vqscope " VQSCOPE_VERSION "\n");
  if (asksForHelp(name)) return showHelp(name == "help" ? arguments.mid(1) : QStringList());
  if (const auto* command = findCommand(name)) return command->run(arguments.mid(1));
  return fail(unknownCommand(name));
}

}  // namespace vqscope
