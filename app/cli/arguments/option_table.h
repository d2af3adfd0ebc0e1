// SPDX-License-Identifier: GPL-3.0-or-later
// Shared by commands with options. `Arguments` is the type that receives them.
#pragma once

#include "app/cli/arguments/command_parser.h"
#include "app/cli/command.h"
#include "app/process/console.h"
#include "core/base/index.h"
#include "core/base/result.h"
#include "core/base/text.h"
#include "core/io/bytes/path_text.h"
#include "core/mask/import/mask_array.h"

#include <vector>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace vqscope {

struct MaskImport;

/// `--set name=value` or `--array name=1,2,3`.
struct Setting {
  std::string name;
  std::string value;
  bool array = false;
  bool stated = false;                                          ///< by an option of the expected mask: --window 96
  bool inherited = false;                                       ///< of the figure, in a panel: may have no effect
  std::shared_ptr<const std::vector<Index>> numbers = nullptr;  ///< of a list; null: `value` has them
};

/// `a:b`; an end that is left out is that of the matrix.
struct PartialRange {
  std::optional<Index> begin;
  std::optional<Index> end;
};

/// Options of every command that computes the matrix or the curves of a method.
struct MethodArguments {
  bool help = false;
  std::string method;
  std::optional<std::string> preset;  ///< of an experiment; its values are applied before all others
  std::vector<Setting> settings;
  std::optional<std::string> session;
  std::optional<std::string> mask;           ///< a file with a mask as text or cells; "-": a text on standard input
  ImportOptions imported;                    ///< how cells of --mask and --minus-mask are read
  std::shared_ptr<const MaskImport> opened;  ///< the contents of `mask`, if a command has read them
  std::optional<std::string> batchFile;      ///< a file of several arrays by their well-known names
  bool states = false;                       ///< the command takes what a mask is expected to be
  std::optional<std::string> tokens;         ///< texts of the tokens: a file, or a list in brackets
  std::string tokenizer;                     ///< the tokenizer.json of input_ids; empty: none
  bool isOneSample = false;                  ///< one of samplesOf()
  bool isFurtherSample = false;              ///< the first of them has given the warnings of the text
};

/// Options of a matrix to subtract or to compare with.
struct ComparedArguments : MethodArguments {
  std::vector<Setting> minus;
  std::optional<std::string> minusMask;
};

/// Stores the value of an option or a plain word. For options without a value, the text is empty.
template <class Arguments>
using OptionAction = std::function<Result<void>(Arguments&, const std::string& value)>;

/// One entry of the table for parsing options and for writing their help.
template <class Arguments>
struct Option : OptionLine {
  OptionAction<Arguments> action;
};

/// Keeps the text of an option as it is.
template <class Arguments>
OptionAction<Arguments> taking(std::optional<std::string> Arguments::*member) {
  return [=](Arguments& arguments, const std::string& text) -> Result<void> {
    arguments.*member = text;
    return {};
  };
}

/// In the order of the help.
template <class Arguments>
using OptionTable = std::vector<Option<Arguments>>;

/// "--dpi is 7, must be an integer from 36 to 1200".
Error refusedOption(std::string_view option, const std::string& given, std::string_view expected);

/// Adds the argument of `--out` to the files to write. Refuses a duplicate.
Result<void> addOutput(std::vector<std::string>& outputs, const std::string& path);

/// For arguments with a member `outputs`.
template <class Arguments>
Option<Arguments> outputOption(const std::string& help) {
  return {{.name = "--out", .value = "FILE...", .help = help, .takesMany = true},
          [](Arguments& arguments, const std::string& path) { return addOutput(arguments.outputs, path); }};
}

Result<Setting> parseSetting(std::string_view option, const std::string& text, bool array);
Result<PartialRange> parsePartialRange(std::string_view option, const std::string& text);

template <class Arguments>
Option<Arguments> flagOption(const std::string& name, bool Arguments::*member, const std::string& help) {
  return {{.name = name, .help = help}, [=](Arguments& a, const std::string&) -> Result<void> {
            a.*member = true;
            return {};
          }};
}

template <class Arguments>
Option<Arguments> jsonOption(const std::string& help = "print JSON") {
  return flagOption("--json", &Arguments::json, help);
}

template <class Arguments>
Option<Arguments> settingOption(const char* name, std::vector<Setting> Arguments::*member, bool array,
                                const std::string& help) {
  return {{.name = name, .value = array ? "NAME=1,2,3" : "NAME=VALUE", .help = help},
          [=](Arguments& a, const std::string& text) -> Result<void> {
            auto setting = parseSetting(name, text, array);
            if (!setting) return setting.error();
            (a.*member).push_back(std::move(*setting));
            return {};
          }};
}

template <class Arguments>
Option<Arguments> rangeOption(const char* name, std::optional<PartialRange> Arguments::*member,
                              const std::string& help) {
  return {{.name = name, .value = "A:B", .help = help}, [=](Arguments& a, const std::string& text) -> Result<void> {
            const auto range = parsePartialRange(name, text);
            if (!range) return range.error();
            a.*member = *range;
            return {};
          }};
}

Result<void> readPolarity(ImportOptions& imported, const std::string& text);
Result<void> readThreshold(ImportOptions& imported, const std::string& text);
Result<void> readArrayIndex(const char* option, std::optional<Index>& index, const std::string& text);

template <class Arguments>
Option<Arguments> maskFileOption(const char* name, std::optional<std::string> Arguments::*member,
                                 const std::string& help) {
  return {{.name = name, .value = "FILE|-", .help = help}, [=](Arguments& a, const std::string& path) -> Result<void> {
            if (path.empty()) return refusedOption(name, path, "a file, or - for standard input");
            a.*member = path;
            return {};
          }};
}

