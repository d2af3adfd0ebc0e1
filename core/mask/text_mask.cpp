// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/text_mask.h"

#include "core/base/text.h"
#include "core/mask/language/language_mask.h"
#include "core/mask/language/preset_text.h"
#include "core/mask/presets.h"

#include <algorithm>
#include <array>

namespace vqscope {
namespace {

constexpr double most_index = 2147483648.0;  // 2^31
constexpr Index longest_array = Index{1} << 22;
constexpr Index longest_text = Index{1} << 16;
constexpr const char* group = "Free names";

MaskParse parsed(const ParameterValues& values) { return MaskProgram::parse(values.text("mask_text")); }

std::string placed(const SourceError& error) {
  return "mask_text, line " + to_text(error.line) + ", column " + to_text(error.column) + ": " + error.message;
}

/// Of a text that cannot be read; the detail is the line with a caret beneath.
Error unreadable(const MaskParse& parse, const ParameterValues& values) {
  const std::string shown = render(parse.error, values.text("mask_text"));
  return {Errc::invalid_argument, placed(parse.error), shown.substr(shown.find('\n') + 1)};
}

/// Those that a SequenceLayout has values for when none are given.
bool is_of_the_sequence(std::string_view array) {
  constexpr std::array known{"document_id", "position_ids", "key_valid", "offsets"};
  return std::ranges::count(known, array) > 0;
}

ParameterSpec integer_parameter(const language::IntegerUse& use) {
  const Index fallback = use.fallback.value_or(0);
  return {.name = use.name,
          .group = group,
          .help = "An integer that the mask's text leaves free.",
          .kind = ParameterKind::integer,
          .fallback = fallback,
          // A value left from a preset, whose "automatic" it is there, must not make the text unreadable.
          .minimum = fallback < 0                  ? -most_index
                     : use.name == "prefix_length" ? static_cast<double>(automatic_length)
                                                   : 0,
          .maximum = most_index,
          .logarithmic = fallback >= 0};
}

ParameterSpec array_parameter(const language::ArrayUse& use) {
  return {.name = use.name,
          .group = group,
          .help = "An array of integers that the mask's text indexes.",
          .kind = ParameterKind::integer_list,
          .fallback = std::vector<Index>{},
          .minimum = -most_index,
          .maximum = most_index,
          .automatic = is_of_the_sequence(use.name) ? "as the sequence has it" : "none, and the mask needs it",
          .most_items = longest_array};
}

ParameterSpec terms_parameter(const MaskProgram& program) {
  ParameterSpec spec{.name = "terms_off",
                     .label = "Terms left out",
                     .group = "Mask",
                     .help = "Terms that are switched off: they mask nothing.",
                     .kind = ParameterKind::choice_set,
                     .fallback = std::vector<std::string>{}};
  for (const auto& term : program.terms()) spec.choices.push_back({term.name, "the term " + term.name});
  return spec;
}

MaskBindings bindings_of(const MaskProgram& program, const ParameterValues& values) {
  MaskBindings bindings;
  for (const auto& use : program.integers()) bindings.integers[use.name] = values.integer(use.name);
  for (const auto& use : program.arrays())
    if (const auto& items = values.integers(use.name); !items.empty()) bindings.arrays[use.name] = items;
  if (!values.find("terms_off")) return bindings;
  const auto& off = values.choices("terms_off");
  for (const auto& term : program.terms()) bindings.term_on.push_back(std::ranges::count(off, term.name) == 0);
  return bindings;
}

}  // namespace

ParameterSpec mask_text_parameter() {
  return {.name = "mask_text",
          .label = "Text",
          .group = "Mask",
          .help = "The mask in the Python subset of FlexAttention's mask_mod: True where the query sees the key.",
          .kind = ParameterKind::text,
          .fallback = std::string("def mask_mod(b, h, q_idx, kv_idx):\n    causal = kv_idx <= q_idx + past_len\n"
                                  "    window = q_idx + past_len - kv_idx < 128\n    return causal & window\n"),
          .relevant = {{"mask", {std::string(text_mask_id)}}},
          .most_items = longest_text};
}

bool has_mask_text(const ParameterValues& values) {
  const auto* mask = values.find("mask");
  return mask && *mask == ParameterValue(std::string(text_mask_id)) && values.find("mask_text");
}

std::vector<ParameterSpec> mask_text_parameters(const ParameterValues& values) {
  std::vector<ParameterSpec> specs;
  if (!has_mask_text(values)) return specs;
  const MaskParse parse = parsed(values);
  if (!parse) return specs;
  if (parse.program->terms().size() > 1) specs.push_back(terms_parameter(*parse.program));
  for (const auto& use : parse.program->integers()) specs.push_back(integer_parameter(use));
  for (const auto& use : parse.program->arrays()) specs.push_back(array_parameter(use));
  return specs;
}

ParameterValues preset_as_text(const ParameterValues& values) {
  const SequenceInput input = preset_sequence(values);
  ParameterValues text = values;
  text.set("mask", std::string(text_mask_id));
  text.set("mask_text", preset_text(values));
  // What the preset has by itself a text has to be given.
  if (input.padding > 0) text.set("padding", input.padding);
  if (!input.document_lengths.empty()) text.set("document_lengths", input.document_lengths);
  text.set("prefix_length", input.prefix_length);
  if (chosen_preset(values).is_cross()) text.set("kv_length", input.kv_length);
  return text;
}

Result<void> check_mask_text(const ParameterValues& values) {
  const MaskParse parse = parsed(values);
  return parse ? Result<void>() : unreadable(parse, values);
}

std::vector<std::string> mask_text_warnings(const ParameterValues& values) {
  std::vector<std::string> sentences;
  if (!has_mask_text(values)) return sentences;
  if (const MaskParse parse = parsed(values))
    for (const SourceError& warning : parse.program->warnings()) sentences.push_back(placed(warning));
  return sentences;
}

Result<std::shared_ptr<const Mask>> make_text_mask(const ParameterValues& values, const SequenceLayout& layout) {
  const MaskParse parse = parsed(values);
  if (!parse) return unreadable(parse, values);
  return make_language_mask(parse.program, bindings_of(*parse.program, values), layout);
}

}  // namespace vqscope
