// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <vector>

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace vqscope {

/// An option, for the parser and for the help.
struct OptionLine {
  std::string name;   ///< "--set"
  std::string value;  ///< "NAME=VALUE"; empty: the option takes no value
  std::string help;
  bool takesMany = false;    ///< also takes the plain words after its value
  std::string choices = {};  ///< its values, for completion, with spaces between them; empty: any, or a file
  std::string (*listChoices)() = nullptr;  ///< makes them where that takes milliseconds
};

/// One value of an option, or a plain word.
struct GivenWord {
  std::optional<std::size_t> option;  ///< index of its line; nothing: a plain word
  std::string value;                  ///< empty for an option without a value
};

struct GivenLine {
  bool help = false;             ///< --help or -h: all other arguments are ignored
  bool quiet = false;            ///< --quiet or -q, which every command takes
  std::vector<GivenWord> words;  ///< in the order given
};

/// Parses everything after the command's name by the rules of CLI11: `--name value`,
/// `--name=value`, `--` before plain words that begin with a minus. A lone minus, and words that
/// begin like a negative number, are values or plain words.
Result<GivenLine> parseLine(std::span<const OptionLine> options, const std::vector<std::string>& arguments);

/// The usage, `about`, a line an option with its help, and `ending`.
std::string helpText(std::string_view usage, std::string_view about, std::span<const OptionLine> options,
                     std::string_view ending);

}  // namespace vqscope
