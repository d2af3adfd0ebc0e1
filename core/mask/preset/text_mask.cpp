// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/preset/text_mask.h"

#include "core/base/sentence.h"
#include "core/base/text.h"
#include "core/mask/language/kept_program.h"
#include "core/mask/language/language_mask.h"
#include "core/mask/language/names/known_names.h"
#include "core/mask/language/parse/arithmetic.h"
#include "core/mask/preset/presets.h"
#include "core/mask/preset/text_parameters.h"
#include "core/method/free_name.h"

#include <algorithm>
#include <cctype>
#include <utility>

namespace vqscope {
namespace {

constexpr Index longest_text = Index{1} << 16;

/// Whether these are the sides of an array of so many values.
bool holds_shape_of(const ParameterValue& value, std::size_t count) {
  const auto* shape = std::get_if<std::vector<Index>>(&value);
  if (!shape || shape->empty()) return false;
  std::optional<Index> product = 1;
  for (const Index side : *shape) product = product && side >= 0 ? language::multiply(*product, side) : std::nullopt;
  return product == std::optional(static_cast<Index>(count));
}

/// Given values of a text's names. They refer to `values`.
language::Given given_of(const ParameterValues& values) {
  language::Given given;
  for (const auto& [key, value] : values.map()) {
    const std::string_view free = free_name_of(key);
    constexpr std::string_view none = ".is_none";
    if (free.ends_with(none) && value == ParameterValue(true))
      given.nones.emplace(free.substr(0, free.size() - none.size()));
    if (free.empty() || free.find('.') != std::string_view::npos) continue;
    const std::string name(free);
    if (const auto* word = std::get_if<std::string>(&value); word && !word->empty()) given.words[name] = *word;
    if (const auto* number = std::get_if<Index>(&value)) given.integers[name] = *number;
    if (const auto* flag = std::get_if<bool>(&value)) given.integers[name] = *flag ? 1 : 0;
    const auto* numbers = std::get_if<std::vector<Index>>(&value);
    if (!numbers || numbers->empty()) continue;
    language::GivenArray& array = given.arrays[name];
    array.values = *numbers;
    if (const auto* shape = values.find(array_shape_key(name)); shape && holds_shape_of(*shape, numbers->size()))
      array.shape = std::get<std::vector<Index>>(*shape);
    if (const auto* truth = values.find(array_truth_key(name))) array.is_bool = *truth == ParameterValue(true);
  }
  if (const MaskPreset& preset = chosen_preset(values); preset.is_made_of_terms()) {
    const PresetTerms terms = preset_terms(values);
    given.integers[std::string(prefix_name)] = terms.prefix_length;
    given.integers[std::string(window_name)] = terms.window;
  }
  const auto plane = [&](const char* name) -> std::optional<Index> {
    const auto* value = values.find(name);
    const auto* number = value ? std::get_if<Index>(value) : nullptr;
    return number ? *number : Index{0};
  };
  given.b = plane("b");
  given.h = plane("h");
  if (const auto* mask = values.find("mask_function"))
    if (const auto* name = std::get_if<std::string>(mask)) given.mask = *name;
  return given;
}

MaskParse parsed(const ParameterValues& values) { return kept_program(mask_text_of(values), given_of(values)); }

constexpr std::string_view text_error = "mask_text, line ";

std::string placed_error(const SourceError& error) {
  return fmt::format("{}{}, column {}: {}", text_error, error.line, error.column, error.message);
}

/// Error of a text that cannot be parsed; the detail is the line with a caret below.
Error unreadable(const MaskParse& parse, const ParameterValues& values) {
  const std::string shown = render(parse.error, mask_text_of(values));
  return {Errc::invalid_argument, placed_error(parse.error), shown.substr(shown.find('\n') + 1)};
}

MaskBindings bindings_of(const MaskProgram& program, const language::Given& given) {
  MaskBindings bindings;
  for (const auto& use : program.integers())
    if (const auto found = given.integers.find(use.name);
        found != given.integers.end() && (use.default_value || found->second != language::not_given))
      bindings.integers[use.name] = found->second;
  for (const auto& use : program.arrays())
    if (use.source != language::ArraySource::given)
      continue;
    else if (const auto found = given.arrays.find(use.name); found != given.arrays.end())
      bindings.arrays[use.name].assign(found->second.values.begin(), found->second.values.end());
  if (depends_on(program.code(), language::Variable::b)) bindings.b = given.b.value_or(0);
  if (depends_on(program.code(), language::Variable::h)) bindings.h = given.h.value_or(0);
  return bindings;
}

/// For each of switch_names, whether it is on.
std::vector<bool> switches(const MaskProgram& program, const ParameterValues& values) {
  std::vector<bool> on;
  const auto* off = values.find("terms_off");
  for (const auto& name : switch_names(program))
    on.push_back(!off || std::ranges::count(std::get<std::vector<std::string>>(*off), name) == 0);
  return on;
}

bool is_window(std::string_view name) { return lower_case(name).find("window") != std::string::npos; }

bool is_name(std::string_view name) {
  return !name.empty() && std::ranges::all_of(name, [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; });
}

/// "NAME = 128" as a line of its own.
std::optional<NamedWindow> set_by(std::string_view line) {
  line = trimmed(line.substr(0, line.find('#')));
  const auto equals = line.find('=');
  if (equals == std::string_view::npos) return {};
  const std::string_view name = trimmed(line.substr(0, equals));
  const auto value = parse_index(trimmed(line.substr(equals + 1)));
  if (!value || *value < 1 || !is_name(name) || !is_window(name)) return {};
  return NamedWindow{std::string(name), *value};
}

}  // namespace

ParameterSpec mask_text_parameter() {
  return make_parameter(
      "mask_text", "Mask",
      "The mask in the Python subset of FlexAttention's mask_mod: True where the query sees the key.",
      {.label = "Text",
       .kind = ParameterKind::text,
       .default_value = std::string("def mask_mod(b, h, q_idx, kv_idx):\n    causal = kv_idx <= q_idx + past_len\n"
                                    "    window = q_idx + past_len - kv_idx < 128\n    return causal & window\n"),
       .relevant = {{"mask", {std::string(text_mask_id)}}},
       .most_items = longest_text,
       .in_summary = InSummary::never,
       .text_form = TextForm::mask});
}

std::vector<Index> text_mask_shape(const ParameterValues& values) {
  if (!has_mask_text(values)) return {};
  const auto parse = parsed(values);
  return parse ? parse.program->code().shape : std::vector<Index>();
}

bool text_reads_documents(const ParameterValues& values) {
  const auto program = has_mask_text(values) ? parsed(values).program : nullptr;
  if (!program) return false;
  const auto& code = program->code();
  const auto is_given = [](const language::ArrayUse& use) {
    return use.name == "document_id" && use.source == language::ArraySource::given;
  };
  return depends_on(code, language::Variable::q_doc) || depends_on(code, language::Variable::kv_doc) ||
         std::ranges::any_of(code.arrays, is_given);
}

std::optional<Index> text_prefix_length(const ParameterValues& values) {
  const auto* given = has_mask_text(values) ? values.find(free_name_key("prefix_length")) : nullptr;
  if (!given) return std::nullopt;
  if (const auto* number = std::get_if<Index>(given)) return std::max<Index>(0, *number);
  const auto* numbers = std::get_if<std::vector<Index>>(given);
  const auto* batch = values.find("b");
  const Index b = batch && std::holds_alternative<Index>(*batch) ? std::get<Index>(*batch) : 0;
  if (!numbers || b < 0 || b >= static_cast<Index>(numbers->size())) return std::nullopt;
  return std::max<Index>(0, (*numbers)[static_cast<std::size_t>(b)]);
}

bool has_mask_text(const ParameterValues& values) {
  const auto* mask = values.find("mask");
  if (!mask || !std::holds_alternative<std::string>(*mask)) return false;
  if (*mask == ParameterValue(std::string(text_mask_id))) return values.find("mask_text") != nullptr;
  // An unknown id is reported when the values are checked.
  const auto presets = mask_presets();
  const auto preset = std::ranges::find(presets, std::get<std::string>(*mask), &MaskPreset::id);
  return preset != presets.end() && !preset->text.empty();
}

std::string mask_text_of(const ParameterValues& values) {
  const MaskPreset& preset = chosen_preset(values);
  if (preset.text.empty()) return values.text("mask_text");
  // Its integers are bound: a slider that moves one does not make another text.
  return preset_text(preset, {.names = preset_terms(values).names});
}

std::vector<ParameterSpec> mask_text_parameters(const ParameterValues& values) {
  std::vector<ParameterSpec> specs;
  // For a text made of terms, they are the method's own.
  if (!has_mask_text(values) || chosen_preset(values).is_made_of_terms()) return specs;
  const std::string text = mask_text_of(values);
  const MaskParse parse = parsed(values);
  const auto add_names = [&](const language::Code& code) {
    for (const auto& use : code.words) specs.push_back(word_parameter(use));
    for (const auto& use : code.integers)
      if (!find_spec(specs, free_name_key(use.name))) specs.push_back(free_integer_parameter(use, text));
    for (const auto& use : code.arrays)
      if (use.source == language::ArraySource::given) add_array_parameters(use, values, specs);
    for (const auto& name : code.may_be_none) specs.push_back(none_parameter(name));
  };
  if (!parse) {
    add_names(parse.so_far);
    return specs;
  }
  if (auto mask = mask_function_parameter(*parse.program); !mask.choices.empty()) specs.push_back(std::move(mask));
  if (auto terms = terms_parameter(*parse.program); !terms.choices.empty()) specs.push_back(std::move(terms));
  add_names(parse.program->code());
  for (const char* name : {"b", "h"})
    if (depends_on(parse.program->code(), *language::variable_of(name))) specs.push_back(plane_parameter(name));
  return specs;
}

Result<void> check_mask_name(const ParameterValues& values, std::string_view name) {
  const MaskParse parse = parsed(values);
  const language::Code& code = parse ? parse.program->code() : parse.so_far;
  std::vector<std::string> known = code.functions;
  if (!code.mask.empty()) known.push_back(code.mask);
  if (std::ranges::find(known, name) != known.end()) return {};
  return invalid("the text has no mask {}{}", shortened(name),
                 known.empty() ? "" : "; its mask is " + shortened(known.back()));
}

ParameterSpec free_array_parameter(std::string_view name) {
  language::ArrayUse use;
  use.name = name;
  return array_parameter(use);
}

ParameterValues preset_as_text(const ParameterValues& values) {
  const SequenceInput input = preset_sequence(values);
  ParameterValues text = values;
  text.set("mask", std::string(text_mask_id));
  text.set("mask_text", preset_text(values));
  // A text must be given inputs that a preset has by default.
  if (input.padding > 0) text.set("padding", input.padding);
  if (!input.document_lengths.empty()) text.set("document_lengths", input.document_lengths);
  text.set("prefix_length", input.prefix_length);
  if (chosen_preset(values).is_cross()) text.set("kv_length", input.kv_length);
  return text;
}

std::optional<Index> text_error_line(std::string_view message) {
  if (!message.starts_with(text_error)) return {};
  message.remove_prefix(text_error.size());
  return parse_index(message.substr(0, message.find(',')));
}

Error text_error_in(std::string_view file, const Error& error) {
  if (!error.message.starts_with(text_error)) return error;
  return {error.code, std::string(file) + error.message.substr(std::string_view("mask_text").size()), error.detail};
}

Result<void> check_mask_text(const ParameterValues& values) {
  const MaskParse parse = parsed(values);
  // Missing values are requested when the mask is made.
  return parse || parse.error.lacks_value ? Result<void>() : unreadable(parse, values);
}

std::vector<std::string> mask_text_warnings(const ParameterValues& values) {
  std::vector<std::string> sentences;
  if (!has_mask_text(values)) return sentences;
  if (const MaskParse parse = parsed(values))
    for (const SourceError& warning : parse.program->warnings()) sentences.push_back(placed_error(warning));
  return sentences;
}

Result<std::shared_ptr<const Mask>> make_text_mask(const ParameterValues& values, const SequenceLayout& layout,
                                                   const std::stop_token& stop) {
  const language::Given given = given_of(values);
  const MaskParse parse = kept_program(mask_text_of(values), given);
  if (!parse) return unreadable(parse, values);
  std::vector<bool> on = switches(*parse.program, values);
  const auto branches = on.begin() + static_cast<std::ptrdiff_t>(parse.program->terms().size());
  MaskBindings bindings = bindings_of(*parse.program, given);
  bindings.term_on.assign(on.begin(), branches);
  on.erase(on.begin(), branches);
  const bool whole = std::ranges::count(on, false) == 0;
  return make_language_mask(whole ? parse.program : parse.program->without_branches(on), std::move(bindings), layout,
                            stop);
}

std::optional<NamedWindow> named_window(const ParameterValues& values) {
  if (!has_mask_text(values)) return {};
  std::vector<NamedWindow> all;
  for (const auto& [key, value] : values.map())
    if (const std::string_view name = free_name_of(key); is_window(name) && std::holds_alternative<Index>(value))
      // Below 1 it is none, or has no value.
      if (const Index given = std::get<Index>(value); given > 0) all.push_back({std::string(name), given});
  const std::string text = mask_text_of(values);
  if (all.empty())
    for (const std::string_view line : split(text, '\n'))
      if (auto window = set_by(line)) all.push_back(std::move(*window));
  return all.size() == 1 ? std::optional(all.front()) : std::nullopt;
}

}  // namespace vqscope
