// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/export_arguments.h"

#include "core/base/text.h"
#include "widgets/export/figure.h"
#include "widgets/paint/colour_map.h"

#include <QFileInfo>

#include <algorithm>
#include <functional>
#include <map>

namespace vqscope {
namespace {

/// What an option does with its value; options without a value are given an empty one.
using Action = std::function<Result<void>(ExportArguments&, const QString& value)>;

struct Option {
  bool takesValue = true;
  Action action;
};

Error refused(std::string_view option, const QString& given, std::string_view expected) {
  return invalid(std::string(option) + " is " + (given.isEmpty() ? "empty" : given.toStdString()) + ", must be " +
                 std::string(expected));
}

Action setting(const char* option, std::vector<Setting> ExportArguments::*member, bool array) {
  return [=](ExportArguments& arguments, const QString& text) -> Result<void> {
    const qsizetype equals = text.indexOf('=');
    if (equals < 1) return refused(option, text, array ? "name=1,2,3" : "name=value");
    (arguments.*member).push_back({text.left(equals).toStdString(), text.mid(equals + 1).toStdString(), array});
    return {};
  };
}

/// An empty text is an end left out; anything else must be a number.
bool readEnd(std::string_view text, std::optional<Index>& end) {
  end = parse_index(text);
  return end || trimmed(text).empty();
}

Action range(const char* option, std::optional<PartialRange> ExportArguments::*member) {
  return [=](ExportArguments& arguments, const QString& text) -> Result<void> {
    const std::string given = text.toStdString();
    const auto ends = split(given, ':');
    PartialRange read;
    if (ends.size() != 2 || !readEnd(ends[0], read.begin) || !readEnd(ends[1], read.end))
      return refused(option, text, "a:b, which is a to b - 1");
    arguments.*member = read;
    return {};
  };
}

Result<void> readDpi(ExportArguments& arguments, const QString& text) {
  const auto dpi = parse_index(text.toStdString());
  if (!dpi || *dpi < minFigureDpi || *dpi > maxFigureDpi)
    return refused("--dpi", text,
                   "an integer from " + to_text(Index{minFigureDpi}) + " to " + to_text(Index{maxFigureDpi}));
  arguments.dpi = static_cast<int>(*dpi);
  return {};
}

Result<void> readAggregate(ExportArguments& arguments, const QString& text) {
  const auto& names = aggregateNames();
  const auto found = std::ranges::find(names, text.toStdString());
  if (found == names.end()) return refused("--aggregate", text, "one of " + join(names, ", "));
  arguments.aggregate = static_cast<Aggregate>(found - names.begin());
  return {};
}

Result<void> readColourMap(ExportArguments& arguments, const QString& text) {
  std::vector<std::string> known;
  for (const auto& map : colourMaps()) known.push_back(map.id());
  arguments.colourMap = text.toStdString();
  if (std::ranges::count(known, *arguments.colourMap) > 0) return {};
  return refused("--colour-map", text, "one of " + join(known, ", ") + did_you_mean(*arguments.colourMap, known));
}

Result<void> readOutput(ExportArguments& arguments, const QString& path) {
  if (path.isEmpty()) return refused("--out", path, "a file");
  for (const auto& other : arguments.outputs)
    if (QFileInfo(other).absoluteFilePath() == QFileInfo(path).absoluteFilePath())
      return invalid("--out names " + path.toStdString() + " twice");
  arguments.outputs.append(path);
  return {};
}

const std::map<QString, Option>& options() {
  const auto flag = [](bool ExportArguments::*member) {
    return Option{false, [=](ExportArguments& a, const QString&) -> Result<void> {
                    a.*member = true;
                    return {};
                  }};
  };
  const auto session = [](ExportArguments& a, const QString& path) -> Result<void> {
    a.session = path;
    return {};
  };
  static const std::map<QString, Option> all{{"--set", {true, setting("--set", &ExportArguments::settings, false)}},
                                             {"--array", {true, setting("--array", &ExportArguments::settings, true)}},
                                             {"--minus", {true, setting("--minus", &ExportArguments::minus, false)}},
                                             {"--rows", {true, range("--rows", &ExportArguments::rows)}},
                                             {"--cols", {true, range("--cols", &ExportArguments::cols)}},
                                             {"--session", {true, session}},
                                             {"--dpi", {true, readDpi}},
                                             {"--aggregate", {true, readAggregate}},
                                             {"--colour-map", {true, readColourMap}},
                                             {"--out", {true, readOutput}},
                                             {"--force", flag(&ExportArguments::force)},
                                             {"--help", flag(&ExportArguments::help)},
                                             {"-h", flag(&ExportArguments::help)}};
  return all;
}

bool isOption(const QString& argument) { return argument.size() > 1 && argument.startsWith('-'); }

Error unknownOption(const QString& name) {
  std::vector<std::string> known;
  for (const auto& [option, unused] : options()) known.push_back(option.toStdString());
  return invalid("unknown option " + name.toStdString() + did_you_mean(name.toStdString(), known));
}

Result<void> readMethod(ExportArguments& arguments, const QString& name) {
  if (!arguments.method.empty())
    return invalid("export takes one METHOD, " + arguments.method + " and " + name.toStdString() + " were given");
  arguments.method = name.toStdString();
  return {};
}

/// One option with its values, from arguments[at] on; the index after them.
Result<qsizetype> readOption(ExportArguments& parsed, const QStringList& arguments, qsizetype at) {
  const qsizetype equals = arguments[at].indexOf('=');
  const QString name = arguments[at].left(equals);
  const auto found = options().find(name);
  if (found == options().end()) return unknownOption(name);
  const Option& option = found->second;
  if (!option.takesValue && equals >= 0) return invalid(name.toStdString() + " takes no value");
  const bool separate = option.takesValue && equals < 0;
  if (separate && (at + 1 == arguments.size() || isOption(arguments[at + 1])))
    return invalid(name.toStdString() + " needs a value");
  const QString value = separate ? arguments[at + 1] : equals < 0 ? QString() : arguments[at].mid(equals + 1);
  if (auto done = option.action(parsed, value); !done) return done.error();
  qsizetype next = at + (separate ? 2 : 1);
  for (; name == "--out" && next < arguments.size() && !isOption(arguments[next]); ++next)
    if (auto done = readOutput(parsed, arguments[next]); !done) return done.error();
  return next;
}

}  // namespace

Result<ExportArguments> readExportOptions(const QStringList& arguments) {
  ExportArguments parsed;
  for (qsizetype at = 0; at < arguments.size();) {
    if (isOption(arguments[at])) {
      const auto next = readOption(parsed, arguments, at);
      if (!next) return next.error();
      at = *next;
    } else if (auto read = readMethod(parsed, arguments[at++]); !read) {
      return read.error();
    }
  }
  return parsed;
}

Result<ExportArguments> parseExportArguments(const QStringList& arguments) {
  auto parsed = readExportOptions(arguments);
  if (!parsed || parsed->help) return parsed;
  if (parsed->method.empty()) return invalid("export needs a METHOD (vqscope list shows all)");
  if (parsed->outputs.isEmpty()) return invalid("export needs --out FILE");
  return parsed;
}

}  // namespace vqscope
