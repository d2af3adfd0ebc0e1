// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/arguments/option_table.h"
#include "app/cli/command_line.h"
#include "app/cli/completion/completion_table.h"
#include "core/base/sentence.h"

namespace vqscope {
namespace {

struct CompletionArguments {
  bool help = false;
  std::string shell;
};

const OptionTable<CompletionArguments>& completionOptions() {
  static const OptionTable<CompletionArguments> none;
  return none;
}

Result<void> takeShell(CompletionArguments& arguments, const std::string& shell) {
  static const std::vector<std::string> known{"bash", "zsh", "fish"};
  if (std::ranges::count(known, shell) == 0)
    return invalid("SHELL is {} but must be bash, zsh or fish{}", shell.empty() ? "empty" : shortened(shell),
                   did_you_mean(shell, known));
  if (!arguments.shell.empty())
    return invalid("completion takes one SHELL, {} and {} were given", arguments.shell, shell);
  arguments.shell = shell;
  return {};
}

int runCompletion(const std::vector<std::string>& given) {
  CompletionArguments arguments;
  if (auto read = readArguments<CompletionArguments>(arguments, given, completionOptions(), takeShell); !read)
    return fail(read.error());
  if (arguments.help) return print(helpOf(completionCommand()));
  if (arguments.shell.empty()) return fail(invalid("completion needs a SHELL: bash, zsh or fish"));
  const CompletionTable table = completionTable(allCommands());
  if (arguments.shell == "bash") return print(bashCompletion(table));
  return print(arguments.shell == "zsh" ? zshCompletion(table) : fishCompletion(table));
}

}  // namespace

const Command& completionCommand() {
  static const Command command{.usage = "completion SHELL",
                               .summary = "completion of commands, methods and parameters for bash, zsh or fish",
                               .run = runCompletion,
                               .about = R"about(
Prints a script that completes commands, options, methods, the parameters of --set and their values. An installed
program has all three in their places. From a folder of one's own:

  bash: eval "$(vqscope completion bash)"                      in ~/.bashrc
  zsh:  eval "$(vqscope completion zsh)"                       in ~/.zshrc, after compinit
  fish: vqscope completion fish > ~/.config/fish/completions/vqscope.fish
)about",
                               .ending = R"(
Exit status: 0 done; 2 refused, with one line on stderr.

Example: vqscope completion bash > ~/.local/share/bash-completion/completions/vqscope
)",
                               .options = [] { return linesOf(completionOptions()); }};
  return command;
}

}  // namespace vqscope
