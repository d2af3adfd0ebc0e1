// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/command_line.h"

#include "app/cli/check_command.h"
#include "app/cli/config_command.h"
#include "app/cli/dialects_command.h"
#include "app/cli/diff_command.h"
#include "app/cli/export_command.h"
#include "app/cli/help.h"
#include "app/cli/list_command.h"
#include "app/cli/recognise_command.h"
#include "app/cli/row_command.h"
#include "app/cli/run_command.h"
#include "app/process/application.h"
#include "app/process/console.h"
#include "core/base/text.h"
#include "widgets/parts/file_name.h"

#include <QFileInfo>
#include <QRegularExpression>

#include <string>
#include <vector>

namespace vqscope {
namespace {

const std::vector<std::string>& commandNames() {
  static const std::vector<std::string> all{"list",   "export",   "row", "diff",   "recognise", "check",
                                            "config", "dialects", "run", "--help", "--version"};
  return all;
}

bool isKnown(const QString& name) {
  for (const auto& known : commandNames())
    if (name == known.c_str()) return true;
  return name == "-h";
}

/// A plain word that is no file was meant as a command. One dash alone begins an option of Qt's own.
bool looksLikeCommand(const QString& first) {
  static const QRegularExpression word("^[A-Za-z_]+$");
  return first.startsWith("--") || (word.match(first).hasMatch() && !QFileInfo::exists(first));
}

Error unknownCommand(const QString& name) {
  const std::string kind = name.startsWith('-') ? "unknown option " : "unknown command ";
  return invalid(kind + shownText(name) + did_you_mean(bytesOf(name), commandNames()) + " (vqscope --help shows all)");
}

}  // namespace

bool isCommand(const QStringList& arguments) {
  return !arguments.isEmpty() && (isKnown(arguments.first()) || looksLikeCommand(arguments.first()));
}

int runCommandLine(const QStringList& arguments) {
  keepErrorsAlone();
  const QString& name = arguments.first();
  if (name == "--version") return print("vqscope " VQSCOPE_VERSION "\n");
  if (name == "--help" || name == "-h") return print(mainHelp());
  if (name == "list") return runList(arguments.mid(1));
  if (name == "export") return runExport(arguments.mid(1));
  if (name == "row") return runRow(arguments.mid(1));
  if (name == "diff") return runDiff(arguments.mid(1));
  if (name == "recognise") return runRecognise(arguments.mid(1));
  if (name == "check") return runCheck(arguments.mid(1));
  if (name == "config") return runConfig(arguments.mid(1));
  if (name == "dialects") return runDialects(arguments.mid(1));
  if (name == "run") return runExperiment(arguments.mid(1));
  return fail(unknownCommand(name));
}

}  // namespace vqscope
