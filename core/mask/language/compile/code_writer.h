// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/language/code/node_builder.h"
#include "core/mask/language/compile/given.h"
#include "core/mask/language/compile/value.h"

#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace vqscope::language {

/// The nodes, free names, errors and warnings that compiling a text has come to so far. After an error what is made
/// is of no use: a Value is none, a NodeId no_node.
class CodeWriter {
 protected:
  CodeWriter(std::string_view text, const Given& given) : m_text(text), m_given(given), m_build(m_out.code) {}

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
  Value flag(bool value, Range range) { return of_node(m_build.constant(value ? 1 : 0, true, range)); }

  /// What a name that is None unless it is given stands for: the name, or nothing.
  Value optional_name(const std::string& name, bool is_array, Range range);

  /// What a node of constants and of integers with a value comes to: it is the same in every cell, and decides what
  /// the text means. Nothing: it differs by cell, or an integer has no value yet.
  std::optional<Index> settled(NodeId id) { return settled(id, false); }

  /// The same, of what differs by b and h too: which row of a batch of arrays is meant.
  std::optional<Index> settled_in_batch(NodeId id) { return settled(id, true); }

  /// The integer or the element of the array that a free name stands for; the first use counts it among those to give.
  Value integer_parameter(const Value& value, Range range);
  Value array_element(const Value& array, NodeId index, Range range);
  Value array_length(const Value& array, Range range);

  /// The place of an array in the code, which it has from its first use on; -1 after an error.
  Index array_place(const Value& array, IndexedBy by, Range range);

  /// Asks for an array that is not given, which no other error does.
  Value lacking(const Value& array, Range range);

  /// An array whose values the text says; one that is made of another one's.
  Index literal_array(std::vector<Index> values, std::vector<Index> shape, Range range);
  Index derived_array(ArraySource source, Index of, Range range);
  Value element_of(Index array, NodeId index, Range range);

  std::string_view m_text;
  const Given& m_given;
  Compiled m_out;
  NodeBuilder m_build;

 private:
  std::optional<Index> settled(NodeId id, bool in_batch);
  void warn_of_near_name(const Value& value, Range range);
  bool is_array(const std::string& name) const;
  std::optional<Index> value_of(const std::string& name, std::optional<Index> fallback) const;
  IndexedBy indexed_by(NodeId index) const;
  static IndexedBy together(IndexedBy a, IndexedBy b);

  std::set<std::pair<Index, std::string>> m_warned;
};

}  // namespace vqscope::language
