// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/preset/text_parameters.h"

#include "core/base/sentence.h"
#include "core/mask/language/compile/given.h"
#include "core/mask/language/names/known_names.h"
#include "core/method/free_name.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <set>
#include <utility>

namespace vqscope {
namespace {

constexpr double most_index = 2147483648.0;  // 2^31
constexpr Index longest_array = Index{1} << 22;
constexpr std::size_t longest_label = 40;  // characters
constexpr Index longest_word = 256;        // bytes
constexpr const char* free_names = "Free names";

/// Those that a SequenceLayout has values for when none are given.
bool is_of_the_sequence(std::string_view array) {
  constexpr std::array known{"document_id", "position_ids", "key_valid", "offsets"};
  return std::ranges::count(known, array) > 0;
}

/// Comment of a text behind the value of an integer: window = 512  # tokens that a query reaches
/// back
std::string comment_on(const language::IntegerUse& use, std::string_view text) {
  const auto at = std::min(static_cast<std::size_t>(std::max<Index>(use.range.begin, 0)), text.size());
  const std::string_view line = text.substr(at, text.find('\n', at) - at);
  const auto sign = line.find('#');
  if (!line.starts_with(use.name) || sign == std::string_view::npos) return {};
  const auto begin = line.find_first_not_of("# ", sign);
  if (begin == std::string_view::npos) return {};
  std::string comment(line.substr(begin));
  comment.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(comment.front())));
  return comment + ".";
}

}  // namespace

ParameterSpec free_integer_parameter(const language::IntegerUse& use, std::string_view text) {
  ParameterSpec spec = make_parameter(free_name_key(use.name), free_names, comment_on(use, text),
                                      {.label = shortened(use.name, longest_label),
                                       .kind = ParameterKind::integer,
                                       .maximum = most_index,
                                       .logarithmic = true});
  if (spec.help.empty()) spec.help = "An integer that the mask's text leaves free.";
  if (use.is_flag) {
    spec.kind = ParameterKind::boolean;
    spec.help = "True or False, as the mask's text leaves it free.";
    spec.default_value = use.default_value.value_or(0) != 0;
    return spec;
  }
  if (use.default_value) {
    spec.default_value = *use.default_value;
    spec.minimum = *use.default_value < 0 ? -most_index : 0;
    spec.logarithmic = *use.default_value >= 0;
    return spec;
  }
  spec.default_value = language::not_given;
  spec.minimum = static_cast<double>(language::not_given);
  spec.automatic = use.may_miss ? "None" : "not given, and the mask needs it";
  if (use.is_truth) {
    spec.help = "True or False, as the mask's text leaves it free.";
    spec.choices = {{"False", "0"}, {"True", "1"}};
    return spec;
  }
  if (const auto guess = language::likely_value(use.name, 0); guess && *guess > 0)
    spec.help += fmt::format(" An integer of this name is often about {}.", *guess);
  return spec;
}

ParameterSpec word_parameter(const language::WordUse& use) {
  ParameterSpec spec =
      make_parameter(free_name_key(use.name), free_names, "A value that decides what the mask's text means.",
                     {.label = shortened(use.name, longest_label),
                      .kind = ParameterKind::text,
                      .default_value = use.default_value.value_or(std::string()),
                      .automatic = use.default_value ? "" : "not given, and the mask needs it",
                      .most_items = longest_word});
  if (!use.choices.empty()) spec.help = "A text that the mask compares with " + join(use.choices, ", ") + ".";
  for (const std::string& text : use.choices) spec.choices.push_back({text, "the mask compares with it"});
  return spec;
}

ParameterSpec none_parameter(std::string_view name) {
  const std::string label = shortened(name, longest_label);
  return make_parameter(none_key(name), free_names, "Whether the name is None, with which the mask's text compares it.",
                        {.label = label + " is None", .default_value = false});
}

ParameterSpec array_parameter(const language::ArrayUse& use) {
  return make_parameter(free_name_key(use.name), free_names, "An array of integers that the mask's text indexes.",
                        {.label = shortened(use.name, longest_label),
                         .default_value = std::vector<Index>{},
                         .minimum = -most_index,
                         .maximum = most_index,
                         .automatic = is_of_the_sequence(use.name) ? "as the sequence has it"
                                      : use.may_miss               ? "None"
                                                                   : "none, and the mask needs it",
                         .most_items = longest_array});
}

void add_array_parameters(const language::ArrayUse& use, const ParameterValues& values,
                          std::vector<ParameterSpec>& specs) {
  specs.push_back(array_parameter(use));
  const std::string label = shortened(use.name, longest_label);
  if (values.find(array_shape_key(use.name)))
    specs.push_back(make_parameter(array_shape_key(use.name), free_names,
                                   "How long the sides of the array are, row by row; of a list nothing.",
                                   {.label = "Shape of " + label,
                                    .default_value = std::vector<Index>{},
                                    .minimum = 0,
                                    .maximum = most_index,
                                    .automatic = "a list",
                                    .most_items = 8}));
  if (values.find(array_truth_key(use.name)))
    specs.push_back(make_parameter(array_truth_key(use.name), free_names,
                                   "Whether the array holds truth values, of which ~ is not.",
                                   {.label = label + " is boolean", .default_value = false}));
}

ParameterSpec plane_parameter(const char* name) {
  const bool head = std::string_view(name) == "h";
  return make_parameter(
      name, free_names,
      head ? "The head h for which the mask is shown." : "The sequence b of the batch for which the mask is shown.",
      {.label = head ? "Head" : "Batch",
       .kind = ParameterKind::integer,
       .default_value = Index{0},
       .minimum = 0,
       .maximum = 65535,
       .logarithmic = true});
}

std::vector<std::string> switch_names(const MaskProgram& program) {
  std::vector<std::string> names;
  std::set<std::string> taken;
  std::map<std::string, Index> counts;
  const auto add = [&](const std::string& name) {
    std::string own = name;
    for (Index& count = counts[name]; !taken.insert(own).second;) own = fmt::format("{} ({})", name, ++count + 1);
    names.push_back(std::move(own));
  };
  for (const auto& term : program.terms()) add(term.name);
  for (const auto& branch : program.branches()) add(branch.name);
  return names;
}

ParameterSpec terms_parameter(const MaskProgram& program) {
  ParameterSpec spec = make_parameter(
      "terms_off", "Mask", "What is switched off: a term then masks nothing, a branch of an or shows nothing.",
      {.label = "Switched-off terms", .default_value = std::vector<std::string>{}});
  const auto names = switch_names(program);
  const std::size_t terms = program.terms().size();
  // A mask of one term has nothing but its branches to leave out.
  for (std::size_t i = terms > 1 ? 0 : terms; i < names.size(); ++i)
    spec.choices.push_back({names[i], (i < terms ? "a term: without it, it masks nothing"
                                                 : "a branch of an or: without it, it shows nothing")});
  return spec;
}

ParameterSpec mask_function_parameter(const MaskProgram& program) {
  ParameterSpec spec = make_parameter(
      "mask_function", "Mask", "Which of the text's functions is the mask; at first the one that a reader would take.",
      {.label = "Mask of the text", .default_value = std::string()});
  if (program.masks().size() < 2) return spec;
  spec.choices.push_back({"", "the last one that no other uses"});
  for (const std::string& name : program.masks()) spec.choices.push_back({name, "this one"});
  return spec;
}

}  // namespace vqscope
