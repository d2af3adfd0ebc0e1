// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/language/expression_compiler.h"

#include <string_view>
#include <vector>

namespace vqscope::language {

/// What a text comes to, as terms joined by `and`.
class TermCompiler : protected ExpressionCompiler {
 protected:
  using ExpressionCompiler::ExpressionCompiler;

  /// Puts the terms of what the text ends in into the code.
  void make_terms(Value result);

  /// Gives each term its comparisons; a mask without terms is True.
  void finish();

  Range m_result_range;  ///< of what the text ends in

 private:
  /// Whether the last line of a function gives back one of the functions defined in it, or masks joined.
  bool is_factory(const Function& function) const;

  /// A lambda, or masks joined.
  bool makes_function(const Expression& e) const;

  /// The parameters of a factory are free names.
  Value unfold(const Callable& factory);

  /// b, h, q_idx, kv_idx
  std::vector<Argument> mask_arguments();

  /// Four parameters are b, h, q_idx, kv_idx by position; others must be names that are known.
  Value apply_mask(const Callable& callable, const std::vector<Argument>& arguments);

  std::vector<Argument> arguments_of(const Function& function);

  void split_result(NodeId root, Range range);

  /// The terms of a node, asked only where the terms `guards` hold.
  void split(NodeId id, std::vector<std::size_t> guards, bool is_root);

  /// What a term's own `or` joins, down to what has a name.
  void find_branches(NodeId root);
};

}  // namespace vqscope::language
