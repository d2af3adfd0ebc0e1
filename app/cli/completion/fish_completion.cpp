// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/completion/completion_table.h"

#include "core/base/sentence.h"

namespace vqscope {
namespace {

/// In single quotes.
std::string fishWord(std::string_view text) {
  std::string all = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') all += '\\';
    all += c;
  }
  return all + "'";
}

/// Arguments of `complete` for the values of an option or for plain words.
std::string fishAction(WordKind kind, const std::vector<std::string>& choices, bool exclusive) {
  const std::string only = exclusive ? "-x -a " : "-a ";
  switch (kind) {
    case WordKind::none: return "";
    case WordKind::any: return exclusive ? "-x" : "";
    case WordKind::file: return exclusive ? "-r -F" : "";
    case WordKind::folder: return only + "'(__fish_complete_directories)'";
    case WordKind::method: return only + "'(__vqscope_methods)'";
    case WordKind::experiment: return only + "'(__vqscope_experiments)'";
    case WordKind::curves: return only + "'(__vqscope_curves)'";
    case WordKind::command: return "-f " + only + "'(__vqscope_commands)'";
    case WordKind::shell: return "-f " + only + "'bash zsh fish'";
    case WordKind::key: return only + "'(__vqscope_set keys)'";
    case WordKind::list_key: return only + "'(__vqscope_set lists)'";
    case WordKind::choice: return only + fishWord(join(choices, " "));
  }
  return "";
}

std::string fishCommand(const CompletedCommand& command) {
  const std::string when = fmt::format("complete -c vqscope -n '__fish_seen_subcommand_from {}'", command.name);
  std::string text =
      fmt::format("complete -c vqscope -n __fish_use_subcommand -a {} -d {}\n", command.name, fishWord(command.about));
  if (const auto words = fishAction(command.word, {}, false); !words.empty()) text += when + " " + words + "\n";
  for (const auto& option : command.options) {
    const auto value = fishAction(option.value, option.choices, true);
    text += fmt::format("{} -l {}{}{} -d {}\n", when, option.name.substr(2), value.empty() ? "" : " ", value,
                        fishWord(option.about));
  }
  return text;
}

std::string fishSwitch(std::string_view name, const CompletionTable& table,
                       std::vector<std::string> CompletedMethod::*member) {
  std::string text = fmt::format("function {}\n    switch $argv[1]\n", name);
  for (const auto& method : table.methods)
    if (!(method.*member).empty())
      text += fmt::format("        case '{}'\n            printf '%s\\n' {}\n", method.id, join(method.*member, " "));
  return text + "    end\nend\n";
}

std::string fishList(std::string_view name, const std::vector<std::string>& words) {
  return fmt::format("function {}\n    printf '%s\\n' {}\nend\n", name, words.empty() ? "" : join(words, " "));
}

std::string fishTables(const CompletionTable& table) {
  std::string methods = "function __vqscope_methods\n", values = "function __vqscope_values\n    switch $argv[1]\n";
  std::vector<std::string> commands, stating;
  for (const auto& command : table.commands) {
    commands.push_back(command.name);
    if (command.statesMask) stating.push_back(command.name);
  }
  for (const auto& method : table.methods)
    if (method.id != expected_mask)
      methods += fmt::format("    printf '%s\\t%s\\n' {} {}\n", method.id, fishWord(method.about));
  for (const auto& [key, words] : table.values)
    values += fmt::format("        case {}\n            printf '%s\\n' {}\n", key, join(words, " "));
  return methods + "end\n" + values + "    end\nend\n" + fishList("__vqscope_commands", commands) +
         fishList("__vqscope_stating", stating) + fishList("__vqscope_experiments", table.experiments) +
         fishList("__vqscope_curves", table.curves) + fishSwitch("__vqscope_keys", table, &CompletedMethod::keys) +
         fishSwitch("__vqscope_lists", table, &CompletedMethod::lists);
}

constexpr std::string_view fishCompleter = R"fish(
# NAME=VALUE: the parameters of the method on the line, or the values of the one that is given.
function __vqscope_set
    set -l words (commandline -opc)
    set -l current (string replace -r '^--[a-z-]+=' '' -- (commandline -ct))
    if string match -q '*=*' -- $current
        set -l key (string replace -r '=.*' '' -- $current)
        for value in (__vqscope_values $key)
            echo $key=$value
        end
        return
    end
    set -l method visibility
    for word in $words
        if contains -- $word (string replace -r '\t.*' '' -- (__vqscope_methods))
            set method $word
            break
        end
    end
    for key in (__vqscope_$argv[1] $method)
        echo $key=
    end
    if contains -- "$words[2]" (__vqscope_stating)
        for key in (__vqscope_$argv[1] '(expected)')
            echo $key=
        end
    end
end

)fish";

}  // namespace

std::string fishCompletion(const CompletionTable& table) {
  std::string text = "# fish completion for vqscope, printed by vqscope completion fish\n\n";
  text += fishTables(table) + std::string(fishCompleter);
  text += "complete -c vqscope -n __fish_use_subcommand -l help -d 'all commands'\n";
  text += "complete -c vqscope -n __fish_use_subcommand -l version -d 'the version of the program'\n";
  for (const auto& command : table.commands) text += fishCommand(command);
  return text;
}

}  // namespace vqscope
