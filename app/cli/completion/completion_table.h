// SPDX-License-Identifier: GPL-3.0-or-later
// The commands, options, methods and parameters that a shell offers, from the tables of the commands
// and of the methods.
#pragma once

#include "app/cli/command.h"

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace vqscope {

/// What a word of a command line may be.
enum class WordKind { none, any, file, folder, method, experiment, curves, command, shell, key, list_key, choice };

struct CompletedOption {
  std::string name;                       ///< "--set"
  std::string about;                      ///< the first clause of its help
  WordKind value = WordKind::none;        ///< none: the option takes no value
  std::vector<std::string> choices = {};  ///< of WordKind::choice
};

struct CompletedCommand {
  std::string name;
  std::string about;
  WordKind word = WordKind::none;  ///< of the plain words after it
  std::vector<CompletedOption> options;
  bool statesMask = false;  ///< --set also takes what a mask is expected to be
};

struct CompletedMethod {
  std::string id;
  std::string about;
  std::vector<std::string> keys;   ///< of --set
  std::vector<std::string> lists;  ///< of --array
};

struct CompletionTable {
  std::vector<CompletedCommand> commands;
  std::vector<CompletedMethod> methods;  ///< the last one, expected_mask, has what a mask is expected to be
  std::vector<std::string> experiments;  ///< of `run`
  std::vector<std::string> curves;       ///< of `sweep`
  std::map<std::string, std::vector<std::string>> values;  ///< of the parameters with choices, by key
};

/// No id of a method.
inline constexpr std::string_view expected_mask = "(expected)";

CompletionTable completionTable(std::span<const Command* const> commands);

std::string bashCompletion(const CompletionTable& table);
std::string zshCompletion(const CompletionTable& table);
std::string fishCompletion(const CompletionTable& table);

}  // namespace vqscope
