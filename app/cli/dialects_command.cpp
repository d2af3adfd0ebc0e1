// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/dialects_command.h"

#include "app/cli/arguments/contract_request.h"
#include "app/process/console.h"
#include "app/process/interrupts.h"
#include "core/backend/dialect.h"
#include "core/io/bytes/path_text.h"
#include "core/io/json/json_value.h"
#include "core/lint/told_structure.h"

namespace vqscope {
namespace {

struct DialectsArguments : MethodArguments {
  bool json = false;
  const Dialect* snippet = nullptr;
};

/// A mask as the backends take it.
struct Told {
  ContractCase given;
  MaskStructure structure;
  SequenceLayout layout;  ///< documents and padding of the mask itself, unless stated

  Extent extent() const { return {given.layout.q_length(), given.layout.kv_length()}; }
};

Result<void> takeSnippet(DialectsArguments& arguments, const std::string& given) {
  const std::string id = given;
  arguments.snippet = find_dialect(id);
  if (arguments.snippet) return {};
  std::vector<std::string> known;
  for (const auto& dialect : dialects()) known.push_back(dialect.id);
  return invalid("unknown dialect " + shortened(id) + did_you_mean(id, known) + " (vqscope dialects shows all)");
}

const OptionTable<DialectsArguments>& dialectsOptions() {
  static const OptionTable<DialectsArguments> all = [] {
    auto table = contractOptions<DialectsArguments>();
    table.push_back(
        {{"--snippet", "ID", "the Python that builds this mask for that library and calls it"}, takeSnippet});
    table.push_back(jsonOption<DialectsArguments>());
    return table;
  }();
  return all;
}

Result<DialectsArguments> parseDialectsArguments(const std::vector<std::string>& arguments) {
  return readMaskArguments<DialectsArguments>(dialectsCommand().name(), arguments, dialectsOptions());
}

std::string alignmentName(CausalAlignment alignment) {
  switch (alignment) {
    case CausalAlignment::none: return "none";
    case CausalAlignment::top_left: return "top_left";
    case CausalAlignment::bottom_right: return "bottom_right";
  }
  return {};
}

std::string cardOf(const Dialect& dialect, const Told& told) {
  const auto coverage = dialect_coverage(dialect, told.structure, told.layout);
  std::vector<std::string> lines{polarity_text(dialect), coverage.says_all()
                                                             ? "expresses the whole mask"
                                                             : "cannot express: " + join(coverage.cannot, ", ")};
  if (!coverage.says_all() && !coverage.can.empty()) lines.back() += "; can express: " + join(coverage.can, ", ");
  if (auto window = window_text(dialect, told.structure); !window.empty()) lines.push_back(std::move(window));
  if (dialect.alignment != CausalAlignment::none)
    lines.push_back("causal flag: " + alignment_text(dialect, told.extent()));
  if (!dialect.note.empty()) lines.push_back(dialect.note);
  return dialect.id + "  " + dialect.title + "  (" + dialect.library + ")\n  " + join(lines, "\n  ") + "\n";
}

std::string dialectsAsText(const Told& told) {
  const Extent extent = told.extent();
  std::string text = told.structure.exact
                         ? "This mask is " + told.structure.text()
                         : "This mask matches no named pattern; only backends that accept a dense mask can express it";
  text += "; " + to_text(extent.rows) + " queries, " + to_text(extent.cols) + " keys; objective " +
          objective_text(told.given) + ".\n";
  if (told.given.file) text += "File: " + mask_file_sentence(*told.given.file) + ".\n";
  text += "\n";
  for (const auto& dialect : dialects()) text += cardOf(dialect, told);
  if (!told.structure.window) return text;
  text += "\nA window of " + to_text(*told.structure.window) + " in other libraries\n";
  for (const auto& meaning : window_meanings())
    text += "  " + meaning.title + ": " + window_argument_text(meaning, *told.structure.window) + "\n";
  return text;
}

JsonObject dialectsToJson(const Dialect& dialect, const Told& told) {
  const auto coverage = dialect_coverage(dialect, told.structure, told.layout);
  return {
      {"id", dialect.id},
      {"title", dialect.title},
      {"library", dialect.library},
      {"polarity", polarity_text(dialect)},
      {"says_all", coverage.says_all()},
      {"can", coverage.can},
      {"cannot", coverage.cannot},
      {"alignment", alignmentName(dialect.alignment)},
      {"alignment_difference",
       dialect.alignment == CausalAlignment::none ? JsonValue() : JsonValue(alignment_text(dialect, told.extent()))},
      {"window", window_text(dialect, told.structure)},
      {"note", dialect.note}};
}

std::string dialectsAsJson(const Told& told) {
  JsonArray all;
  for (const auto& dialect : dialects()) all.push_back(dialectsToJson(dialect, told));
  const Extent extent = told.extent();
  const JsonObject root{{"mask", told.structure.exact ? JsonValue(told.structure.text()) : JsonValue()},
                        {"objective", objective_name(told.given.objective)},
                        {"objective_assumed", told.given.objective_assumed},
                        {"shape", JsonArray{extent.rows, extent.cols}},
                        {"file", told.given.file ? JsonValue(mask_file_sentence(*told.given.file)) : JsonValue()},
                        {"dialects", all}};
  return indented_json(root);
}

std::string snippetOf(const Dialect& dialect, const Told& told, bool json) {
  std::string python = dialect_snippet(dialect, told.structure, told.layout);
  if (told.given.file) python = "# " + mask_file_sentence(*told.given.file) + "\n" + python;
  if (!json) return python;
  JsonObject object = dialectsToJson(dialect, told);
  object["snippet"] = python;
  return indented_json(object);
}

int showDialects(const DialectsArguments& arguments) {
  auto given = contractRequest(arguments);
  if (!given) return fail(given.error());
  Interrupts interrupts;
  auto found = told_structure(*given, interrupts.token());
  if (interrupts.token().stop_requested()) return exitInterrupted;
  const Told told{std::move(*given), std::move(found.structure), std::move(found.layout)};
  if (arguments.snippet) return print(snippetOf(*arguments.snippet, told, arguments.json));
  return print(arguments.json ? dialectsAsJson(told) : dialectsAsText(told));
}

int runDialects(const std::vector<std::string>& arguments) {
  const auto parsed = parseDialectsArguments(arguments);
  if (!parsed) return fail(parsed.error());
  return parsed->help ? print(helpOf(dialectsCommand(), dialectsOptions())) : showDialects(*parsed);
}

}  // namespace

const Command& dialectsCommand() {
  static const Command command{.usage = "dialects [options]",
                               .summary = "how to pass a mask to each library, with Python to copy",
                               .run = runDialects,
                               .about = R"(
For each library: which parts of the mask it can express, what True means in its masks, how its causal flag is aligned
if the numbers of queries and keys differ, and the value of its window argument.
)",
                               .ending = R"(
Exit status: 0 done; 2 refused, with one line on stderr; 130 interrupted.

Example: vqscope dialects --set mask=packed --snippet flex_attention
)"};
  return command;
}

}  // namespace vqscope
