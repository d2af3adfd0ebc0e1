// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/completion/completion_table.h"

#include "core/base/sentence.h"

namespace vqscope {
namespace {

/// Within single quotes of a specification for _arguments or _describe.
std::string zshText(std::string_view text) {
  std::string all;
  for (const char c : text) {
    if (c == '\'') {
      all += "'\\''";
      continue;
    }
    if (c == '[' || c == ']' || c == ':' || c == '\\') all += '\\';
    all += c;
  }
  return all;
}

/// The function of zsh that completes a kind of word.
std::string zshAction(WordKind kind, const std::vector<std::string>& choices) {
  switch (kind) {
    case WordKind::none:
    case WordKind::any: return " ";
    case WordKind::file: return "_files";
    case WordKind::folder: return "_files -/";
    case WordKind::method: return "_vqscope_methods";
    case WordKind::experiment: return "compadd -a _vqscope_experiments";
    case WordKind::curves: return "compadd -a _vqscope_curves";
    case WordKind::command: return "_vqscope_commands";
    case WordKind::shell: return "(bash zsh fish)";
    case WordKind::key: return "_vqscope_set keys";
    case WordKind::list_key: return "_vqscope_set lists";
    case WordKind::choice: break;
  }
  return "(" + join(choices, " ") + ")";
}

/// A case of _vqscope.
std::string zshCase(const CompletedCommand& command) {
  std::string text =
      fmt::format("    {})\n      stating={}\n      _arguments -S", command.name, command.statesMask ? 1 : 0);
  for (const auto& option : command.options) {
    const bool hasValue = option.value != WordKind::none;
    text += fmt::format(" \\\n        '*{}{}[{}]", option.name, hasValue ? "=" : "", zshText(option.about));
    if (hasValue) text += ":value:" + zshAction(option.value, option.choices);
    text += "'";
  }
  const bool isMethod =
      command.word == WordKind::method || command.word == WordKind::experiment || command.word == WordKind::curves;
  if (command.word != WordKind::none)
    text += fmt::format(" \\\n        '{}:word:{}'", isMethod ? "1" : "*", zshAction(command.word, {}));
  if (isMethod) text += " \\\n        '*:file:_files'";
  return text + " ;;\n";
}

std::string zshArray(std::string_view name, const std::vector<std::string>& words) {
  return fmt::format("{}=({})\n", name, join(words, " "));
}

std::string zshKeys(const CompletionTable& table, std::string_view name,
                    std::vector<std::string> CompletedMethod::*member) {
  std::string text = fmt::format("{}() {{\n  case $1 in\n", name);
  for (const auto& method : table.methods)
    if (!(method.*member).empty())
      text += fmt::format("    '{}') reply=({}) ;;\n", method.id, join(method.*member, " "));
  return text + "    *) reply=() ;;\n  esac\n}\n";
}

std::string zshTables(const CompletionTable& table) {
  std::string commands, methods, values;
  for (const auto& command : table.commands)
    commands += fmt::format("    '{}:{}'\n", command.name, zshText(command.about));
  for (const auto& method : table.methods)
    if (method.id != expected_mask) methods += fmt::format("    '{}:{}'\n", method.id, zshText(method.about));
  for (const auto& [key, words] : table.values) values += fmt::format("    {}) reply=({}) ;;\n", key, join(words, " "));
  return "_vqscope_commands() {\n  local -a all=(\n" + commands + "  )\n  _describe -t commands command all\n}\n" +
         "_vqscope_methods() {\n  local -a all=(\n" + methods + "  )\n  _describe -t methods method all\n}\n" +
         "_vqscope_values() {\n  case $1 in\n" + values + "    *) reply=() ;;\n  esac\n}\n" +
         zshKeys(table, "_vqscope_keys", &CompletedMethod::keys) +
         zshKeys(table, "_vqscope_lists", &CompletedMethod::lists);
}

constexpr std::string_view zshCompleter = R"zsh(
# NAME=VALUE: the parameters of the method on the line, or the values of the one that is given.
_vqscope_set() {
  local -a reply all
  local method=visibility kind=${@[-1]} word key  # _arguments puts options of compadd before it
  for word in $words; do
    (( ${_vqscope_ids[(Ie)$word]} )) && method=$word && break
  done
  if compset -P '*='; then
    key=${${IPREFIX%=}##*=}
    _vqscope_values $key
    if (( $#reply )); then compadd -a reply; else _files; fi
    return
  fi
  _vqscope_$kind $method
  all=($reply)
  if (( stating )); then
    _vqscope_$kind '(expected)'
    all+=($reply)
  fi
  compadd -S = -a all
}

_vqscope() {
  local -a _vqscope_experiments _vqscope_curves _vqscope_ids
  local stating=0
)zsh";

constexpr std::string_view zshDispatch = R"zsh(  if (( CURRENT == 2 )); then
    _vqscope_commands
    _files
    return
  fi
  shift words
  (( CURRENT-- ))
  case $words[1] in
)zsh";

}  // namespace

std::string zshCompletion(const CompletionTable& table) {
  std::vector<std::string> ids;
  for (const auto& method : table.methods)
    if (method.id != expected_mask) ids.push_back(method.id);
  std::string text = "#compdef vqscope\n# zsh completion for vqscope, printed by vqscope completion zsh\n\n";
  text += zshTables(table) + std::string(zshCompleter);
  text += zshArray("  _vqscope_experiments", table.experiments) + zshArray("  _vqscope_curves", table.curves) +
          zshArray("  _vqscope_ids", ids);
  text += zshDispatch;
  for (const auto& command : table.commands) text += zshCase(command);
  return text + "    *) _files ;;\n  esac\n}\n\n" +
         "if [[ $funcstack[1] == _vqscope ]]; then _vqscope \"$@\"; else compdef _vqscope vqscope; fi\n";
}

}  // namespace vqscope
