// SPDX-License-Identifier: GPL-3.0-or-later
// What commands that take options have in common. `Arguments` is what they are read into.
#pragma once

#include "core/base/index.h"
#include "core/base/result.h"
#include "core/base/text.h"
#include "core/mask/import/mask_dump.h"
#include "widgets/parts/file_name.h"

#include <QStringList>

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace vqscope {

/// `--set name=value` or `--array name=1,2,3`.
struct Setting {
  std::string name;
  std::string value;
  bool array = false;
  bool stated = false;  ///< by an option of the contract's own: --window 96
};

/// `a:b`; an end that was left out is the matrix's.
struct PartialRange {
  std::optional<Index> begin;
  std::optional<Index> end;
};

/// What every command is told that makes the matrix or the curves of a method.
struct MethodArguments {
  bool help = false;
  std::string method;
  std::vector<Setting> settings;
  std::optional<QString> session;
  std::optional<QString> mask;  ///< a file with a mask as text or cells; "-": a text on standard input
  DumpOptions dump;             ///< how cells are read, of --mask and --minus-mask
};

/// And of a matrix to subtract, or to compare to.
struct ComparedArguments : MethodArguments {
  std::vector<Setting> minus;
  std::optional<QString> minusMask;
};

/// What an option or a plain word does with its value; options without a value are given an empty one.
template <class Arguments>
using OptionAction = std::function<Result<void>(Arguments&, const QString& value)>;

template <class Arguments>
struct Option {
  bool takesValue = true;
  OptionAction<Arguments> action;
  bool takesMany = false;  ///< also the plain words after its value
};

template <class Arguments>
using OptionTable = std::map<QString, Option<Arguments>>;

/// "--dpi is 7, must be an integer from 36 to 1200".
Error refusedOption(std::string_view option, const QString& given, std::string_view expected);

/// Adds what stands after `--out` to the files to write; one of them twice is refused.
Result<void> addOutput(QStringList& outputs, const QString& path);

/// Of any command's arguments that have `outputs`.
template <class Arguments>
Option<Arguments> outputOption() {
  return {true, [](Arguments& arguments, const QString& path) { return addOutput(arguments.outputs, path); }, true};
}

Result<Setting> parseSetting(std::string_view option, const QString& text, bool array);
Result<PartialRange> parsePartialRange(std::string_view option, const QString& text);

/// Not what begins as a negative number does, which is a value, if a wrong one.
bool isOption(const QString& argument);

template <class Arguments>
Option<Arguments> flagOption(bool Arguments::*member) {
  return {false, [=](Arguments& a, const QString&) -> Result<void> {
            a.*member = true;
            return {};
          }};
}

template <class Arguments>
Option<Arguments> settingOption(const char* option, std::vector<Setting> Arguments::*member, bool array) {
  return {true, [=](Arguments& a, const QString& text) -> Result<void> {
            auto setting = parseSetting(option, text, array);
            if (!setting) return setting.error();
            (a.*member).push_back(std::move(*setting));
            return {};
          }};
}

template <class Arguments>
Option<Arguments> rangeOption(const char* option, std::optional<PartialRange> Arguments::*member) {
  return {true, [=](Arguments& a, const QString& text) -> Result<void> {
            const auto range = parsePartialRange(option, text);
            if (!range) return range.error();
            a.*member = *range;
            return {};
          }};
}

Result<void> readPolarity(DumpOptions& dump, const QString& text);
Result<void> readThreshold(DumpOptions& dump, const QString& text);
Result<void> readDumpIndex(const char* option, Index& index, const QString& text);

template <class Arguments>
Option<Arguments> maskFileOption(const char* option, std::optional<QString> Arguments::*member) {
  return {true, [=](Arguments& a, const QString& path) -> Result<void> {
            if (path.isEmpty()) return refusedOption(option, path, "a file, or - for standard input");
            a.*member = path;
            return {};
          }};
}

/// --set, --array, --session, --mask with --name, --polarity, --batch, --head and --threshold, and --help.
template <class Arguments>
OptionTable<Arguments> methodOptions() {
  const auto session = [](Arguments& a, const QString& path) -> Result<void> {
    a.session = path;
    return {};
  };
  const auto name = [](Arguments& a, const QString& text) -> Result<void> {
    a.settings.push_back({"mask_function", bytesOf(text), false});
    return {};
  };
  const auto polarity = [](Arguments& a, const QString& text) { return readPolarity(a.dump, text); };
  const auto threshold = [](Arguments& a, const QString& text) { return readThreshold(a.dump, text); };
  const auto batch = [](Arguments& a, const QString& text) { return readDumpIndex("--batch", a.dump.batch, text); };
  const auto head = [](Arguments& a, const QString& text) { return readDumpIndex("--head", a.dump.head, text); };
  return {{"--set", settingOption<Arguments>("--set", &Arguments::settings, false)},
          {"--array", settingOption<Arguments>("--array", &Arguments::settings, true)},
          {"--session", {true, session}},
          {"--mask", maskFileOption<Arguments>("--mask", &Arguments::mask)},
          {"--name", {true, name}},
          {"--polarity", {true, polarity}},
          {"--threshold", {true, threshold}},
          {"--batch", {true, batch}},
          {"--head", {true, head}},
          {"--help", flagOption<Arguments>(&Arguments::help)},
          {"-h", flagOption<Arguments>(&Arguments::help)}};
}

/// --minus and --minus-mask.
template <class Arguments>
void addMinusOptions(OptionTable<Arguments>& table) {
  table["--minus"] = settingOption<Arguments>("--minus", &Arguments::minus, false);
  table["--minus-mask"] = maskFileOption<Arguments>("--minus-mask", &Arguments::minusMask);
}

template <class Arguments>
Error unknownOption(const QString& name, const OptionTable<Arguments>& options) {
  std::vector<std::string> known;
  for (const auto& [option, unused] : options) known.push_back(bytesOf(option));
  return invalid("unknown option " + shownText(name) + did_you_mean(bytesOf(name), known));
}

/// One option with its values, from arguments[at] on; the index after them.
template <class Arguments>
Result<qsizetype> readOption(Arguments& parsed, const QStringList& arguments, qsizetype at,
                             const OptionTable<Arguments>& options) {
  const qsizetype equals = arguments[at].indexOf('=');
  const QString name = arguments[at].left(equals);
  const auto found = options.find(name);
  if (found == options.end()) return unknownOption(name, options);
  const Option<Arguments>& option = found->second;
  if (!option.takesValue && equals >= 0) return invalid(bytesOf(name) + " takes no value");
  const bool separate = option.takesValue && equals < 0;
  if (separate && (at + 1 == arguments.size() || isOption(arguments[at + 1])))
    return invalid(bytesOf(name) + " needs a value");
  const QString value = separate ? arguments[at + 1] : equals < 0 ? QString() : arguments[at].mid(equals + 1);
  if (auto done = option.action(parsed, value); !done) return done.error();
  qsizetype next = at + (separate ? 2 : 1);
  for (; option.takesMany && next < arguments.size() && !isOption(arguments[next]); ++next)
    if (auto done = option.action(parsed, arguments[next]); !done) return done.error();
  return next;
}

/// Everything after the command's name; `word` takes what is no option.
template <class Arguments>
Result<void> readArguments(Arguments& parsed, const QStringList& arguments, const OptionTable<Arguments>& options,
                           const OptionAction<Arguments>& word) {
  for (qsizetype at = 0; at < arguments.size();) {
    if (isOption(arguments[at])) {
      const auto next = readOption(parsed, arguments, at, options);
      if (!next) return next.error();
      at = *next;
    } else if (auto read = word(parsed, arguments[at++]); !read) {
      return read;
    }
  }
  return {};
}

/// Of a command about the mask that `visibility` makes, which takes options alone.
template <class Arguments>
Result<Arguments> readMaskArguments(const char* command, const QStringList& arguments,
                                    const OptionTable<Arguments>& options) {
  Arguments parsed;
  parsed.method = "visibility";
  const OptionAction<Arguments> refuse = [=](Arguments&, const QString& word) -> Result<void> {
    return invalid(std::string(command) + " takes no " + shownText(word) + ", give options");
  };
  if (auto read = readArguments(parsed, arguments, options, refuse); !read) return read.error();
  return parsed;
}

}  // namespace vqscope
