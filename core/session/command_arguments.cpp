// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/command_arguments.h"

#include "core/base/sentence.h"
#include "core/field/tile_grid.h"
#include "core/lint/lint_case.h"
#include "core/mask/batch/batch_members.h"
#include "core/method/free_name.h"

namespace vqscope {
namespace {

/// Values that differ from `from`. `owner`: the owner of the parameters.
std::string arguments(std::string_view option, std::span<const ParameterSpec> specs, const ParameterValues& values,
                      const ParameterValues& from, std::span<const ParameterSpec> known, const std::string& owner) {
  std::string text;
  for (const auto& spec : specs) {
    const ParameterValue* value = values.find(spec.name);
    const ParameterValue* other = from.find(spec.name);
    if (value && (!other || *value != *other) && is_relevant(spec, values))
      text += fmt::format(" --{} {}={}", option, name_to_give(known, spec, owner), shell_word(format_value(*value)));
  }
  return text;
}

const char* axes_text(const CurveAxes& axes) {
  if (axes.log_x) return axes.log_y ? "xy" : "x";
  return axes.log_y ? "y" : "none";
}

}  // namespace

std::string set_arguments(const Method& method, const ParameterValues& values) {
  const auto specs = parameters_of(method, values);
  return arguments("set", specs, values, default_values(specs), specs, method.id);
}

std::string lint_arguments(const ParameterValues& lint, const Method& method, const ParameterValues& values) {
  const auto specs = lint_parameters();
  return arguments("set", specs, lint, default_values(specs), parameters_of(method, values), "contract");
}

std::string batch_arguments(const BatchChoice& choice, bool all) {
  std::string line = is_batch_file(choice.file) ? " --batch-file " : " --mask ";
  line += shell_word(choice.file);
  if (choice.threshold) line += " --threshold " + to_text(*choice.threshold);
  if (!all) line += fmt::format(" --batch {}", choice.sample);
  if (!all && choice.head > 0) line += fmt::format(" --head {}", choice.head);
  return line;
}

std::string minus_arguments(const Method& method, const ParameterValues& values, const ParameterValues& minus) {
  const auto specs = parameters_of(method, minus);
  return arguments("minus", specs, minus, values, specs, method.id);
}

std::string look_arguments(const Method& method, const ShownPage& look, const std::optional<Extent>& extent) {
  if (!method.field()) {
    const auto axes = look.axes.find(method.id);
    return axes == look.axes.end() ? std::string() : fmt::format(" --log {}", axes_text(axes->second));
  }
  std::string line;
  if (look.view && extent) {
    const Range rows = cells_in(look.view->row_first, look.view->row_last, extent->rows);
    const Range cols = cells_in(look.view->col_first, look.view->col_last, extent->cols);
    line += fmt::format(" --rows {}:{} --cols {}:{}", rows.begin, rows.end, cols.begin, cols.end);
  }
  if (look.aggregate != Aggregate::automatic)
    line += " --aggregate " + aggregate_names()[static_cast<std::size_t>(look.aggregate)];
  if (look.keep_aspect) line += " --square";
  const bool is_difference = look.compare == CompareMode::difference;
  if (!look.colour_map.empty() && !is_difference) line += " --colour-map " + look.colour_map;
  return line;
}

std::string view_arguments(const Method& method, const ParameterValues& values, const ShownPage& look,
                           const std::optional<Extent>& extent, const std::string& file) {
  std::string words = method.id + file + set_arguments(method, values);
  if (const auto minus = subtrahend(method, look)) words += minus_arguments(method, values, *minus);
  return words + look_arguments(method, look, extent);
}

std::string token_arguments(const Method& method, const ParameterValues& values, const TokenTexts& tokens) {
  const TokenAxes axes = token_axes(method, values);
  return tokens.empty() || !(axes.rows || axes.cols) ? std::string() : " --tokens " + shell_word(token_list(tokens));
}

}  // namespace vqscope
