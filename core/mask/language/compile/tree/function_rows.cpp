// SPDX-License-Identifier: GPL-3.0-or-later
// The functions of the mask language, one row each. The operators' functions follow from parse/operators.cpp.
#include "core/mask/language/compile/tensor/tensor_operations.h"
#include "core/mask/language/compile/tree/function_call.h"
#include "core/mask/language/parse/operators.h"

#include <array>

namespace vqscope::language {
namespace {

using Text = std::string_view;

/// Of numbers, lists and texts; arrays are refused.
constexpr FunctionRow of_values(Text names, Text methods, Handler* carry_out, Text example) {
  return {.names = names, .methods = methods, .of_values = carry_out, .example = example};
}

/// Of arrays and of other values.
constexpr FunctionRow of_all(Text names, Text methods, Handler* carry_out, Text example) {
  return {.names = names, .methods = methods, .of_values = carry_out, .arrays = Arrays::by_value, .example = example};
}

/// Of a number, and of an array element by element.
constexpr FunctionRow of_elements(Text names, Text methods, Text kernel, Handler* carry_out, Text example) {
  return {.names = names, .methods = methods, .of_values = carry_out, .kernel = kernel, .example = example};
}

/// Of whole arrays.
constexpr FunctionRow of_arrays(Text names, Text methods, TensorHandler* carry_out, Text keywords, Text example,
                                Arrays arrays = Arrays::by_array) {
  return {.names = names,
          .methods = methods,
          .of_arrays = carry_out,
          .keywords = keywords,
          .arrays = arrays,
          .example = example};
}

/// The same, with another way for values that are not arrays.
constexpr FunctionRow or_values(Handler* carry_out, FunctionRow row) {
  row.of_values = carry_out;
  return row;
}

constexpr FunctionRow or_arrays(TensorHandler* carry_out, Text keywords, FunctionRow row) {
  row.of_arrays = carry_out;
  row.keywords = keywords;
  return row;
}

constexpr FunctionRow in_numpy(Handler* carry_out, FunctionRow row) {
  row.of_numpy = carry_out;
  return row;
}

constexpr FunctionRow of_call(Text names, Text methods, Value (*carry_out)(Compilation&, const Expression&, Scope&),
                              Text example) {
  return {.names = names, .methods = methods, .of_call = carry_out, .example = example};
}

constexpr FunctionRow keeps_numbers(FunctionRow row) {
  row.unchanged = Unchanged::numbers;
  return row;
}

/// A method without an effect.
constexpr FunctionRow keeps_all(Text name, Text example, TensorHandler* of_array = nullptr) {
  return {.methods = name, .of_arrays = of_array, .unchanged = Unchanged::all, .example = example};
}

constexpr FunctionRow changing(FunctionRow row) {
  row.changes = true;
  return row;
}

constexpr Text of_sides = "dim axis keepdim keepdims";

constexpr std::array plain_rows{
    of_elements("abs absolute", "abs", "abs", absolute_value, "abs(q_idx - kv_idx)"),
    in_numpy(extreme_in_numpy, or_arrays(reduce, of_sides, of_all("min amin", "min amin", extreme_of_all, "min(x)"))),
    in_numpy(extreme_in_numpy, or_arrays(reduce, of_sides, of_all("max amax", "max amax", extreme_of_all, "max(x)"))),
    of_elements("int long int64 int32", "int long", "int", to_integer, "int(q_idx / 2)"),
    of_elements("bool", "bool", "bool", to_truth, "bool(kv_idx)"),
    of_all("len", "", size_of, "len(x)"),
    of_all("range", "", range_of, "range(0, 8, 2)"),
    or_values(reduced, of_arrays("all", "all", reduce, of_sides, "all(kv_idx != i for i in x)")),
    or_values(reduced, of_arrays("any", "any", reduce, of_sides, "any(kv_idx == i for i in x)")),
    or_values(reduced, of_arrays("sum", "sum", reduce, of_sides, "sum(x)")),
    of_all("enumerate", "", renumbered, "enumerate(x)"),
    of_all("zip", "", zipped, "zip(x, x[1:])"),
    of_all("reversed", "", renumbered, "reversed([1, 2])"),
    of_all("tuple", "", list_from, "tuple(x)"),
    of_all("list", "", list_from, "list(x)"),
    of_all("partial", "", partial, "partial(max, 2)"),
    of_all("reduce", "", folded, "reduce(max, [1, 2])"),
    keeps_numbers(of_elements("float", "float", "int", to_real, "float(q_idx)")),
    of_all("and_masks", "", join_masks, "and_masks(lambda q, kv: q >= kv)"),
    of_all("or_masks", "", join_masks, "or_masks(lambda q, kv: q >= kv)")};

constexpr std::array python_rows{of_call("isinstance", "", object_question, "isinstance(s, str)"),
                                 of_call("getattr", "", object_question, "getattr(self, \"window\", 4)"),
                                 of_call("hasattr", "", object_question, "hasattr(self, \"window\")"),
                                 of_all("callable", "", is_callable, "callable(s)"),
                                 of_all("compile", "", compiled, "torch.compile(lambda q, kv: q >= kv)"),
                                 of_values("divmod", "", quotient_and_rest, "divmod(q_idx, 4)"),
                                 of_values("sorted", "", sorted, "sorted([3, 1])"),
                                 of_values("set", "", set_of, "set([1, 1])"),
                                 of_values("frozenset", "", set_of, "frozenset([1, 1])"),
                                 of_values("slice", "", slice_of, "x[slice(1, 3)]"),
                                 of_values("dict", "", new_object, "dict(a=2)"),
                                 of_values("OrderedDict", "", new_object, "OrderedDict(a=2)"),
                                 of_values("SimpleNamespace", "", new_object, "SimpleNamespace(a=2)"),
                                 of_values("str", "", text_from, "str(1)"),
                                 of_values("gcd", "", common_divisor, "math.gcd(8, 12)"),
                                 of_values("sqrt", "", root_or_logarithm, "math.sqrt(8)"),
                                 of_values("isqrt", "", root_or_logarithm, "math.isqrt(8)"),
                                 of_values("log2", "", root_or_logarithm, "math.log2(8)"),
                                 of_values("log", "", root_or_logarithm, "math.log(8)"),
                                 changing(of_all("", "append", changed_list, "")),
                                 changing(of_all("", "extend", changed_list, "")),
                                 changing(of_all("", "insert", changed_list, "")),
                                 of_all("", "index", found_in_list, "[4, 2].index(2)"),
                                 of_all("", "count", found_in_list, "[4, 2].count(2)")};

constexpr std::array dictionary_rows{of_values("", "get", item_or_default, "d.get(\"a\", 2)"),
                                     changing(of_values("", "setdefault", item_or_default, "d.setdefault(\"b\", 2)")),
                                     changing(of_values("", "pop", item_or_default, "d.pop(\"a\")")),
                                     changing(of_values("", "update", updated_dictionary, "")),
                                     of_values("", "copy", copied_dictionary, "d.copy()"),
                                     of_values("", "keys", items_of_dictionary, "d.keys()"),
                                     of_values("", "values", items_of_dictionary, "d.values()"),
                                     of_values("", "items", items_of_dictionary, "d.items()")};

constexpr std::array text_rows{of_values("", "lower", changed_text, "s.lower() == \"ab\""),
                               of_values("", "upper", changed_text, "s.upper() == \"AB\""),
                               of_values("", "strip", changed_text, "s.strip() == \"ab\""),
                               of_values("", "startswith", begins_or_ends, "s.startswith(\"a\")"),
                               of_values("", "endswith", begins_or_ends, "s.endswith(\"b\")")};

constexpr std::array element_rows{
    of_elements("minimum", "minimum", "minimum", extreme_of_two, "torch.minimum(q_idx, kv_idx)"),
    of_elements("maximum", "maximum", "maximum", extreme_of_two, "torch.maximum(q_idx, kv_idx)"),
    of_all("clamp clip", "clamp", clamped, "q_idx.clamp(min=2)"),
    or_arrays(held_at, "condition",
              of_elements("where", "where", "where", chosen_number, "torch.where(q_idx < 4, 1, kv_idx)")),
    of_elements("logical_and", "logical_and", "logical_and", logical, "torch.logical_and(q_idx < 2, kv_idx < 4)"),
    of_elements("logical_or", "logical_or", "logical_or", logical, "torch.logical_or(q_idx < 2, kv_idx < 4)"),
    of_elements("logical_xor", "logical_xor", "logical_xor", logical, "torch.logical_xor(q_idx < 2, kv_idx < 4)"),
    of_elements("logical_not", "logical_not", "logical_not", logical_inverse, "torch.logical_not(q_idx < kv_idx)"),
    of_elements("bitwise_not invert", "", "~", bitwise_inverse, "torch.bitwise_not(q_idx < kv_idx)"),
    of_elements("neg negative", "neg", "neg", negated_value, "torch.neg(q_idx)"),
    of_elements("div divide true_divide", "div", "/", divided, "torch.div(q_idx, 4, rounding_mode=\"floor\")"),
    of_elements("floor", "floor", "int", whole_value, "torch.floor(q_idx / 2)"),
    of_elements("ceil", "ceil", "int", whole_value, "torch.ceil(q_idx / 2)"),
    of_elements("trunc fix", "trunc", "int", whole_value, "torch.trunc(q_idx / 2)"),
    of_elements("round", "round", "int", whole_value, "torch.round(q_idx / 2)"),
    of_values("fmod", "", nullptr, ""),
    of_all("isin", "isin", contained, "torch.isin(kv_idx, x)"),
    of_all("masked_fill", "masked_fill", masked_fill_of, "x.masked_fill(x > 1, 0)"),
    of_call("", "to", conversion, "(kv_idx % 2).to(torch.bool)"),
    of_call("", "type", conversion, "(kv_idx % 2).type(torch.bool)"),
    of_call("", "astype", conversion, "(kv_idx % 2).astype(bool)"),
    keeps_numbers(of_elements("", "half", "int", nullptr, "q_idx.half()")),
    keeps_numbers(of_elements("", "double", "int", nullptr, "q_idx.double()")),
    keeps_all("contiguous", "m.contiguous()"),
    keeps_all("clone", "m.clone()", copied),
    keeps_all("copy", "m.copy()", copied),
    keeps_all("detach", "m.detach()"),
    keeps_all("cpu", "m.cpu()"),
    keeps_all("cuda", "m.cuda()"),
    keeps_all("numpy", "m.numpy()")};

constexpr std::array array_rows{
    of_all("tensor as_tensor asarray array", "new_tensor", made_array, "torch.tensor([2, 0, 1])"),
    of_all("ones ones_like new_ones", "new_ones", made_array, "torch.ones(4, 4)"),
    of_all("zeros zeros_like", "new_zeros", made_array, "torch.zeros(4, 4)"),
    of_all("full full_like", "new_full", made_array, "torch.full((4, 4), 1)"),
    of_all("empty empty_like", "new_empty", made_array, "torch.empty(4, 4)"),
    of_arrays("arange", "", arange, "start end stop step", "torch.arange(4)", Arrays::always),
    of_arrays("eye", "", eye, "n N m M k", "torch.eye(4)", Arrays::always),
    of_arrays("tril", "tril", triangle, "diagonal k", "torch.tril(m)", Arrays::always),
    of_arrays("triu", "triu", triangle, "diagonal k", "torch.triu(m)", Arrays::always),
    of_arrays("cat concat concatenate", "", cat, "tensors dim axis", "torch.cat([x, x])", Arrays::always),
    of_arrays("stack", "", cat, "tensors dim axis", "torch.stack([x, x])", Arrays::always),
    in_numpy(meshgrid_in_numpy,
             of_arrays("meshgrid", "", meshgrid, "indexing", "torch.meshgrid(x, x, indexing=\"ij\")", Arrays::always)),
    of_arrays("block_diag", "", block_diag, "tensors", "torch.block_diag(m, m)"),
    or_arrays(scan, "dim axis", of_all("cumsum", "cumsum", running_sum, "x.cumsum(0)")),
    of_arrays("cumprod", "cumprod", scan, "dim axis", "x.cumprod(0)", Arrays::or_list),
    of_arrays("cummax", "cummax", scan, "dim axis", "x.cummax(0)"),
    of_arrays("cummin", "cummin", scan, "dim axis", "x.cummin(0)"),
    of_arrays("diff", "diff", diff, "n dim axis prepend append", "x.diff()", Arrays::or_list),
    of_all("bucketize", "", placed, "torch.bucketize(q_idx, [2, 4])"),
    of_all("searchsorted", "", placed, "torch.searchsorted([2, 4], q_idx)"),
    of_arrays("bincount", "bincount", bincount, "minlength", "x.bincount()", Arrays::or_list),
    in_numpy(sort_in_numpy, of_arrays("sort", "sort", sort, "dim axis descending", "x.sort()", Arrays::or_list)),
    of_arrays("argsort", "argsort", sort, "dim axis descending", "x.argsort()", Arrays::or_list),
    of_arrays("unique", "unique", unique, "return_inverse return_counts", "x.unique()", Arrays::or_list),
    of_arrays("unique_consecutive", "", unique, "return_inverse return_counts", "torch.unique_consecutive(x)"),
    of_arrays("prod", "prod", reduce, of_sides, "x.prod()"),
    of_arrays("argmax", "argmax", reduce, of_sides, "x.argmax()"),
    of_arrays("argmin", "argmin", reduce, of_sides, "x.argmin()"),
    of_arrays("count_nonzero", "count_nonzero", reduce, of_sides, "x.count_nonzero()"),
    in_numpy(nonzero_in_numpy,
             of_arrays("nonzero", "nonzero", nonzero, "as_tuple", "x.nonzero(as_tuple=True)", Arrays::or_list)),
    of_arrays("argwhere", "", nonzero, "", "torch.argwhere(x)"),
    of_arrays("repeat_interleave", "repeat_interleave", repeat_interleave, "repeats dim axis output_size",
              "x.repeat_interleave(2)", Arrays::or_list),
    in_numpy(repeat_in_numpy, of_arrays("repeat", "repeat", repeat, "size shape", "x.repeat(2)")),
    of_arrays("tile", "tile", repeat, "size shape", "x.tile(2)"),
    of_arrays("flip", "flip", flip, "dims axis", "x.flip(0)", Arrays::or_list),
    of_arrays("roll", "roll", roll, "shifts shift dims axis", "x.roll(1)", Arrays::or_list),
    in_numpy(pad_in_numpy, of_arrays("pad", "", pad, "pad mode value", "F.pad(x, (0, 1))")),
    of_arrays("gather", "gather", gather, "dim axis index indices", "x.gather(0, x)"),
    of_arrays("take_along_dim", "", gather, "dim axis index indices", "torch.take_along_dim(x, x, 0)"),
    of_arrays("index_select", "index_select", index_select, "dim axis index", "x.index_select(0, x)"),
    of_arrays("masked_select", "masked_select", masked_select, "mask", "x.masked_select(x > 0)"),
    of_arrays("scatter", "scatter", scatter, "dim axis index src value", "x.scatter(0, x, 1)"),
    in_numpy(split_in_numpy,
             of_arrays("split", "split", split, "split_size_or_sections split_size dim axis", "x.split(2)")),
    of_arrays("chunk", "chunk", split, "chunks dim axis", "x.chunk(2)"),
    of_arrays("unbind", "unbind", unbind, "dim axis", "m.unbind(0)"),
    of_arrays("diag", "", diagonal, "diagonal offset k", "torch.diag(m)"),
    of_arrays("diagonal", "diagonal", diagonal, "diagonal offset k", "m.diagonal()"),
    keeps_numbers(of_arrays("reshape", "reshape", view, "shape size", "m.reshape(4)")),
    keeps_numbers(of_arrays("", "view", view, "shape size", "m.view(4)")),
    keeps_numbers(of_arrays("flatten", "flatten", view, "start_dim end_dim", "m.flatten()")),
    keeps_numbers(of_arrays("unsqueeze", "unsqueeze", unsqueeze, "dim axis", "x.unsqueeze(0)")),
    of_arrays("expand_dims", "", unsqueeze, "dim axis", "np.expand_dims(x, 0)"),
    keeps_numbers(of_arrays("squeeze", "squeeze", squeeze, "dim axis", "x[None].squeeze(0)")),
    keeps_numbers(of_arrays("", "expand", expand, "size shape", "x.expand(2, -1)")),
    of_arrays("broadcast_to", "", expand, "size shape", "torch.broadcast_to(x, (2, 3))"),
    keeps_numbers(of_arrays("", "expand_as", shaped_as, "other", "m[0].expand_as(m)")),
    keeps_numbers(of_arrays("", "view_as", shaped_as, "other", "m.view_as(m)")),
    in_numpy(transpose_in_numpy,
             of_arrays("transpose", "transpose", transpose, "dims axes dim0 dim1", "m.transpose(0, 1)")),
    of_arrays("swapaxes", "swapaxes", transpose, "dim0 dim1", "m.swapaxes(0, 1)"),
    of_arrays("permute", "permute", transpose, "dims axes", "m.permute(1, 0)"),
    of_arrays("", "t", transpose, "", "m.t()"),
    of_all("rearrange", "", apply_by_axes, "einops.rearrange(m, \"i j -> j i\")"),
    of_all("einsum", "", apply_by_axes, "torch.einsum(\"i,j->ij\", x, x)"),
    of_all("numel", "numel nelement", size_of, "x.numel()"),
    of_all("", "size", size_of, "m.size(0)"),
    of_all("", "dim ndimension", size_of, "m.dim()"),
    keeps_numbers(of_arrays("", "item", item_of_array, "", "x[0].item()")),
    keeps_numbers(of_arrays("", "tolist", tolist, "", "x.tolist()")),
    changing(of_arrays("", "fill_", fill, "value", "")),
    changing(of_arrays("", "zero_", fill, "", "")),
    changing(of_arrays("", "copy_", fill, "src", "")),
    changing(of_arrays("", "masked_fill_", masked_fill, "mask value", "")),
    changing(of_arrays("", "scatter_", scatter, "dim axis index src value", "")),
    changing(of_arrays("", "fill_diagonal_", fill_diagonal, "fill_value value", ""))};

std::vector<FunctionRow> operator_rows() {
  std::vector<FunctionRow> rows;
  for (const Operator& row : operators())
    if (!row.functions.empty())
      rows.push_back({.names = row.functions,
                      .methods = row.function(),
                      .of_values = operated,
                      .kernel = row.symbol,
                      .changes = row.op == Op::add});  // s.add(x) of a set
  return rows;
}

}  // namespace

std::span<const FunctionSection> function_sections() {
  static const std::vector<FunctionRow> of_operators = operator_rows();
  static const std::array sections{
      FunctionSection{.title = "Without a module", .rows = plain_rows, .is_plain = true},
      FunctionSection{.title = "Python and math", .rows = python_rows},
      FunctionSection{.title = "Dictionaries", .rows = dictionary_rows, .methods = Called::on_dictionary},
      FunctionSection{.title = "Texts", .rows = text_rows, .methods = Called::on_text},
      FunctionSection{.title = "Numbers and elements of arrays", .rows = element_rows},
      FunctionSection{.title = "Arrays", .rows = array_rows},
      FunctionSection{.title = "Operators", .rows = of_operators}};
  return sections;
}

}  // namespace vqscope::language
