// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/language/compile/tree/tree.h"
#include "core/mask/language/names/function_row.h"

namespace vqscope::language {

/// A call of a known function, whose arguments are known.
struct FunctionCall {
  const FunctionRow& row;
  const std::string& written;  ///< its name in the text
  std::string name;            ///< the name of the row
  const Expression& e;
  const std::vector<Argument>& arguments;  ///< of a method, the first is the object
};

/// Computes a function, whose row names it.
using Handler = Value(Compilation& c, const FunctionCall& call);

// known_functions.cpp

Handler refused_values;  // fails: the row has nothing that computes the function for these arguments
Handler absolute_value, negated_value, to_truth, to_integer, to_real, logical_inverse, bitwise_inverse, logical;
Handler extreme_of_two, extreme_of_all, chosen_number, masked_fill_of, divided, whole_value, clamped;
Handler operated;  // the operator whose symbol is the row's kernel

// functions.cpp and object_questions.cpp

Handler join_masks;
Value object_question(Compilation& c, const Expression& e, Scope& scope);  // isinstance, getattr, hasattr

// number_functions.cpp

Handler running_sum, placed, quotient_and_rest, common_divisor, root_or_logarithm;

// list_functions.cpp and generators.cpp

Handler contained, partial, sorted, slice_of, renumbered, zipped, found_in_list, changed_list, list_from, set_of;
Handler is_callable, compiled, new_object, text_from, range_of, reduced, folded;

// array_functions.cpp

Handler apply_to_arrays;  // the kernel or of_arrays of the row
Handler made_array, size_of, apply_by_axes;
Value held_at(Compilation& c, const TensorCall& call);
Value item_of_array(Compilation& c, const TensorCall& call);
Value copied(Compilation& c, const TensorCall& call);

// numpy_functions.cpp: NumPy's functions that differ from torch's of the same name

Value apply_numpy(Compilation& c, const std::string& written, const Expression& e,
                  const std::vector<Argument>& arguments);
Handler repeat_in_numpy, extreme_in_numpy, meshgrid_in_numpy, nonzero_in_numpy, pad_in_numpy, split_in_numpy;
Handler transpose_in_numpy, sort_in_numpy;

// dictionaries.cpp and method_calls.cpp

Handler item_or_default, updated_dictionary, copied_dictionary, items_of_dictionary, changed_text, begins_or_ends;
Value conversion(Compilation& c, const Expression& e, Scope& scope);  // x.to(torch.bool)

}  // namespace vqscope::language
