// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/command.h"

#include "app/cli/arguments/lint_request.h"
#include "app/cli/arguments/mask_arguments.h"
#include "app/process/console.h"
#include "app/process/interrupts.h"
#include "core/backend/backend.h"
#include "core/io/bytes/path_text.h"
#include "core/io/json/json_value.h"
#include "core/lint/stated_structure.h"

namespace vqscope {
namespace {

struct DialectsArguments : MethodArguments {
  bool json = false;
  const Backend* snippet = nullptr;
};

/// A mask as the backends take it.
struct DescribedMask {
  LintCase given;
  MaskStructure structure;
  SequenceLayout layout;  ///< documents and padding of the mask itself, unless stated

  Extent extent() const { return {given.layout.q_length(), given.layout.kv_length()}; }
};

Result<void> takeSnippet(DialectsArguments& arguments, const std::string& id) {
  arguments.snippet = find_backend(id);
  if (arguments.snippet) return {};
  std::vector<std::string> known;
  for (const auto& backend : backends()) known.push_back(backend.id);
  return invalid("unknown dialect " + shortened(id) + did_you_mean(id, known) + " (vqscope dialects shows all)");
}

std::string backendChoices() {
  std::vector<std::string> ids;
  for (const auto& backend : backends()) ids.push_back(backend.id);
  return join(ids, " ");
}

OptionTable<DialectsArguments> dialectsOptions() {
  auto table = lintOptions<DialectsArguments>();
  table.push_back(
      {{"--snippet", "ID", "the Python that builds this mask for that library and calls it", false, backendChoices()},
       takeSnippet});
  table.push_back(jsonOption<DialectsArguments>());
  return table;
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

std::string cardOf(const Backend& backend, const DescribedMask& input) {
  const auto coverage = backend_coverage(backend, input.structure, input.layout);
  std::vector<std::string> lines{polarity_text(backend), coverage.is_complete()
                                                             ? "expresses the whole mask"
                                                             : "cannot express: " + join(coverage.cannot, ", ")};
  if (!coverage.is_complete() && !coverage.can.empty()) lines.back() += "; can express: " + join(coverage.can, ", ");
  if (auto window = window_text(backend, input.structure); !window.empty()) lines.push_back(std::move(window));
  if (backend.alignment != CausalAlignment::none)
    lines.push_back("causal flag: " + alignment_text(backend, input.extent()));
  if (!backend.note.empty()) lines.push_back(backend.note);
  return backend.id + "  " + backend.title + "  (" + backend.library + ")\n  " + join(lines, "\n  ") + "\n";
}

std::string backendsAsText(const DescribedMask& input) {
  const Extent extent = input.extent();
  std::string text = input.structure.exact
                         ? "This mask is " + input.structure.text()
                         : "This mask matches no named pattern; only backends that accept a dense mask can express it";
  text += "; " + to_text(extent.rows) + " queries, " + to_text(extent.cols) + " keys; objective " +
          objective_text(input.given) + ".\n";
  if (input.given.file) text += "File: " + mask_file_sentence(*input.given.file) + ".\n";
  text += "\n";
  for (const auto& backend : backends()) text += cardOf(backend, input);
  if (!input.structure.window) return text;
  text += "\nA window of " + to_text(*input.structure.window) + " in other libraries\n";
  for (const auto& meaning : window_meanings())
    text += "  " + meaning.title + ": " + window_argument_text(meaning, *input.structure.window) + "\n";
  return text;
}

JsonObject backendsToJson(const Backend& backend, const DescribedMask& input) {
  const auto coverage = backend_coverage(backend, input.structure, input.layout);
  return {
      {"id", backend.id},
      {"title", backend.title},
      {"library", backend.library},
      {"polarity", polarity_text(backend)},
      {"says_all", coverage.is_complete()},
      {"can", coverage.can},
      {"cannot", coverage.cannot},
      {"alignment", alignmentName(backend.alignment)},
      {"alignment_difference",
       backend.alignment == CausalAlignment::none ? JsonValue() : JsonValue(alignment_text(backend, input.extent()))},
      {"window", window_text(backend, input.structure)},
      {"note", backend.note}};
}

std::string backendsAsJson(const DescribedMask& input) {
  JsonArray all;
  for (const auto& backend : backends()) all.push_back(backendsToJson(backend, input));
  const Extent extent = input.extent();
  const JsonObject root{{"mask", input.structure.exact ? JsonValue(input.structure.text()) : JsonValue()},
                        {"objective", objective_name(input.given.objective)},
                        {"objective_assumed", input.given.objective_assumed},
                        {"shape", JsonArray{extent.rows, extent.cols}},
                        {"file", input.given.file ? JsonValue(mask_file_sentence(*input.given.file)) : JsonValue()},
                        {"dialects", all}};
  return indented_json(root);
}

std::string snippetOf(const Backend& backend, const DescribedMask& input, bool json) {
  std::string python = backend_snippet(backend, input.structure, input.layout);
  if (input.given.file) python = "# " + mask_file_sentence(*input.given.file) + "\n" + python;
  if (!json) return python;
  JsonObject object = backendsToJson(backend, input);
  object["snippet"] = python;
  return indented_json(object);
}

int showBackends(const DialectsArguments& arguments) {
  const auto mask = statedRequest(arguments);
  auto given = mask ? lintRequest(*mask) : Result<LintCase>(mask.error());
  if (!given) return fail(errorOfText(given.error(), arguments.mask));
  Interrupts interrupts;
  auto found = stated_structure(*given, interrupts.token());
  if (interrupts.token().stop_requested()) return exitInterrupted;
  const DescribedMask input{std::move(*given), std::move(found.structure), std::move(found.layout)};
  if (arguments.snippet) return print(snippetOf(*arguments.snippet, input, arguments.json));
  return print(arguments.json ? backendsAsJson(input) : backendsAsText(input));
}

int runDialects(const std::vector<std::string>& arguments) {
  const auto parsed = parseDialectsArguments(arguments);
  if (!parsed) return fail(parsed.error());
  return parsed->help ? print(helpOf(dialectsCommand())) : showBackends(*parsed);
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
)",
                               .options = [] { return linesOf(dialectsOptions()); }};
  return command;
}

}  // namespace vqscope
