// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/command_line.h"

#include "app/cli/added_commands.h"
#include "app/cli/command.h"
#include "app/cli/export_command.h"
#include "app/cli/manual/manual_page.h"
#include "app/process/console.h"
#include "app/process/program.h"
#include "core/base/text.h"
#include "core/io/bytes/path_text.h"

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

namespace vqscope {
namespace {

const Command* findCommand(const std::string& name) {
  const auto found = std::ranges::find(allCommands(), name, &Command::name);
  return found == allCommands().end() ? nullptr : *found;
}

bool isHelpRequest(const std::string& name) { return name == "--help" || name == "-h" || name == "help"; }

constexpr auto manualOption = "--man";

bool isQuietRequest(const std::string& name) { return name == "-q" || name == "--quiet"; }

bool isVersionRequest(const std::string& name) { return name == "--version" || name == "-V" || name == "-v"; }

bool isKnown(const std::string& name) { return findCommand(name) || isHelpRequest(name) || isVersionRequest(name); }

std::vector<std::string> afterFirst(const std::vector<std::string>& arguments) {
  return {arguments.begin() + 1, arguments.end()};
}

/// "-q COMMAND ..." as "COMMAND -q ..."; help and the version are never loud.
std::vector<std::string> quietLast(const std::vector<std::string>& arguments) {
  auto words = afterFirst(arguments);
  if (findCommand(words.front())) words.insert(words.begin() + 1, arguments.front());
  return words;
}

/// "  vqscope USAGE  SUMMARY", with the summaries aligned.
std::string helpLine(std::string_view usage, std::string_view summary) {
  constexpr std::size_t width = 54;
  const std::string line = "  vqscope " + std::string(usage);
  return line + std::string(line.size() < width ? width - line.size() : 1, ' ') + "  " + std::string(summary) + "\n";
}

std::string mainHelp() {
  std::string text = "VQScope shows how attention knows about position.\n\n";
  text += helpLine("[FILE]...", "the workbench, with a session, a mask or a model; q, k and v or two models together");
  text +=
      helpLine("--new-window [FILE]...", "the same in a window of its own; FILE alone goes to the window that is open");
  for (const auto* command : allCommands()) text += helpLine(command->usage, command->summary);
  return text + helpLine("help [COMMAND]", "this text, or the options of COMMAND, as COMMAND --help") +
         helpLine("help --man", "the manual page, for man -l -") +
         helpLine("--version", "the version of the program (-V)") +
         "\nEach command takes -q: no notes, warnings or progress on stderr.\n";
}

/// A plain word that is not a file is read as a command. A single dash begins an option of Qt.
bool looksLikeCommand(const std::string& first) {
  const auto isLetter = [](char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_'; };
  if (first.starts_with("--")) return true;
  std::error_code failed;
  return !first.empty() && std::ranges::all_of(first, isLetter) && !std::filesystem::exists(first, failed);
}

Error unknownCommand(const std::string& name) {
  if (std::ranges::count(addedCommands().leftOut, name) > 0)
    return invalid(name + " is part of the lab, which this build leaves out");
  std::vector<std::string> known{"help", "--help", "--version", std::string(newWindowOption)};
  for (const auto* command : allCommands()) known.emplace_back(command->name());
  const std::string kind = name.starts_with('-') ? "unknown option " : "unknown command ";
  return invalid(kind + shortened(name) + did_you_mean(name, known) + " (vqscope --help shows all)");
}

/// `help`, `help COMMAND`, --help.
int showHelp(const std::vector<std::string>& about) {
  if (about.empty() || isHelpRequest(about.front())) return print(mainHelp());
  if (about.size() == 1 && about.front() == manualOption) return print(manualPage(allCommands(), VQSCOPE_VERSION));
  if (about.size() > 1)
    return fail(
        invalid("help expects one COMMAND, " + shortened(about[0]) + " and " + shortened(about[1]) + " were given"));
  if (const auto* command = findCommand(about.front())) return command->run({"--help"});
  return fail(unknownCommand(about.front()));
}

}  // namespace

const std::vector<const Command*>& allCommands() {
  static const std::vector<const Command*> all = [] {
    std::vector<const Command*> list{&listCommand(),      &exportCommand(),  &rowCommand(),    &diffCommand(),
                                     &recogniseCommand(), &checkCommand(),   &watchCommand(),  &configCommand(),
                                     &dialectsCommand(),  &snippetCommand(), &reportCommand(), &mcpCommand(),
                                     &ropeCommand(),      &headsCommand(),   &parityCommand()};
    list.insert(list.end(), addedCommands().commands.begin(), addedCommands().commands.end());
    list.push_back(&completionCommand());
    return list;
  }();
  return all;
}

bool isCommand(const std::vector<std::string>& arguments) {
  if (arguments.size() > 1 && isQuietRequest(arguments.front())) return isCommand(afterFirst(arguments));
  return !arguments.empty() && arguments.front() != newWindowOption &&
         (isKnown(arguments.front()) || looksLikeCommand(arguments.front()));
}

int runCommandLine(const std::vector<std::string>& arguments) {
  const std::string& name = arguments.front();
  if (arguments.size() > 1 && isQuietRequest(name)) return runCommandLine(quietLast(arguments));
  if (isVersionRequest(name)) return print("vqscope " VQSCOPE_VERSION "\n");
  if (isHelpRequest(name)) return showHelp(name == "help" ? afterFirst(arguments) : std::vector<std::string>());
  const auto* command = findCommand(name);
  if (!command) return fail(unknownCommand(name));
  const int status = command->run(afterFirst(arguments));
  showHeld();
  return status;
}

}  // namespace vqscope
