// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/contract_case.h"

#include "core/base/text.h"
#include "core/mask/dialect.h"
#include "core/mask/layout_regions.h"
#include "core/mask/presets.h"

#include <array>

namespace vqscope {
namespace {

constexpr const char* unsaid = "unsaid";
constexpr std::array objective_names{"causal", "prefix", "bidirectional", "cross"};

ParameterSpec choice(const char* name, const char* help, std::vector<Choice> choices) {
  const std::string first = choices.front().id;
  return {.name = name,
          .group = "Contract",
          .help = help,
          .kind = ParameterKind::choice,
          .fallback = first,
          .choices = std::move(choices)};
}

ParameterSpec flag(const char* name, const char* help) {
  return {.name = name, .group = "Contract", .help = help, .kind = ParameterKind::boolean, .fallback = false};
}

ParameterSpec array(const char* name, const char* help, double minimum) {
  return {.name = name,
          .group = "Contract",
          .help = help,
          .kind = ParameterKind::integer_list,
          .fallback = std::vector<Index>{},
          .minimum = minimum,
          .maximum = 4294967296.0,
          .automatic = "not given"};
}

ParameterSpec dialect_parameter() {
  std::vector<Choice> choices{{unsaid, "not said"}};
  for (const auto& dialect : dialects()) choices.push_back({dialect.id, dialect.title});
  return choice("dialect", "What the mask is handed to.", std::move(choices));
}

ParameterSpec window_meaning_parameter() {
  std::vector<Choice> choices{{unsaid, "the dialect's own"}};
  for (const auto& meaning : window_meanings()) choices.push_back({meaning.id, meaning.title + ": " + meaning.rule});
  return choice("window_meaning", "What the library means by its window.", std::move(choices));
}

std::vector<ParameterSpec> rope_parameters() {
  const std::vector<Choice> layouts{
      {unsaid, "not said"}, {"half_split", "i with i + d/2"}, {"interleaved", "2i, 2i + 1"}};
  const std::vector<Choice> scalings{{unsaid, "not said"}, {"default", ""}, {"linear", ""},   {"dynamic", ""},
                                     {"ntk", ""},          {"yarn", ""},    {"longrope", ""}, {"llama3", ""}};
  return {choice("q_pair_layout", "Which dimensions of q turn together.", layouts),
          choice("k_pair_layout", "Which dimensions of k turn together.", layouts),
          choice("q_rope_type", "Scaling of q's angles.", scalings),
          choice("k_rope_type", "Scaling of k's angles.", scalings),
          choice("rope_gather", "By what the rotary table is gathered.",
                 {{unsaid, "not said"}, {"position", "by position_ids"}, {"column", "by the tensor's column"}})};
}

std::string said(const ParameterValues& stated, const char* name) {
  const std::string& value = stated.choice(name);
  return value == unsaid ? std::string() : value;
}

Result<void> check_length(const char* name, std::size_t length, Index wanted, const char* wanted_name) {
  if (length == 0 || static_cast<Index>(length) == wanted) return {};
  return invalid(std::string(name) + " has " + to_text(static_cast<Index>(length)) + " entries, must have " +
                 wanted_name + " = " + to_text(wanted));
}

/// position_ids of all tokens, or of the queries alone.
Result<void> take_positions(const ParameterValues& stated, ContractCase& made) {
  made.q_position_ids = stated.integers("q_position_ids");
  made.kv_position_ids = stated.integers("kv_position_ids");
  const auto& ids = stated.integers("position_ids");
  const auto length = static_cast<Index>(ids.size());
  const SequenceLayout& layout = made.layout;
  const bool self = layout.query_source() == QuerySource::keys;
  if (length > 0 && length != layout.q_length() && (!self || length != layout.kv_length()))
    return invalid("position_ids has " + to_text(length) + " entries, must have q_length = " +
                   to_text(layout.q_length()) + (self ? " or kv_length = " + to_text(layout.kv_length()) : ""));
  if (length > 0 && self && length == layout.kv_length()) {
    if (made.kv_position_ids.empty()) made.kv_position_ids = ids;
    const auto first = ids.begin() + layout.past_len();
    if (made.q_position_ids.empty()) made.q_position_ids.assign(first, first + layout.q_length());
  } else if (length > 0 && made.q_position_ids.empty()) {
    made.q_position_ids = ids;
  }
  if (auto fits = check_length("q_position_ids", made.q_position_ids.size(), layout.q_length(), "q_length"); !fits)
    return fits;
  return check_length("kv_position_ids", made.kv_position_ids.size(), layout.kv_length(), "kv_length");
}

/// labels, with -100 also where loss_mask is 0.
Result<void> take_labels(const ParameterValues& stated, ContractCase& made) {
  made.labels = stated.integers("labels");
  const auto& loss_mask = stated.integers("loss_mask");
  const Index wanted = made.layout.q_length();
  if (auto fits = check_length("labels", made.labels.size(), wanted, "q_length"); !fits) return fits;
  if (auto fits = check_length("loss_mask", loss_mask.size(), wanted, "q_length"); !fits) return fits;
  if (made.labels.empty()) made.labels.assign(loss_mask.size(), 0);
  for (std::size_t i = 0; i < loss_mask.size(); ++i)
    if (loss_mask[i] == 0) made.labels[i] = -100;
  return {};
}

Objective preset_objective(const MaskPreset& preset) {
  if (preset.is_cross()) return Objective::cross;
  if (preset.has("prefix")) return Objective::prefix;
  return preset.is_causal() ? Objective::causal : Objective::bidirectional;
}

Objective stated_objective(const MaskPreset& preset, const std::string& name) {
  for (std::size_t i = 0; i < objective_names.size(); ++i)
    if (name == objective_names[i]) return static_cast<Objective>(i);
  return preset_objective(preset);
}

void take_facts(const ParameterValues& stated, ContractCase& made) {
  made.dialect = said(stated, "dialect");
  made.window_meaning = said(stated, "window_meaning");
  if (const Index argument = stated.integer("window_argument"); argument >= 0) made.window_argument = argument;
  made.true_means = said(stated, "true_means");
  made.values = said(stated, "values");
  made.dtype = stated.choice("dtype");
  made.is_causal = stated.boolean("is_causal");
  made.summed = stated.boolean("summed");
  made.q_rope = {said(stated, "q_pair_layout"), said(stated, "q_rope_type"), stated.choice("rope_gather") == "column"};
  made.k_rope = {said(stated, "k_pair_layout"), said(stated, "k_rope_type"), made.q_rope.by_column};
}

}  // namespace

std::string objective_name(Objective objective) { return objective_names[static_cast<std::size_t>(objective)]; }

MaskStructure wanted_structure(const ContractCase& given) {
  MaskStructure structure;
  structure.causal = given.objective == Objective::causal;
  if (given.objective == Objective::prefix) structure.prefix = given.prefix_length;
  if (structure.causal || structure.prefix) structure.window = given.window;
  structure.documents = document_count(given.layout) > 1;
  structure.padding = padding_count(given.layout) > 0;
  return structure;
}

std::vector<ParameterSpec> contract_parameters() {
  std::vector<ParameterSpec> specs{
      choice("objective", "What is learned, and so what a query may see.",
             {{"automatic", "as the mask says"},
              {"causal", "a query sees itself and what is before it"},
              {"prefix", "the prefix both ways, the rest causal"},
              {"bidirectional", "everything that is real"},
              {"cross", "everything real of another sequence"}}),
      {.name = "window",
       .group = "Contract",
       .help = "Keys that a query is wanted to see at most, itself counted.",
       .fallback = Index{-1},
       .minimum = -1,
       .maximum = 2147483648.0,
       .unit = "tokens",
       .automatic = "as the mask says; 0: no window"},
      array("position_ids", "Positions that the model is given, of the queries or of all tokens.", 0),
      array("q_position_ids", "Positions by which the queries are turned.", 0),
      array("kv_position_ids", "Positions by which the keys are turned.", 0),
      array("labels", "Targets of the queries, -100 where there is no loss.", -100),
      array("loss_mask", "1 where a query's loss counts, 0 where it does not.", 0),
      dialect_parameter(),
      window_meaning_parameter(),
      {.name = "window_argument",
       .group = "Contract",
       .help = "The number that the library is given for its window.",
       .fallback = Index{-1},
       .minimum = -1,
       .maximum = 2147483648.0,
       .automatic = "not said"},
      choice("true_means", "What True means in the tensor that is handed over.",
             {{unsaid, "not said"}, {"attends", "visible"}, {"masked", "not visible"}}),
      choice("values", "What the tensor that is handed over holds.",
             {{unsaid, "not said"},
              {"boolean", "True and False"},
              {"additive", "0 and a large negative number"},
              {"zero_one", "floats 0 and 1"}}),
      choice("dtype", "Of the scores.", {{"float32", ""}, {"float16", ""}, {"bfloat16", ""}}),
      flag("is_causal", "is_causal=True is given beside the mask."),
      flag("summed", "Causal and padding are planes of finfo.min that are added.")};
  for (auto& spec : rope_parameters()) specs.push_back(std::move(spec));
  return specs;
}

Result<ContractCase> contract_case(const ParameterValues& preset_values, const ParameterValues& stated) {
  auto mask = make_preset_mask(preset_values);
  if (!mask) return mask.error();
  const SequenceInput input = preset_sequence(preset_values);
  const auto layout = SequenceLayout::make(input);
  if (!layout) return layout.error();
  ContractCase made{.mask = *mask, .layout = *layout};
  made.objective = stated_objective(chosen_preset(preset_values), stated.choice("objective"));
  if (made.objective == Objective::prefix) made.prefix_length = input.prefix_length;
  const Index window = stated.integer("window") < 0 ? preset_window(preset_values) : stated.integer("window");
  if (window > 0) made.window = window;
  take_facts(stated, made);
  if (auto taken = take_positions(stated, made); !taken) return taken.error();
  if (auto taken = take_labels(stated, made); !taken) return taken.error();
  return made;
}

Result<ContractCase> contract_case(const ParameterValues& preset_values) {
  return contract_case(preset_values, default_values(contract_parameters()));
}

}  // namespace vqscope
