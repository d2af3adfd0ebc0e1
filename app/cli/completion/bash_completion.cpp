// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/completion/completion_table.h"

#include "core/base/sentence.h"

namespace vqscope {
namespace {

/// What _vqscope_complete does for a kind of word.
std::string_view bashAction(WordKind kind) {
  switch (kind) {
    case WordKind::none:
    case WordKind::any: return "any";
    case WordKind::file: return "files";
    case WordKind::folder: return "folders";
    case WordKind::method: return "methods";
    case WordKind::experiment: return "experiments";
    case WordKind::curves: return "curves";
    case WordKind::command: return "commands";
    case WordKind::shell: return "shells";
    case WordKind::key: return "keys";
    case WordKind::list_key: return "lists";
    case WordKind::choice: return "words";
  }
  return "any";
}

/// Ids and names are letters, digits and lines: they need no quotes of their own.
std::string bashCase(std::string_view pattern, std::string_view words) {
  return fmt::format("    '{}') echo '{}' ;;\n", pattern, words);
}

std::string bashFunction(std::string_view name, std::string_view subject, std::string_view lines) {
  return fmt::format("{}() {{\n  case {} in\n{}  esac\n}}\n", name, subject, lines);
}

std::string bashOptions(const CompletionTable& table) {
  std::string options, actions, words;
  for (const auto& command : table.commands) {
    std::vector<std::string> names;
    for (const auto& option : command.options) {
      names.push_back(option.name);
      if (option.value == WordKind::none) continue;
      std::string action(bashAction(option.value));
      for (const auto& choice : option.choices) action += " " + choice;
      actions += bashCase(command.name + " " + option.name, action);
    }
    options += bashCase(command.name, join(names, " "));
    words += bashCase(command.name, bashAction(command.word));
  }
  return bashFunction("_vqscope_options", "\"$1\"", options) + bashFunction("_vqscope_action", "\"$1 $2\"", actions) +
         bashFunction("_vqscope_word", "\"$1\"", words);
}

std::string bashMethods(const CompletionTable& table) {
  std::string keys, lists, values;
  for (const auto& method : table.methods) {
    keys += bashCase(method.id, join(method.keys, " "));
    if (!method.lists.empty()) lists += bashCase(method.id, join(method.lists, " "));
  }
  for (const auto& [key, words] : table.values) values += bashCase(key, join(words, " "));
  return bashFunction("_vqscope_keys", "\"$1\"", keys) + bashFunction("_vqscope_lists", "\"$1\"", lists) +
         bashFunction("_vqscope_values", "\"$1\"", values);
}

constexpr std::string_view bashCompleter = R"bash(
# What the shell passed, with spaces alone between the words: readline also splits them at = and :.
_vqscope() {
  local cur prev command method action word lead
  local -a words
  read -ra words <<<"${COMP_LINE:0:COMP_POINT}"
  case ${COMP_LINE:0:COMP_POINT} in *[[:space:]]) words+=('') ;; esac
  cur=${words[${#words[@]} - 1]}
  prev=''
  ((${#words[@]} < 3)) || prev=${words[${#words[@]} - 2]}
  command=''
  method=''
  for word in "${words[@]:1:${#words[@]}-2}"; do
    if [[ -z $command && $word != -* ]]; then
      command=$word
    elif [[ -z $method && " $_vqscope_methods " == *" $word "* ]]; then
      method=$word
    fi
  done
  COMPREPLY=()
  if [[ -z $command ]]; then
    COMPREPLY=($(compgen -W "$_vqscope_commands --help --version" -- "$cur"))
    [[ $cur == -* ]] || COMPREPLY+=($(compgen -f -- "$cur"))
    return
  fi
  if [[ $cur == --*=* ]]; then
    prev=${cur%%=*}
    cur=${cur#*=}
  fi
  action=$(_vqscope_action "$command" "$prev")
  if [[ -z $action ]]; then
    if [[ $cur == -* ]]; then
      action="words $(_vqscope_options "$command")"
    else
      action=$(_vqscope_word "$command")
      case $action in methods | experiments | curves) [[ -z $method ]] || action=files ;; esac
    fi
  fi
  lead=''
  case $COMP_WORDBREAKS in *=*) lead=${cur%"${cur##*[=:]}"} ;; esac
  _vqscope_complete "$action" "${method:-visibility}" "$command"
  [[ -z $lead ]] || COMPREPLY=("${COMPREPLY[@]#"$lead"}")
}

_vqscope_complete() {
  local found=''
  case $1 in
    files) compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- "$cur")) ;;
    folders) compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -d -- "$cur")) ;;
    methods) found=$_vqscope_methods ;;
    experiments) found=$_vqscope_experiments ;;
    curves) found=$_vqscope_curves ;;
    commands) found=$_vqscope_commands ;;
    shells) found='bash zsh fish' ;;
    words*) found=${1#words} ;;
    keys | lists)
      if [[ $cur == *=* ]]; then
        found=$(_vqscope_values "${cur%%=*}")
        if [[ -n $found ]]; then
          COMPREPLY=($(compgen -P "${cur%%=*}=" -W "$found" -- "${cur#*=}"))
        else
          COMPREPLY=($(compgen -P "${cur%%=*}=" -f -- "${cur#*=}"))
        fi
        return
      fi
      found=$("_vqscope_$1" "$2")
      case " $_vqscope_stating " in *" $3 "*) found+=" $("_vqscope_$1" '(expected)')" ;; esac
      compopt -o nospace 2>/dev/null
      COMPREPLY=($(compgen -S = -W "$found" -- "$cur"))
      return ;;
  esac
  [[ -z $found ]] || COMPREPLY=($(compgen -W "$found" -- "$cur"))
}

complete -o bashdefault -F _vqscope vqscope
)bash";

}  // namespace

std::string bashCompletion(const CompletionTable& table) {
  std::vector<std::string> commands, stating, methods;
  for (const auto& command : table.commands) {
    commands.push_back(command.name);
    if (command.statesMask) stating.push_back(command.name);
  }
  for (const auto& method : table.methods)
    if (method.id != expected_mask) methods.push_back(method.id);
  return "# bash completion for vqscope, printed by vqscope completion bash\n# shellcheck disable=SC2207\n" +
         fmt::format("_vqscope_commands='{}'\n_vqscope_stating='{}'\n", join(commands, " "), join(stating, " ")) +
         fmt::format("_vqscope_methods='{}'\n", join(methods, " ")) +
         fmt::format("_vqscope_experiments='{}'\n", join(table.experiments, " ")) +
         fmt::format("_vqscope_curves='{}'\n", join(table.curves, " ")) + bashOptions(table) + bashMethods(table) +
         std::string(bashCompleter);
}

}  // namespace vqscope
