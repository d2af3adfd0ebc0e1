// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/sentence.h"
#include "core/report/section/shown.h"
#include "core/session/command_arguments.h"

namespace vqscope {
namespace {

constexpr std::size_t longest_command = 400;

/// A command of several lines or of more than a few options is not read; the session has it all.
bool is_readable(const std::string& command) {
  return command.size() <= longest_command && command.find('\n') == std::string::npos;
}

/// The same without this file.
std::string plain_command(const ReportShown& shown) {
  const auto extent = shown.field ? std::optional(shown.field->extent()) : std::nullopt;
  return "vqscope export " + view_arguments(*shown.method, shown.values, shown.page, extent) + " --out " +
         shown.method->id + ".png";
}

}  // namespace

ReportSection commands_section(const ReportShown& shown) {
  ReportSection section{.title = "Reproduce it"};
  section.add(
      ReportText{"This file holds the session. VQScope opens it: drop it on the window, or give it to a command."});
  const std::string session = " --session " + shell_word(shown.request->file);
  std::string lines = "vqscope " + shell_word(shown.request->file) + "\n";
  if (shown.mask) lines += "vqscope check" + session + "\n";
  if (shown.mask && shown.place) lines += fmt::format("vqscope row {}{}\n", shown.place->row, session);
  lines += fmt::format("vqscope export {}{} --out {}.png {}.csv", shown.method->id, session, shown.method->id,
                       shown.method->id);
  section.add(ReportCode{"", lines});
  const std::string plain = plain_command(shown);
  std::string alone = is_readable(plain) ? plain : std::string();
  const std::string check = "vqscope check" + set_arguments(*shown.method, shown.values) +
                            lint_arguments(shown.page.lint, *shown.method, shown.values);
  if (shown.mask && is_readable(check)) alone += (alone.empty() ? "" : "\n") + check;
  if (!alone.empty()) section.add(ReportCode{"The same without this file:", alone});
  return section;
}

}  // namespace vqscope