/// The names that `--set` accepts differ between commands.
constexpr auto aMasksParameter = "a parameter (vqscope list visibility shows them); may be repeated";
constexpr auto aMasksArray = "a list of integers, or FILE or FILE:NAME; attention_mask may be [B, T]; may be repeated";
constexpr auto aMasksFile =
    "a mask_mod in the mask language, or cells: FILE or FILE:NAME of a NumPy, safetensors or torch file, .csv or .png; "
    "- is standard input";

struct MethodHelp {
  const char* set = aMasksParameter;
  const char* array = aMasksArray;
  const char* mask = aMasksFile;
  const char* session = "start from the values of a session";
};

/// --set, --array, --session, --mask with --name, --polarity, --threshold, --batch and --head.
template <class Arguments>
OptionTable<Arguments> methodOptions(const MethodHelp& help = {}) {
  const auto name = [](Arguments& a, const std::string& text) -> Result<void> {
    a.settings.push_back({"mask_function", text, false});
    return {};
  };
  const auto polarity = [](Arguments& a, const std::string& text) { return readPolarity(a.imported, text); };
  const auto threshold = [](Arguments& a, const std::string& text) { return readThreshold(a.imported, text); };
  const auto batch = [](Arguments& a, const std::string& text) {
    return readArrayIndex("--batch", a.imported.batch, text);
  };
  const auto head = [](Arguments& a, const std::string& text) {
    return readArrayIndex("--head", a.imported.head, text);
  };
  return {settingOption<Arguments>("--set", &Arguments::settings, false, help.set),
          settingOption<Arguments>("--array", &Arguments::settings, true, help.array),
          {{"--session", "FILE", help.session}, taking<Arguments>(&Arguments::session)},
          maskFileOption<Arguments>("--mask", &Arguments::mask, help.mask),
          {{"--name", "MASK", "the mask to use if the text has several"}, name},
          {{.name = "--polarity",
            .value = "HOW",
            .help = "how to read cells, or True in a text: visible_true or masked_true",
            .choices = "visible_true masked_true"},
           polarity},
          {{"--threshold", "X", "additive cells with a value above X are visible"}, threshold},
          {{"--batch", "N", "this sample alone, of a mask or arrays with a batch dimension"}, batch},
          {{"--head", "N", "this head alone, of a mask with several"}, head},
          {{"--batch-file", "FILE",
            "a collator's batch: attention_mask, mask, input_ids, position_ids, labels, cu_seqlens, document_ids, "
            "prefix_length or span_ids by name"},
           taking<Arguments>(&Arguments::batchFile)}};
}

/// --tokens. They are read later.
template <class Arguments>
Option<Arguments> tokensOption(const std::string& use) {
  return {{"--tokens", "FILE|LIST|MODEL",
           "texts of the tokens" + use +
               ": a file with one a line, words between spaces or a JSON list, or the list itself, [\"The\", "
               "\"cat\"]; or a tokenizer.json, a folder with one or ORG/NAME of the hub cache, for the ids of --array "
               "input_ids; if not given, the tokenizer.json beside the ids or the mask, else those of the session"},
          taking<Arguments>(&Arguments::tokens)};
}

/// The ids of all presets with spaces between them. Reads and checks every preset.
std::string presetChoices();

/// --preset. The name is checked later.
template <class Arguments>
Option<Arguments> presetOption() {
  return {{.name = "--preset",
           .value = "NAME",
           .help = "start from a question of resources/experiments (vqscope list --presets), NAME:quick from its "
                   "smaller form; METHOD may be left out",
           .listChoices = presetChoices},
          taking<Arguments>(&Arguments::preset)};
}

/// --minus and --minus-mask.
template <class Arguments>
void addMinusOptions(OptionTable<Arguments>& table, std::string minus, std::string minusMask) {
  table.push_back(settingOption<Arguments>("--minus", &Arguments::minus, false, std::move(minus)));
  table.push_back(maskFileOption<Arguments>("--minus-mask", &Arguments::minusMask, std::move(minusMask)));
}

template <class Arguments>
std::vector<OptionLine> linesOf(const OptionTable<Arguments>& options) {
  return {options.begin(), options.end()};
}

/// Reads everything after the command's name. `word` takes arguments that are not options.
template <class Arguments>
Result<void> readArguments(Arguments& parsed, const std::vector<std::string>& arguments,
                           const OptionTable<Arguments>& options, const OptionAction<Arguments>& word) {
  const auto line = parseLine(linesOf(options), arguments);
  if (!line) return line.error();
  parsed.help = line->help;
  if (line->quiet) keepQuiet();  // a panel's own options do not end it
  for (const auto& given : line->words) {
    const auto& action = given.option ? options[*given.option].action : word;
    if (auto done = action(parsed, given.value); !done) return done;
  }
  return {};
}

/// For a command about the mask of `visibility`. `word` takes arguments that are not options; if it
/// is not given, the command has options only.
template <class Arguments>
Result<Arguments> readMaskArguments(std::string_view command, const std::vector<std::string>& arguments,
                                    const OptionTable<Arguments>& options, OptionAction<Arguments> word = {}) {
  Arguments parsed;
  parsed.method = "visibility";
  if (!word)
    word = [=](Arguments&, const std::string& given) -> Result<void> {
      return invalid("unexpected argument \"" + shortened(given) + "\": vqscope " + std::string(command) +
                     " takes options only");
    };
  if (auto read = readArguments(parsed, arguments, options, word); !read) return read.error();
  return parsed;
}

}  // namespace vqscope
