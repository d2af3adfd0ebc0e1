// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/completion/completion_table.h"

#include "core/base/text.h"
#include "core/catalogue/registry.h"
#include "core/lint/lint_case.h"

#include <algorithm>
#include <array>
#include <set>

namespace vqscope {
namespace {

/// At most a line of a menu: the first clause, cut at a space.
std::string firstClause(const std::string& help) {
  constexpr std::size_t longest = 72;
  std::size_t end = std::min({help.find("; "), help.find(": "), help.find(". "), help.size()});
  if (end > longest) end = help.rfind(' ', longest);
  std::string clause = help.substr(0, end);
  if (clause.ends_with('.') || clause.ends_with(',')) clause.pop_back();
  return clause;
}

/// The kind of a word from its placeholder in a usage or in the help of an option.
WordKind wordKindOf(std::string_view placeholder) {
  struct Row {
    std::string_view part;
    WordKind kind;
  };
  static constexpr std::array rows{Row{"METHOD", WordKind::method},   Row{"EXPERIMENT", WordKind::experiment},
                                   Row{"COMMAND", WordKind::command}, Row{"SHELL", WordKind::shell},
                                   Row{"=1,2,3", WordKind::list_key}, Row{"=VALUE", WordKind::key},
                                   Row{"FILE", WordKind::file},       Row{"MODEL", WordKind::file},
                                   Row{"MASK_FILE", WordKind::file},  Row{"FOLDER", WordKind::folder},
                                   Row{"DIR", WordKind::folder}};
  const auto has = [&](const Row& row) { return placeholder.find(row.part) != std::string_view::npos; };
  const auto found = std::ranges::find_if(rows, has);
  return found == rows.end() ? WordKind::any : found->kind;
}

CompletedOption completedOption(const OptionLine& line) {
  CompletedOption option{.name = line.name, .about = firstClause(line.help)};
  if (line.value.empty()) return option;
  option.value = wordKindOf(line.value);
  const std::string choices = line.listChoices ? line.listChoices() : line.choices;
  for (const auto choice : split(choices, ' '))
    if (!choice.empty()) option.choices.emplace_back(choice);
  if (!option.choices.empty()) option.value = WordKind::choice;
  return option;
}

CompletedCommand completedCommand(const Command& command) {
  CompletedCommand completed{.name = std::string(command.name()), .about = std::string(command.summary)};
  const auto words = split(command.usage, ' ');
  if (words.size() > 1 && words[1] != "[options]") completed.word = wordKindOf(words[1]);
  if (completed.name == "sweep") completed.word = WordKind::curves;
  for (const auto& line : command.options ? command.options() : std::vector<OptionLine>()) {
    completed.options.push_back(completedOption(line));
    if (line.name == "--objective") completed.statesMask = true;
  }
  completed.options.push_back({.name = "--help", .about = "show the help of this command"});
  completed.options.push_back({.name = "--quiet", .about = "print no notes, warnings or progress"});
  return completed;
}

void addValues(CompletionTable& table, const ParameterSpec& spec) {
  std::vector<std::string> values;
  for (const auto& choice : spec.choices) values.push_back(choice.id);
  if (spec.kind == ParameterKind::boolean) values = {"true", "false"};
  auto& all = table.values[spec.name];
  for (auto& value : values)
    if (std::ranges::count(all, value) == 0) all.push_back(std::move(value));
  if (all.empty()) table.values.erase(spec.name);
}

CompletedMethod completedMethod(CompletionTable& table, std::string id, std::string about,
                                std::span<const ParameterSpec> specs) {
  CompletedMethod method{.id = std::move(id), .about = std::move(about)};
  for (const auto& spec : specs) {
    method.keys.push_back(spec.name);
    if (is_number_list(spec.kind)) method.lists.push_back(spec.name);
    addValues(table, spec);
  }
  return method;
}

/// Tensors that a method reads stand after --array too.
void addInputs(CompletedMethod& completed, const Method& method) {
  if (!method.run()) return;
  for (const auto& input : method.run()->inputs) completed.lists.push_back(input.name);
  const auto& lists = completed.lists;
  if (std::ranges::count(lists, "q") > 0 && std::ranges::count(lists, "v") > 0) completed.lists.push_back("qkv");
}

}  // namespace

CompletionTable completionTable(std::span<const Command* const> commands) {
  CompletionTable table;
  for (const auto* command : commands) table.commands.push_back(completedCommand(*command));
  table.commands.push_back({.name = "help", .about = "the options of COMMAND", .word = WordKind::command});
  for (const auto& method : file_methods())
    table.methods.push_back(completedMethod(table, method.id, method.title, method.parameters));
  for (const auto& method : methods()) {
    auto completed = completedMethod(table, method.id, method.title, method.parameters);
    addInputs(completed, method);
    table.methods.push_back(std::move(completed));
    if (method.category == "experiments" || method.category == "memory") table.experiments.push_back(method.id);
    if (method.curves()) table.curves.push_back(method.id);
  }
  table.methods.push_back(completedMethod(table, std::string(expected_mask), "", lint_parameters()));
  return table;
}

}  // namespace vqscope
