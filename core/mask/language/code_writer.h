// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/language/compiler.h"
#include "core/mask/language/node_builder.h"
#include "core/mask/language/value.h"

#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace vqscope::language {

/// The nodes, free names, errors and warnings that compiling a text has come to so far. After an error what is made
/// is of no use: a Value is none, a NodeId no_node.
class CodeWriter {
 protected:
  explicit CodeWriter(std::string_view text) : m_text(text), m_build(m_out.code) {}

  const Node& node(NodeId id) const { return m_out.code.at(id); }
  bool failed() const { return m_out.error.has_value(); }

  /// The bytes of the text in one line, blanks joined.
  std::string written(Range range) const;

  /// The first error stays.
  Value fail(Range range, std::string message);

  /// Once for each place and message.
  void warn(Range range, std::string message);

  /// A node as a value, unless the mask has grown too large.
  Value of_node(NodeId id);
  Value make(Op op, bool is_bool, Range range, NodeId a, NodeId b = no_node, NodeId c = no_node);
  NodeId as_int(NodeId id) { return failed() ? no_node : m_build.as_int(id); }
  NodeId as_bool(NodeId id) { return failed() ? no_node : m_build.as_bool(id); }

  /// An integer or a truth value; a free name is an integer parameter from here on.
  NodeId as_node(const Value& value, Range range);

  Value variable_node(Variable variable, Range range);

  /// The integer or the element of the array that a free name stands for; the first use counts it among those to give.
  Value integer_parameter(const Value& value, Range range);
  Value array_element(const Value& array, NodeId index, Range range);

  std::string_view m_text;
  Compiled m_out;
  NodeBuilder m_build;

 private:
  void warn_of_near_name(const Value& value, Range range);
  bool is_array(const std::string& name) const;
  IndexedBy indexed_by(NodeId index) const;
  static IndexedBy together(IndexedBy a, IndexedBy b);

  std::set<std::pair<Index, std::string>> m_warned;
};

}  // namespace vqscope::language
