// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/export/json.h"

#include "core/base/machine.h"
#include "core/base/text.h"
#include "core/export/block_reader.h"
#include "core/io/json/json_text.h"
#include "core/method/verdict/verdict.h"

namespace vqscope {
namespace {

std::string pair_of(Index first, Index second) { return "[" + to_text(first) + ", " + to_text(second) + "]"; }

std::string pair_of(const Range& range) { return pair_of(range.begin, range.end); }

template <class Items, class Format>
std::string array_of(const Items& items, const Format& format) {
  std::string text;
  for (const auto& item : items) text += (text.empty() ? "" : ", ") + format(item);
  return "[" + text + "]";
}

/// `"name": value,` on a line of its own.
std::string member(std::string_view name, std::string_view value) {
  return json_text(name) + ": " + std::string(value) + ",\n";
}

/// The parameters in the order of the method's list, as in forms.
std::string parameters_json(const Method& method, const ParameterValues& values) {
  std::string text;
  for (const auto& spec : parameters_of(method, values))
    if (const auto* value = values.find(spec.name); value && is_relevant(spec, values))
      text += (text.empty() ? "" : ", ") + json_text(spec.name) + ": " + json_value(*value);
  return "{" + text + "}";
}

std::string column_of(const std::vector<double>& values) { return array_of(values, json_number); }

std::string names_of_columns(const CurveSet& set) {
  std::vector<std::string> names{set.x_name};
  for (const auto& curve : set.curves) names.push_back(curve.name);
  return array_of(names, json_text);
}

/// For a set with a principal curve: its name under "columns", then x and the other curves.
std::string related_curves_of(const CurveSet& set) {
  std::string text = member("columns", array_of(std::vector{set.curves[*set.principal].name}, json_text)) +
                     member(set.x_name, column_of(set.x));
  for (std::size_t i = 0; i < set.curves.size(); ++i)
    if (i != *set.principal) text += member(set.curves[i].name, column_of(set.curves[i].y));
  return text;
}

/// An object on one line: its name, then x and y by series.
std::string published_of(const Published& published) {
  std::string text = "{\"source\": " + json_text(published.source);
  for (const auto& series : published.series)
    text += ", " + json_text(series.name) + ": [" + column_of(series.x) + ", " + column_of(series.y) + "]";
  return text + "}";
}

std::string head_of_curves(const CurveSet& set) {
  const auto points = static_cast<Index>(set.x.size());
  std::string text = set.principal ? member("shape", "[" + to_text(points) + "]")
                                   : member("shape", pair_of(points, static_cast<Index>(1 + set.curves.size())));
  for (const auto& [name, value] : set.facts) text += member(name, json_number(value));
  if (!set.x_names.empty()) text += member("x_names", array_of(set.x_names, json_text));
  if (set.published) text += member("published", published_of(*set.published));
  text += member("exact", set.exact ? "true" : "false");
  return text + (set.principal ? related_curves_of(set) : member("columns", names_of_columns(set)));
}

/// The machine on which numbers were measured, an object on one line.
std::string machine_json(const std::string& kernels) {
  const Machine machine = this_machine();
  return "{\"processor\": " + json_text(machine.processor) + ", \"cores\": " + to_text(Index{machine.cores}) +
         ", \"memory_bytes\": " + json_number(machine.memory) + ", \"kernels\": " + json_text(kernels) + "}";
}

std::string origin_of(const Method& method) {
  const CurveRecipe& recipe = *method.curves();
  return member("origin", json_text(name_of(recipe.origin))) +
         (recipe.origin == CurveOrigin::measured ? member("machine", machine_json(recipe.kernels)) : "");
}

/// Facts about the whole matrix, even if only a block is written.
std::string facts_of(const Field& field, const std::stop_token& stop) {
  std::string text;
  for (const auto& [name, value] : field.facts(stop)) text += member(name, json_number(value));
  return text;
}

/// Everything before the values.
std::string head_of(const Numbers& numbers) {
  std::string text = "{\n" + member("method", json_text(numbers.method->id)) +
                     member("parameters", parameters_json(*numbers.method, numbers.values));
  if (numbers.minus) text += member("minus", parameters_json(*numbers.method, *numbers.minus));
  if (!numbers.remark.empty()) text += member("remark", json_text(numbers.remark));
  if (const auto* set = numbers.curves()) {
    if (const std::string verdict = verdict_of(*numbers.method, *set); !verdict.empty())
      text += member("verdict", json_text(verdict));
    return text + origin_of(*numbers.method) + head_of_curves(*set);
  }
  const Rect& cells = numbers.block()->cells;
  return text + member("shape", pair_of(cells.rows.size(), cells.cols.size())) + member("rows", pair_of(cells.rows)) +
         member("cols", pair_of(cells.cols));
}

template <class T>
Result<void> write_row_lists(const Rect& block, std::span<const T> cells, const Rect& all, ByteSink& sink,
                             TextBuffer& text) {
  const T* cell = cells.data();
  for (Index row = block.rows.begin; row < block.rows.end; ++row) {
    for (Index col = block.cols.begin; col < block.cols.end; ++col) {
      text.append(col == all.cols.begin ? "[" : ", ");
      append_json(text, *cell++);
      if (!text.full()) continue;
      if (auto written = text.flush(sink); !written) return written;
    }
    if (block.cols.end == all.cols.end) text.append(row + 1 == all.rows.end ? "]\n" : "],\n");
  }
  return {};
}

Result<void> write_points(const CurveSet& set, ByteSink& sink, TextBuffer& text) {
  for (std::size_t i = 0; i < set.x.size(); ++i) {
    text.append('[');
    append_json(text, set.x[i]);
    for (const auto& curve : set.curves) {
      text.append(", ");
      append_json(text, curve.y[i]);
    }
    text.append(i + 1 == set.x.size() ? "]\n" : "],\n");
    if (!text.full()) continue;
    if (auto written = text.flush(sink); !written) return written;
  }
  return {};
}

Result<void> write_values(const Numbers& numbers, ByteSink& sink, TextBuffer& text, const Work& work) {
  const auto* set = numbers.curves();
  if (set && set->principal) {
    text.append(column_of(set->curves[*set->principal].y));
    return {};
  }
  text.append("[\n");
  const auto rows = [&](const Rect& block, auto cells) {
    return write_row_lists(block, cells, numbers.block()->cells, sink, text);
  };
  auto written = set ? write_points(*set, sink, text) : read_blocks(*numbers.block(), work, rows);
  text.append(']');
  return written;
}

}  // namespace

Result<void> write_json(const Numbers& numbers, ByteSink& sink, const Work& work) {
  TextBuffer text;
  text.append(head_of(numbers));
  if (const auto* block = numbers.block()) text.append(facts_of(*block->field, work.stop));
  text.append("\"values\": ");
  if (auto written = write_values(numbers, sink, text, work); !written) return written;
  text.append("\n}\n");
  return text.flush(sink);
}

double json_bytes(const Numbers& numbers) {
  const double head = static_cast<double>(head_of(numbers).size()) + 256;  // facts
  if (const auto* set = numbers.curves())
    return head + static_cast<double>(set->x.size()) * (columns_of(*set) * (double_chars + 2) + 4);
  const FieldBlock& block = *numbers.block();
  return head + rows_of(block) * (cols_of(block) * (cell_chars(*block.field) + 2) + 4);
}

std::string json_value(const ParameterValue& value) {
  struct Formatter {
    std::string operator()(Index v) const { return to_text(v); }
    std::string operator()(double v) const { return json_number(v); }
    std::string operator()(bool v) const { return v ? "true" : "false"; }
    std::string operator()(const std::string& v) const { return json_text(v); }
    std::string operator()(const std::vector<std::string>& v) const { return array_of(v, json_text); }
    std::string operator()(const std::vector<Index>& v) const {
      return array_of(v, [](Index item) { return to_text(item); });
    }
    std::string operator()(const std::vector<double>& v) const { return array_of(v, json_number); }
  };
  return std::visit(Formatter{}, value);
}

}  // namespace vqscope
