// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/command.h"

#include "app/cli/arguments/export_request.h"
#include "app/cli/arguments/mask_arguments.h"
#include "app/cli/arguments/samples.h"
#include "app/process/console.h"
#include "app/process/interrupts.h"
#include "core/base/text.h"
#include "core/io/json/json_value.h"
#include "core/mask/recognise/recognise.h"

#include <algorithm>

namespace vqscope {
namespace {

struct RecogniseArguments : MethodArguments {
  bool json = false;
};

OptionTable<RecogniseArguments> recogniseOptions() {
  auto table = methodOptions<RecogniseArguments>();
  table.push_back(jsonOption<RecogniseArguments>("print JSON, with whole arrays"));
  return table;
}

Result<RecogniseArguments> parseRecogniseArguments(const std::vector<std::string>& arguments) {
  return readMaskArguments<RecogniseArguments>(recogniseCommand().name(), arguments, recogniseOptions());
}

/// A mask and the samples and heads that have it.
struct Found {
  std::shared_ptr<const Mask> mask = nullptr;
  Recognition recognition = {};
  std::vector<std::size_t> cases = {};
};

bool sayTheSame(const Found& a, const Found& b) {
  const auto linesOf = [](const Found& found) {
    std::vector<std::string> lines{found.recognition.sentence};
    if (found.recognition.fits) lines.push_back(mask_text_of(found.recognition));
    for (const auto& array : found.recognition.arrays) lines.push_back(array.name + format_value(array.values));
    return lines;
  };
  return a.mask->extent() == b.mask->extent() && a.recognition.exceptions == b.recognition.exceptions &&
         linesOf(a) == linesOf(b);
}

Result<Found> foundFor(const MethodArguments& arguments, const std::stop_token& stop) {
  const auto request = methodRequest(arguments);
  if (!request) return request.error();
  const auto mask = maskOf(*request->method, request->values);
  if (!mask) return mask.error();
  auto recognition = recognise(**mask, {.stop = stop});
  if (!recognition) return recognition.error();
  return Found{*mask, std::move(*recognition)};
}

/// Equal descriptions once.
Result<std::vector<Found>> allFound(const Samples& samples) {
  const Interrupts interrupts;
  std::vector<Found> all;
  for (std::size_t i = 0; i < samples.cases.size(); ++i) {
    if (samples.cases[i].isPadding) continue;
    auto found = foundFor(samples.cases[i].arguments, interrupts.token());
    if (!found) return found.error();
    const auto same = std::ranges::find_if(all, [&](const Found& each) { return sayTheSame(each, *found); });
    const auto at = static_cast<std::size_t>(same - all.begin());
    if (same == all.end()) all.push_back(std::move(*found));
    all[at].cases.push_back(i);
  }
  if (all.empty()) return invalid("every sample is padding alone");
  return all;
}

/// "document_id = 0,0,0,1,1", as --array takes it; a long array is cut, --json prints all of it.
std::string arrayLine(const NamedArray& array) {
  constexpr std::size_t mostShown = 256;
  const bool all = array.values.size() <= mostShown;
  const std::vector<Index> shown(array.values.begin(), all ? array.values.end() : array.values.begin() + mostShown);
  std::string line = array.name + "=" + format_value(shown);
  if (!all) line += ",… (" + to_text(static_cast<Index>(array.values.size())) + " entries, --json has all)";
  return line;
}

/// "query 100 sees no key", "query 200, keys 203 to 207: visible".
std::string exceptionLine(const Mask& mask, const MaskException& each) {
  const std::string query = "query " + to_text(each.q);
  if (each.sees_nothing) return query + " sees no key\n";
  const bool one = each.keys.size() == 1;
  return query + (one ? ", key " : ", keys ") + to_text(each.keys.begin) +
         (one ? "" : " to " + to_text(each.keys.end - 1)) +
         (mask.visible(each.q, each.keys.begin) ? ": visible\n" : ": masked\n");
}

std::string recogniseAsText(const Found& found) {
  const auto& [mask, recognition, cases] = found;
  std::string text = recognition.sentence + "\n";
  for (const MaskException& each : recognition.exception_runs) text += exceptionLine(*mask, each);
  if (!recognition.has_all_runs) text += "…\n";
  if (!recognition.fits) return text;
  text += "\n" + mask_text_of(recognition);
  for (const auto& array : recognition.arrays) text += arrayLine(array) + "\n";
  for (const RecognisedPreset& preset : recognition.presets) text += "preset " + preset.text() + "\n";
  return text;
}

/// As `--set` takes it.
JsonObject presetToJson(const RecognisedPreset& preset) {
  const SequenceInput& sequence = preset.sequence;
  JsonObject object{{"mask", preset.id},
                    {"q_length", sequence.q_length},
                    {"kv_length", sequence.kv_length},
                    {"past_len", sequence.past_len},
                    {"padding", sequence.padding},
                    {"padding_side", sequence.padding_side == PaddingSide::left ? "left" : "right"},
                    {"document_lengths", sequence.document_lengths}};
  for (const auto& [name, value] : preset.parameters) object[name] = value;
  return object;
}

JsonObject foundAsJson(const Found& found) {
  const auto& [mask, recognition, cases] = found;
  JsonArray exceptions;
  for (const MaskCell& cell : recognition.exceptions)
    exceptions.push_back(JsonObject{{"row", cell.q}, {"key", cell.kv}, {"visible", mask->visible(cell.q, cell.kv)}});
  JsonArray presets;
  for (const RecognisedPreset& preset : recognition.presets) presets.push_back(presetToJson(preset));
  JsonObject arrays;
  for (const auto& array : recognition.arrays) arrays[array.name] = array.values;
  return JsonObject{{"sentence", recognition.sentence},
                    {"fits", recognition.fits},
                    {"inverted", recognition.inverted},
                    {"shape", JsonArray{mask->extent().rows, mask->extent().cols}},
                    {"terms", recognition.terms},
                    {"presets", presets},
                    {"exception_count", recognition.exception_count},
                    {"exceptions", exceptions},
                    {"text", recognition.fits ? JsonValue(mask_text_of(recognition)) : JsonValue()},
                    {"arrays", arrays}};
}

std::vector<std::size_t> paddingOf(const Samples& samples) {
  std::vector<std::size_t> cases;
  for (std::size_t i = 0; i < samples.cases.size(); ++i)
    if (samples.cases[i].isPadding) cases.push_back(i);
  return samples.withCases(cases);
}

std::string allAsText(const std::vector<Found>& all, const Samples& samples) {
  std::string text;
  for (const Found& found : all) {
    const std::string places = samples.placesOf(samples.withCases(found.cases));
    if (!text.empty()) text += "\n";
    text += (places.empty() ? "" : places + ": ") + recogniseAsText(found);
  }
  if (const auto padding = paddingOf(samples); !padding.empty())
    text += "\n" + samples.placesOf(padding) + ": padding alone\n";
  return text;
}

JsonArray placesAsJson(const Samples& samples, const std::vector<std::size_t>& indices) {
  JsonArray places;
  for (const std::size_t index : indices) {
    const auto at = static_cast<Index>(index);
    places.push_back(JsonObject{{"batch", samples.firstSample + at / samples.headsChecked},
                                {"head", samples.firstHead + at % samples.headsChecked}});
  }
  return places;
}

/// The first description, and under `groups` each with its samples and heads.
std::string allAsJson(const std::vector<Found>& all, const Samples& samples) {
  JsonObject object = foundAsJson(all.front());
  JsonArray groups;
  for (const Found& found : all) {
    JsonObject group = foundAsJson(found);
    group["places"] = placesAsJson(samples, samples.withCases(found.cases));
    groups.push_back(std::move(group));
  }
  object["groups"] = std::move(groups);
  object["padding_alone"] = placesAsJson(samples, paddingOf(samples));
  object["samples"] = samples.samples;
  object["heads"] = samples.heads;
  return indented_json(object);
}

int runRecognise(const std::vector<std::string>& arguments) {
  const auto parsed = parseRecogniseArguments(arguments);
  if (!parsed) return fail(parsed.error());
  if (parsed->help) return print(helpOf(recogniseCommand()));
  const auto samples = samplesOf(*parsed);
  if (!samples) return fail(errorOfText(samples.error(), parsed->mask));
  const auto all = allFound(*samples);
  if (!all) return fail(errorOfText(all.error(), parsed->mask));
  samples->say();
  return print(parsed->json ? allAsJson(*all, *samples) : allAsText(*all, *samples));
}

}  // namespace

const Command& recogniseCommand() {
  static const Command command{.usage = "recognise [options]",
                               .summary = "describe a mask in a few words and as text",
                               .run = runRecognise,
                               .about = R"(
Prints a description of a mask, such as "causal ∧ documents [4, 2, 4] ∧ window 128, except 3 cells", the exceptions,
the mask as text in the mask language with the arrays that the text uses, and the presets that make the same cells.
)",
                               .ending = R"(
Exit status: 0 done, whether or not a description fits; 2 refused, with one line on stderr; 130 interrupted.

Example: vqscope recognise --mask mask.npy
)",
                               .options = [] { return linesOf(recogniseOptions()); }};
  return command;
}

}  // namespace vqscope
