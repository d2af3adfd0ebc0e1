// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/language/compile/code_writer.h"
#include "core/mask/language/compile/tensor/tensor.h"

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
  TensorWriter(const TensorWriter&) = delete;
  TensorWriter& operator=(const TensorWriter&) = delete;
  /// Empties the lists and dictionaries: one that holds itself would else stay for ever.
  ~TensorWriter();

  Value list_value(std::vector<Value> items) const;
  Value dictionary_value() const;

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
  Value number_value(Index number, Range range) { return of_node(m_build.constant(number, false, range)); }

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

  // Indices: tensor_index.cpp, tensor_access.cpp.

  /// One of the things between the brackets of an index.
  struct Subscript {
    enum class Kind { value, slice, every /* ... */ };
    Kind kind = Kind::value;
    Argument value;
    std::optional<Index> first, end, step;

    /// None: a side of one element that the array did not have.
    bool is_new() const { return kind == Kind::value && value.value.kind == Value::Kind::nothing; }
  };

  Value read(const TensorPtr& from, const std::vector<Subscript>& subscripts, Range range);
  void write(const TensorPtr& to, const std::vector<Subscript>& subscripts, const Argument& value, Range range);

  /// Whether elements of it can be changed here.
  bool may_change(const Tensor& tensor, Range range);

  // Functions: tensor_functions.cpp.

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
  std::optional<std::vector<Subscript>> of_all_sides(const Tensor& tensor, std::vector<Subscript> subscripts,
                                                     Range range);
  struct Sides;
  bool add_subscript(const Tensor& tensor, const Subscript& subscript, std::size_t side, Sides& sides, Range range);
  bool add_array(const Tensor& tensor, const Argument& index, std::size_t side, Sides& sides, Range range);
  std::optional<Places> combined(const Tensor& tensor, const Sides& sides, Range range);
  std::optional<Index> wrapped(Index index, Index size, Range range);
  NodeId offset_by_cell(const Value& index, const Tensor& tensor, std::size_t side, Range range);
  NodeId sum_of(NodeId a, NodeId b, Range range);
  bool expand_booleans(const Tensor& tensor, std::vector<Subscript>& subscripts, Range range);
  Value by_cell(const Tensor& from, const Places& places, Range range);

  // What is made of nothing, joined or changed in place: tensor_functions.cpp, tensor_joins.cpp, tensor_writes.cpp.
  Value arange(const Call& call);
  Value eye(const Call& call);
  Value triangle(const Call& call);
  Value cat(const Call& call);
  Value meshgrid(const Call& call);
  Value fill(const Call& call);
  Value fill_diagonal(const Call& call);
  Value masked_fill(const Call& call);
  Value scatter(const Call& call);

  // The same elements in another shape or order: tensor_shapes.cpp, tensor_orders.cpp.
  std::optional<std::vector<Index>> sizes_given(const Call& call);
  Value view(const Call& call);
  Value unsqueeze(const Call& call);
  Value squeeze(const Call& call);
  Value expand(const Call& call);
  Value repeat(const Call& call);
  Value shaped_as(const Call& call);
  Value transpose(const Call& call);
  Value pad(const Call& call);
  Value flip(const Call& call);
  Value roll(const Call& call);
  Value moved_along(const TensorPtr& from, const std::vector<Index>& shape, std::span<const Index> sides,
                    const std::function<Index(std::size_t k, Index at, Index size)>& moved, const Call& call);

  // Some of the elements: tensor_selection.cpp.
  Value tolist(const Call& call);
  Value repeat_interleave(const Call& call);
  Value index_select(const Call& call);
  Value masked_select(const Call& call);
  Value split(const Call& call);
  Value unbind(const Call& call);
  Value gather(const Call& call);
  Value diagonal(const Call& call);
  Value unique(const Call& call);
  Value nonzero(const Call& call);
  Value list_of(const TensorPtr& tensor, Range range);
  Value picked_along(const TensorPtr& from, std::size_t side, std::vector<Index> indices, Range range);

  /// Subscripts that leave each element where it is but along one side, where the indices say.
  std::vector<Subscript> moved_to(const Tensor& indices, std::size_t side, Range range);

  // What comes of the elements along a side: tensor_reductions.cpp, tensor_scans.cpp.
  struct Fold;
  Value reduce(const Call& call);
  bool fold_numbers(const Tensor& from, std::span<const Index> group, const Fold& fold, const Call& call, Tensor& made,
                    Tensor& places);
  bool fold_values(const Tensor& from, std::span<const Index> group, const Fold& fold, const Call& call, Tensor& made);
  NodeId folded_nodes(std::vector<NodeId> nodes, const Fold& fold, Range range);
  template <class Line>
  static void along_lines(std::span<const Index> shape, std::size_t side, const Line& line);
  Value scan(const Call& call);
  Value diff(const Call& call);
  Value sort(const Call& call);
  Value bincount(const Call& call);

  /// The array that a function is of. Null after an error.
  TensorPtr object_of(const Call& call);
  TensorPtr known_object_of(const Call& call);

  /// The side that an argument names; nothing after an error.
  std::optional<std::size_t> side_given(const Call& call, std::size_t place, Index otherwise, Index sides);

  mutable std::vector<std::weak_ptr<std::vector<Value>>> m_lists;
  mutable std::vector<std::weak_ptr<Dictionary>> m_dictionaries;
  std::map<std::string, TensorPtr> m_given_tensors;
  Index m_elements = 0;
};

}  // namespace vqscope::language
