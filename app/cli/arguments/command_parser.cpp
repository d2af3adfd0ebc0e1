// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/arguments/command_parser.h"

#include "core/base/text.h"
#include "core/io/bytes/path_text.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <map>

namespace vqscope {
namespace {

constexpr int manyWords = 1 << 20;  // from 1 << 25 on, CLI11 splits [a,b] into two words
constexpr std::size_t optionColumn = 24;
constexpr std::size_t helpWidth = 120;
constexpr auto helpFlags = "-h,--help";
constexpr auto quietFlags = "-q,--quiet";
constexpr auto quietHelp = "print no notes, warnings or progress on stderr; refusals are printed";

/// Stands for a missing value. No argument of a program can contain a zero byte.
const std::string& missingValue() {
  static const std::string value(1, '\0');
  return value;
}

/// The value that CLI11 sets for a flag without a value.
constexpr auto flagIsSet = "true";

/// Lines of at most `width` characters.
std::string wrapped(const std::string& text, std::size_t width) {
  std::string lines;
  std::size_t column = 0;
  for (const auto word : split(text, ' ')) {
    if (column > 0) {
      const bool fits = column + 1 + word.size() <= width;
      lines += fits ? ' ' : '\n';
      column = fits ? column + 1 : 0;
    }
    lines += word;
    column += word.size();
  }
  return lines;
}

/// The usage comes first; the paragraphs contain their own empty lines.
class HelpFormatter : public CLI::Formatter {
 public:
  explicit HelpFormatter(std::string_view usage) : m_usage(usage) { column_width(optionColumn); }

  std::string make_help(const CLI::App* app, std::string, CLI::AppFormatMode mode) const override {
    return "vqscope " + m_usage + "\n" + app->get_description() + make_groups(app, mode) + app->get_footer();
  }
  std::string make_option_desc(const CLI::Option* option) const override {
    return wrapped(option->get_description(), helpWidth - optionColumn);
  }

 private:
  std::string m_usage;
};

/// A command's options in the form of CLI11.
class Parser {
 public:
  explicit Parser(std::span<const OptionLine> lines) : m_lines(lines) {
    m_app.set_help_flag(helpFlags, "show this help");
    m_quiet = m_app.add_flag(quietFlags, quietHelp)->multi_option_policy(takeAll);
    for (std::size_t i = 0; i < lines.size(); ++i) m_indices.emplace(addOption(lines[i]), i);
    m_app.add_option("words")->expected(manyWords)->allow_extra_args(false)->multi_option_policy(takeAll);
  }

  CLI::App& app() { return m_app; }

  Result<GivenLine> parse(const std::vector<std::string>& arguments) {
    // CLI11 reads a -- after an option as the end of its values.
    const auto end = std::ranges::find(arguments, "--");
    try {
      m_app.parse(reversed({arguments.begin(), end}));
      auto line = given();
      if (line && end != arguments.end())
        for (auto word = end + 1; word != arguments.end(); ++word) line->words.push_back({std::nullopt, *word});
      return line;
    } catch (const CLI::CallForHelp&) {
      return GivenLine{.help = true};
    } catch (const CLI::ExtrasError&) {
      const auto line = given();  // report that --threshold lacks a value before -inf is taken for an option
      return line ? unknown(m_app.remaining().front()) : line.error();
    } catch (const CLI::Error& error) {
      return invalid(shortened(error.what(), 300));
    }
  }

 private:
  CLI::Option* addOption(const OptionLine& line) {
    if (line.value.empty()) return m_app.add_flag(line.name, line.help)->multi_option_policy(takeAll);
    // With a minimum of 1, CLI11 would take the next option for the value.
    return m_app.add_option(line.name, line.help)
        ->option_text(line.value)
        ->expected(0, line.takesMany ? manyWords : 1)
        ->allow_extra_args(false)
        ->default_str(missingValue())
        ->multi_option_policy(takeAll);
  }

  /// Whether a word that CLI11 would read as an option is a value: a tensor on standard input, or
  /// several words of a panel.
  static bool isValue(const std::string& word) {
    const std::string_view name = std::string_view(word).substr(0, word.find('='));
    return word.starts_with("-:") || word.starts_with("-[") || (word.starts_with("--") && name.find(' ') != name.npos);
  }

  /// Arguments in the form of CLI11. `--name=` is an empty value, which CLI11 would read as no
  /// value.
  static std::vector<std::string> reversed(const std::vector<std::string>& arguments) {
    std::vector<std::string> words;
    for (const auto& argument : arguments) {
      const bool isOpen =
          !words.empty() && words.back().starts_with("--") && words.back().find('=') == std::string::npos;
      if (isOpen && isValue(argument)) {
        words.back() += "=" + argument;
        continue;
      }
      std::string word = argument;
      const bool isEmptyValue = word.size() > 3 && word.starts_with("--") && word.find('=') == word.size() - 1;
      if (isEmptyValue) word.pop_back();
      words.push_back(std::move(word));
      if (isEmptyValue) words.emplace_back();
    }
    std::ranges::reverse(words);
    return words;
  }

  Result<GivenLine> given() const {
    GivenLine line;
    std::map<const CLI::Option*, std::size_t> taken;
    for (const CLI::Option* option : m_app.parse_order()) {
      const std::string& value = option->results()[taken[option]++];
      if (option == m_quiet) {
        if (value != flagIsSet) return invalid("--quiet takes no value");
        line.quiet = true;
        continue;
      }
      const auto index = m_indices.find(option);
      if (index == m_indices.end()) {
        line.words.push_back({std::nullopt, value});
        continue;
      }
      const OptionLine& known = m_lines[index->second];
      const bool isFlag = known.value.empty();
      if (isFlag && value != flagIsSet) return invalid(known.name + " takes no value");
      if (value == missingValue()) return invalid(known.name + " needs a value");
      line.words.push_back({index->second, isFlag ? std::string() : value});
    }
    return line;
  }

  Error unknown(const std::string& word) const {
    const std::string name = word.substr(0, word.find('='));
    std::vector<std::string> known{"--help", "--quiet"};
    for (const auto& line : m_lines) known.push_back(line.name);
    return invalid("unknown option " + shortened(name) + did_you_mean(name, known));
  }

  static constexpr auto takeAll = CLI::MultiOptionPolicy::TakeAll;

  std::span<const OptionLine> m_lines;
  CLI::App m_app;
  const CLI::Option* m_quiet = nullptr;
  std::map<const CLI::Option*, std::size_t> m_indices;
};

}  // namespace

Result<GivenLine> parseLine(std::span<const OptionLine> options, const std::vector<std::string>& arguments) {
  return Parser(options).parse(arguments);
}

std::string helpText(std::string_view usage, std::string_view about, std::span<const OptionLine> options,
                     std::string_view ending) {
  Parser parser(options);
  parser.app().description(std::string(about));
  parser.app().footer(std::string(ending));
  parser.app().formatter(std::make_shared<HelpFormatter>(usage));
  return parser.app().help();
}

}  // namespace vqscope
