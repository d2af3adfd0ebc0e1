// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/manual/manual_page.h"

#include "app/cli/manual/manual_facts.h"
#include "core/base/sentence.h"

#include <vector>

namespace vqscope {
namespace {

/// The help of a command says these once for all.
constexpr std::string_view commonOptions =
    ".TP\n\\fB\\-h\\fR, \\fB\\-\\-help\\fR\nShow the help of the command.\n"
    ".TP\n\\fB\\-q\\fR, \\fB\\-\\-quiet\\fR\nPrint no notes, warnings or progress on stderr; refusals are printed.\n"
    ".TP\n\\fB\\-V\\fR, \\fB\\-\\-version\\fR\nPrint the version of the program.\n"
    ".TP\n\\fB\\-\\-\\fR\nEnds the options: words after it may begin with a minus.\n";

/// A line of text; a control character of troff at its beginning becomes a plain one.
std::string escapedText(std::string_view text) {
  std::string all;
  if (text.starts_with('.') || text.starts_with('\'')) all = "\\&";
  for (const char c : text) {
    if (c == '\\')
      all += "\\e";
    else if (c == '-')
      all += "\\-";
    else
      all += c;
  }
  return all;
}

std::string tagged(std::string_view term, std::string_view text) {
  return fmt::format(".TP\n\\fB{}\\fR\n{}\n", escapedText(term), escapedText(text));
}

/// Text as in the help: paragraphs, and indented lines as they are.
std::string paragraphs(std::string_view text) {
  std::string all;
  bool isCode = false;
  bool isBreak = false;
  for (const auto line : split(trimmed(text), '\n')) {
    if (line.empty()) {
      isBreak = true;
      continue;
    }
    const bool indented = line.starts_with(' ');
    if (isCode && !indented) all += ".fi\n";
    if (isBreak || indented != isCode) all += ".PP\n";
    if (!isCode && indented) all += ".nf\n";
    all += escapedText(line) + "\n";
    isCode = indented;
    isBreak = false;
  }
  return all + (isCode ? ".fi\n" : "");
}

std::string linesOfOptions(std::span<const OptionLine> options) {
  std::string all;
  for (const auto& option : options)
    all +=
        fmt::format(".TP\n\\fB{}\\fR{}\n{}\n", escapedText(option.name),
                    option.value.empty() ? "" : " \\fI" + escapedText(option.value) + "\\fR", escapedText(option.help));
  return all;
}

/// Where the examples of an ending begin.
std::size_t examplesAt(std::string_view ending) {
  const auto at = ending.find("\nExample");
  return at == std::string_view::npos ? ending.size() : at;
}

/// The command lines of an ending's examples; the rest of a long one is indented.
std::string examplesOf(const Command& command) {
  std::string lines;
  bool goesOn = false;
  for (const auto line : split(command.ending.substr(examplesAt(command.ending)), '\n')) {
    std::string_view words = trimmed(line);
    for (const std::string_view lead : {"Examples:", "Example:"})
      if (words.starts_with(lead)) words = trimmed(words.substr(lead.size()));
    if (!words.empty()) lines += (goesOn ? "    " : "") + escapedText(words) + "\n";
    goesOn = words.ends_with('\\');
  }
  return lines.empty() ? ""
                       : fmt::format(".PP\n{}:\n.PP\n.nf\n.RS 4\n{}.RE\n.fi\n", escapedText(command.summary), lines);
}

std::string sectionOf(const Command& command) {
  std::string all = fmt::format(".SS {}\n{}.\n", "\"vqscope " + escapedText(command.usage) + "\"", [&] {
    std::string summary = escapedText(command.summary);
    if (!summary.empty() && summary[0] >= 'a' && summary[0] <= 'z')
      summary[0] = static_cast<char>(summary[0] - 'a' + 'A');
    return summary;
  }());
  if (!command.about.empty()) all += ".PP\n" + paragraphs(command.about);
  const auto options = command.options ? command.options() : std::vector<OptionLine>();
  all += linesOfOptions(options);
  return all + ".PP\n" + paragraphs(command.ending.substr(0, examplesAt(command.ending)));
}

std::string synopsis(std::span<const Command* const> commands) {
  std::string all = ".B vqscope\n[\\fIFILE\\fR]...\n.br\n.B vqscope \\-\\-new\\-window\n[\\fIFILE\\fR]...\n";
  for (const auto* command : commands) {
    const auto space = command->usage.find(' ');
    all += fmt::format(".br\n.B vqscope {}\n", escapedText(command->name()));
    if (space != std::string_view::npos) all += escapedText(command->usage.substr(space + 1)) + "\n";
  }
  return all + ".br\n.B vqscope help\n[\\fICOMMAND\\fR]\n.br\n.B vqscope \\-\\-version\n";
}

template <class Entries>
std::string entries(const Entries& all) {
  std::string text;
  for (const ManualEntry& entry : all) text += tagged(entry.term, entry.text);
  return text;
}

constexpr std::string_view description = R"(
VQScope shows how attention knows about position: masks, position encodings, a model's layers and vector-quantised
attention, exact at any length. Without a command it opens the workbench with the FILEs: a session, a mask, a config of
a model, tensors, or two models to compare. A word that is no file is read as a command.

The window and the commands write the same bytes. Files are written whole or not at all.
)";

}  // namespace

std::string manualPage(std::span<const Command* const> commands, const std::string& version) {
  std::string page = fmt::format(".TH VQSCOPE 1 \"\" \"VQScope {}\" \"User Commands\"\n", version);
  page += ".SH NAME\nvqscope \\- see how attention knows about position\n.SH SYNOPSIS\n" + synopsis(commands);
  page += ".SH DESCRIPTION\n" + paragraphs(description) + ".SH OPTIONS\n" + std::string(commonOptions);
  page += ".SH COMMANDS\n";
  for (const auto* command : commands) page += sectionOf(*command);
  page += ".SH EXAMPLES\n";
  for (const auto* command : commands) page += examplesOf(*command);
  page += ".SH \"EXIT STATUS\"\n" + entries(exit_statuses) + ".SH ENVIRONMENT\n" + entries(environment_variables);
  page += ".SH FILES\n" + entries(manual_files);
  return page +
         ".SH COPYRIGHT\nFree software under the GNU General Public License, version 3 or later.\n"
         ".SH \"SEE ALSO\"\nThe guide is in the window (F1) and in the folder doc/vqscope/guide beside this page.\n";
}

}  // namespace vqscope
