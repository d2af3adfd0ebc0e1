// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/language/code_writer.h"
#include "core/mask/language/known_names.h"
#include "core/mask/language/plain_evaluator.h"

#include "core/base/text.h"

#include <algorithm>

namespace vqscope::language {

Value CodeWriter::variable_node(Variable variable, Range range) {
  return of_node(m_build.make({.op = Op::variable,
                               .is_bool = variable == Variable::key_valid,
                               .value = static_cast<Index>(variable),
                               .range = range}));
}

Value CodeWriter::integer_parameter(const Value& value, Range range) {
  auto& integers = m_out.code.integers;
  if (is_array(value.name))
    return fail(range, shortened(value.name) +
                           " is an array elsewhere in the text; index it: " + shortened(value.name) + "[kv_idx]");
  if (value.name == "document_id" || value.name == "position_ids" || value.name == "offsets")
    return fail(range, value.name + " is an array; index it: " + value.name + "[kv_idx]");
  const auto found = std::ranges::find(integers, value.name, &IntegerUse::name);
  const auto index = found - integers.begin();
  if (found == integers.end()) {
    integers.push_back({.name = value.name, .fallback = value.fallback, .range = range, .is_flag = value.is_flag});
    warn_of_near_name(value, range);
  }
  const Value made = of_node(m_build.make({.op = Op::parameter, .value = index, .range = range}));
  return value.is_flag && !failed() ? of_node(as_bool(made.node)) : made;
}

Value CodeWriter::optional_name(const std::string& name, bool is_array, Range range) {
  Code& code = m_out.code;
  if (is_array && std::ranges::find(code.arrays, name, &ArrayUse::name) == code.arrays.end())
    code.arrays.push_back({.name = name, .range = range, .may_miss = true});
  if (!is_array && std::ranges::find(code.integers, name, &IntegerUse::name) == code.integers.end())
    code.integers.push_back({.name = name, .range = range, .may_miss = true, .decides = true});
  const bool is_given = is_array ? m_given.arrays.contains(name) : value_of(name, std::nullopt).has_value();
  if (!is_given) return {.kind = Value::Kind::nothing};
  return {.kind = Value::Kind::free_name, .name = name};
}

std::optional<Index> CodeWriter::value_of(const std::string& name, std::optional<Index> fallback) const {
  const auto given = m_given.integers.find(name);
  if (given == m_given.integers.end() || (!fallback && given->second == not_given)) return fallback;
  return given->second;
}

std::optional<Index> CodeWriter::settled(NodeId id) {
  if (failed()) return std::nullopt;
  Code& code = m_out.code;
  if (node(id).op == Op::constant) return node(id).value;
  std::vector<bool> seen(static_cast<std::size_t>(id) + 1);
  std::vector<NodeId> open{id};
  std::vector<std::size_t> used;
  while (!open.empty()) {
    const NodeId next = open.back();
    open.pop_back();
    if (next == no_node || seen[static_cast<std::size_t>(next)]) continue;
    seen[static_cast<std::size_t>(next)] = true;
    const Node& n = node(next);
    if (n.op == Op::variable || n.op == Op::element || n.op == Op::length) return std::nullopt;
    if (n.op == Op::parameter) used.push_back(static_cast<std::size_t>(n.value));
    open.insert(open.end(), {n.a, n.b, n.c});
  }
  Environment known;
  for (const IntegerUse& use : code.integers) {
    known.integers.push_back(value_of(use.name, use.fallback).value_or(0));
  }
  for (const std::size_t i : used)
    if (!value_of(code.integers[i].name, code.integers[i].fallback)) return std::nullopt;
  PlainEvaluator evaluator(code, known);
  evaluator.move_to(0, 0);
  const auto value = evaluator.evaluate(id);
  if (value)
    for (const std::size_t i : used) code.integers[i].decides = true;
  return value;
}

void CodeWriter::warn_of_near_name(const Value& value, Range range) {
  if (value.fallback) return;
  const auto guess = near_variable(value.name);
  if (guess) warn(range, shortened(value.name) + " is taken as a parameter; did you mean " + *guess + "?");
}

bool CodeWriter::is_array(const std::string& name) const {
  return std::ranges::find(m_out.code.arrays, name, &ArrayUse::name) != m_out.code.arrays.end();
}

Index CodeWriter::array_place(const Value& array, IndexedBy by, Range range) {
  if (failed()) return -1;
  const auto& integers = m_out.code.integers;
  if (array.fallback || std::ranges::find(integers, array.name, &IntegerUse::name) != integers.end()) {
    fail(range, shortened(array.name) + " is an integer elsewhere in the text, only an array can be indexed");
    return -1;
  }
  auto& arrays = m_out.code.arrays;
  const auto found = std::ranges::find(arrays, array.name, &ArrayUse::name);
  if (found != arrays.end()) {
    found->indexed_by = together(found->indexed_by, by);
    return found - arrays.begin();
  }
  arrays.push_back({.name = array.name, .indexed_by = by, .range = range});
  if (const auto guess = near_variable(array.name); guess && *guess != array.name)
    warn(range, shortened(array.name) + " is taken as an array to be given; did you mean " + *guess + "?");
  return static_cast<Index>(arrays.size()) - 1;
}

Value CodeWriter::array_element(const Value& array, NodeId index, Range range) {
  const Index place = failed() ? -1 : array_place(array, indexed_by(index), range);
  if (failed()) return {};
  const Value made = element_of(place, index, range);
  return array.name == "key_valid" ? of_node(m_build.as_bool(made.node)) : made;
}

Value CodeWriter::array_length(const Value& array, Range range) {
  const Index place = array_place(array, IndexedBy::other, range);
  return failed() ? Value{} : of_node(m_build.make({.op = Op::length, .value = place, .range = range}));
}

Value CodeWriter::element_of(Index array, NodeId index, Range range) {
  return of_node(m_build.make({.op = Op::element, .a = index, .value = array, .range = range}));
}

Index CodeWriter::literal_array(std::vector<Index> values, Range range) {
  auto& arrays = m_out.code.arrays;
  const auto known = std::ranges::find_if(
      arrays, [&](const ArrayUse& use) { return use.source == ArraySource::literal && use.values == values; });
  if (known != arrays.end()) return known - arrays.begin();
  arrays.push_back(
      {.name = shortened(written(range)), .range = range, .source = ArraySource::literal, .values = std::move(values)});
  return static_cast<Index>(arrays.size()) - 1;
}

Index CodeWriter::derived_array(ArraySource source, Index of, Range range) {
  auto& arrays = m_out.code.arrays;
  const auto known =
      std::ranges::find_if(arrays, [&](const ArrayUse& use) { return use.source == source && use.of == of; });
  if (known != arrays.end()) return known - arrays.begin();
  arrays.push_back({.name = shortened(written(range)), .range = range, .source = source, .of = of});
  return static_cast<Index>(arrays.size()) - 1;
}

IndexedBy CodeWriter::indexed_by(NodeId index) const {
  const Node& n = node(index);
  if (n.op != Op::variable) return IndexedBy::other;
  if (n.value == static_cast<Index>(Variable::q_idx)) return IndexedBy::query;
  return n.value == static_cast<Index>(Variable::kv_idx) ? IndexedBy::key : IndexedBy::other;
}

IndexedBy CodeWriter::together(IndexedBy a, IndexedBy b) {
  if (a == b) return a;
  return a == IndexedBy::other || b == IndexedBy::other ? IndexedBy::other : IndexedBy::token;
}

}  // namespace vqscope::language
