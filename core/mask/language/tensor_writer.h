// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/language/code_writer.h"
#include "core/mask/language/tensor.h"

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace vqscope::language {

/// What torch and NumPy do with whole arrays, while the text is compiled: their elements are numbers then, or nodes.
class TensorWriter : protected CodeWriter {
 protected:
  using CodeWriter::CodeWriter;

  // What is a tensor: tensor_writer.cpp.

  /// Whether a value is an array as a whole. A list of Python is none.
  bool is_tensor(const Value& value) const;
  bool any_tensor(const std::vector<Argument>& arguments) const;

  /// A tensor, an array that is given, a list (of lists), a number. Null after an error.
  TensorPtr as_tensor(const Argument& argument);

  /// The same where a number will not do: a free name is an array here.
  TensorPtr array_at(const Argument& argument);

  /// A tensor as a value; one without sides is its element.
  Value of_tensor(Tensor tensor, Range range);
  Value item(const Tensor& tensor, Index place, Range range);

  /// What goes along its first side: elements, or tensors of one side less.
  std::vector<Value> rows_of(const TensorPtr& tensor, Range range);

  /// Integers that are known before any cell is looked at.
  std::optional<Index> number(const Argument& argument);
  std::optional<std::vector<Index>> integers(const std::vector<Argument>& arguments);

  /// A tensor of a shape that holds one number.
  std::optional<Tensor> filled(std::vector<Index> shape, Index number, bool is_bool, Range range);

  /// Counts the elements that a text's tensors come to.
  bool spend(Index elements, Range range);
  std::optional<Index> counted(std::span<const Index> shape, Range range);

  /// Operands of any shapes, element by element. Of numbers that are known `name` says what comes of them; else
  /// `of_values`.
  using OfValues = std::function<Value(const std::vector<Argument>&)>;
  Value each(const std::string& name, const std::vector<Argument>& operands, const OfValues& of_values, Range range);

  // Indices: tensor_index.cpp.

  /// One of the things between the brackets of an index.
  struct Subscript {
    enum class Kind { value, slice, every /* ... */ };
    Kind kind = Kind::value;
    Argument value;
    std::optional<Index> first, end, step;
  };

  Value read(const TensorPtr& from, const std::vector<Subscript>& subscripts, Range range);
  void write(const TensorPtr& to, const std::vector<Subscript>& subscripts, const Argument& value, Range range);

  /// Whether elements of it can be changed here.
  bool may_change(const Tensor& tensor, Range range);

  // Functions: tensor_functions.cpp, tensor_shapes.cpp, tensor_reductions.cpp.

  /// A function of torch or NumPy of whole arrays, by its one name; nothing: there is none of this name.
  std::optional<Value> of_tensors(const std::string& name, std::vector<Argument> arguments, Range range);

  std::set<std::string> m_array_names;  ///< free names that the text uses as arrays
  int m_choices = 0;                    ///< the ifs by cell that the compiler is inside of

 private:
  struct Places;
  struct Call;

  bool gather_list(const Value& value, std::size_t depth, Tensor& tensor, std::vector<Value>& items, Range range);
  void simplify(Tensor& tensor);
  std::optional<Places> places(const Tensor& tensor, std::vector<Subscript> subscripts, Range range);
  bool expand_booleans(const Tensor& tensor, std::vector<Subscript>& subscripts, Range range);
  Value by_cell(const Tensor& from, const Places& places, Range range);

  std::optional<Value> created(const std::string& name, Call& call);
  std::optional<Value> reshaped(const std::string& name, Call& call);
  std::optional<Value> joined(const std::string& name, Call& call);
  std::optional<Value> selected(const std::string& name, Call& call);
  std::optional<Value> reduced(const std::string& name, Call& call);
  std::optional<Value> scanned(const std::string& name, Call& call);
  std::optional<Value> changed(const std::string& name, Call& call);

  std::map<std::string, TensorPtr> m_given_tensors;
  Index m_elements = 0;
};

}  // namespace vqscope::language
