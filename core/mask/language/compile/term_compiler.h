// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/language/compile/expression_compiler.h"

#include <string_view>
#include <vector>

namespace vqscope::language {

/// What a text comes to, as terms joined by `and`.
class TermCompiler : protected ExpressionCompiler {
 protected:
  using ExpressionCompiler::expression;
  using ExpressionCompiler::ExpressionCompiler;

  /// Puts the terms of what the text ends in into the code.
  void make_terms(Value result);

  /// Gives each term its comparisons; a mask without terms is True.
  void finish();

  /// Whether a function gives back one of the functions defined in it, or masks joined.
  bool is_factory(const Function& function, int depth = 0) const;

  /// Whether it takes (b, h, q_idx, kv_idx), or parameters whose names are known.
  bool is_mask(const Function& function) const;

  Range m_result_range;  ///< of what the text ends in

 private:
  mutable int m_factories_asked = 0;

  /// A lambda, masks joined, or what a factory gives.
  bool makes_function(ExpressionId id, int depth) const;
  bool hands_over(const std::vector<Statement>& statements) const;
  bool gives_function(const std::vector<Statement>& statements, const std::vector<Statement>& whole, int depth) const;

  /// The parameters without self, and without those that gather what is left.
  static std::vector<const Parameter*> positional(const Function& function);

  /// The parameters of a factory are free names.
  Value unfold(const Callable& factory);

  /// b, h, q_idx, kv_idx
  std::vector<Argument> mask_arguments();

  /// A parameter of a factory as a free name, with the default that the text gives it.
  Value free_parameter(const Callable& factory, const Parameter& parameter);

  /// The first four parameters are b, h, q_idx, kv_idx by position, or else those whose names are known; the others
  /// are free names.
  Value apply_mask(const Callable& callable, const std::vector<Argument>& arguments);

  std::vector<Argument> arguments_of(const Callable& callable, const std::vector<Argument>& cell);

  Value mask_among(const std::vector<Value>& values) const;
  Value cell_of(const Value& value);
  Value as_truth(const Value& value);
  void split_result(NodeId root, Range range);

  /// The terms of a node, asked only where the terms `guards` hold.
  void split(NodeId id, std::vector<std::size_t> guards, bool is_root);

  /// What a term's own `or` joins, down to what has a name.
  void find_branches(NodeId root);
};

}  // namespace vqscope::language
