// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/language/code_writer.h"
#include "core/mask/language/known_names.h"

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
    integers.push_back({value.name, value.fallback, range});
    warn_of_near_name(value, range);
  }
  return of_node(m_build.make({.op = Op::parameter, .value = index, .range = range}));
}

void CodeWriter::warn_of_near_name(const Value& value, Range range) {
  if (value.fallback) return;
  const auto guess = near_variable(value.name);
  if (guess) warn(range, shortened(value.name) + " is taken as a parameter; did you mean " + *guess + "?");
}

bool CodeWriter::is_array(const std::string& name) const {
  return std::ranges::find(m_out.code.arrays, name, &ArrayUse::name) != m_out.code.arrays.end();
}

Value CodeWriter::array_element(const Value& array, NodeId index, Range range) {
  if (failed()) return {};
  const auto& integers = m_out.code.integers;
  if (array.fallback || std::ranges::find(integers, array.name, &IntegerUse::name) != integers.end())
    return fail(range, shortened(array.name) + " is an integer elsewhere in the text, only an array can be indexed");
  auto& arrays = m_out.code.arrays;
  const auto found = std::ranges::find(arrays, array.name, &ArrayUse::name);
  const auto at_index = found - arrays.begin();
  const IndexedBy by = indexed_by(index);
  if (found == arrays.end()) {
    arrays.push_back({array.name, by, range});
    if (const auto guess = near_variable(array.name); guess && *guess != array.name)
      warn(range, shortened(array.name) + " is taken as an array to be given; did you mean " + *guess + "?");
  } else {
    found->indexed_by = together(found->indexed_by, by);
  }
  const bool is_bool = array.name == "key_valid";
  const NodeId made = m_build.make({.op = Op::element, .a = index, .value = at_index, .range = range});
  return of_node(is_bool ? m_build.as_bool(made) : made);
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
