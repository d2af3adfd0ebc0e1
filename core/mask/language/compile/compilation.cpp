// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/language/compile/compilation.h"

#include "core/base/text.h"
#include "core/mask/language/compile/tensor/tensor.h"
#include "core/mask/language/compile/value.h"
#include "core/mask/language/names/known_names.h"
#include "core/mask/language/parse/operators.h"
#include "core/mask/language/parse/parse.h"

#include <algorithm>

namespace vqscope::language {
namespace {

constexpr Index most_elements_of_text = Index{1} << 26;  // of all tensors of a text

/// Folds an operation between two numbers of the text; empty: the operation stays in the program.
std::optional<Index> folded(Op op, Index a, Index b) {
  if (op == Op::minimum) return std::min(a, b);
  if (op == Op::maximum) return std::max(a, b);
  const Operator* row = operator_of(op);
  return row && row->folds ? row->value(a, b) : std::nullopt;
}

bool names_one_of(const Syntax& syntax, bool (*is_one)(std::string_view)) {
  return std::ranges::any_of(syntax.expressions,
                             [&](const Expression& e) { return e.kind == ExpressionKind::name && is_one(e.name); });
}

}  // namespace

Compilation::Compilation(std::string_view of, const Syntax& its_syntax, const Given& known)
    : text(of),
      syntax(its_syntax),
      given(known),
      words(words_in(its_syntax)),
      is_numpy_text(names_one_of(syntax, is_numpy_module) && !names_one_of(syntax, is_torch_module)) {}

Compilation::~Compilation() {
  for (const auto& each : m_lists)
    if (const auto list = each.lock()) list->clear();
  for (const auto& each : m_dictionaries)
    if (const auto dictionary = each.lock()) *dictionary = {};
}

Scope& Compilation::new_scope(Scope* parent) {
  scopes.emplace_back();
  scopes.back().parent = parent;
  return scopes.back();
}

const Callable* Compilation::new_callable(Callable callable) {
  callables.push_back(std::move(callable));
  return &callables.back();
}

Value Compilation::list_value(std::vector<Value> items) {
  const auto made = std::make_shared<std::vector<Value>>(std::move(items));
  m_lists.emplace_back(made);
  return {.kind = Value::Kind::tuple, .items = made};
}

Value Compilation::dictionary_value() {
  const auto made = std::make_shared<Dictionary>();
  m_dictionaries.emplace_back(made);
  return {.kind = Value::Kind::dictionary, .dictionary = made};
}

bool Compilation::spend(Index elements, Range range) {
  if (failed()) return false;
  m_elements += elements;
  if (m_elements <= most_elements_of_text) return true;
  fail(range, "the arrays of the text have more than {} elements in total", most_elements_of_text);
  return false;
}

std::string Compilation::written(Range range) const {
  std::string line;
  const auto begin = static_cast<std::size_t>(range.begin);
  for (const char c : text.substr(begin, static_cast<std::size_t>(range.size()))) {
    const bool blank = c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\\';
    if (!blank) line += c;
    if (blank && !line.empty() && line.back() != ' ') line += ' ';
  }
  return line;
}

Value Compilation::fail(Range range, std::string message) {
  if (!failed()) out.error = source_error(text, range, std::move(message));
  return {};
}

void Compilation::warn(Range range, std::string message) {
  if (m_warned.insert({range.begin, message}).second)
    out.warnings.push_back(source_error(text, range, std::move(message)));
}

Value Compilation::of_node(NodeId id) {
  if (out.code.nodes.size() > max_nodes)
    return fail(node(id).range, "the mask has more than {} operations after its functions are expanded", max_nodes);
  if (node(id).depth > max_depth)
    return fail(node(id).range, "more than {} operations depend on one another here", max_depth);
  return {.kind = Value::Kind::node, .node = id};
}

Value Compilation::make(Op op, bool is_bool, Range range, NodeId a, NodeId b, NodeId c) {
  // An operation on numbers is folded, so that counting in a loop adds no operations.
  const auto is_number = [&](NodeId id) { return id >= 0 && node(id).op == Op::constant && !node(id).is_bool; };
  if (is_number(a) && is_number(b))
    if (const auto known = folded(op, node(a).value, node(b).value))
      return of_node(build.constant(*known, false, range));
  return of_node(build.make({.op = op, .is_bool = is_bool, .a = a, .b = b, .c = c, .range = range}));
}

NodeId Compilation::as_node(const Value& value, Range range) {
  if (failed()) return no_node;
  switch (value.kind) {
    case Value::Kind::node: return value.node;
    case Value::Kind::free_name: {
      if (given.arrays.contains(value.name)) {
        fail(range, shortened(value.name) + " is an array; a number or a truth value is needed here, index it");
        return no_node;
      }
      const Value parameter = integer_parameter(value, range);
      return failed() ? no_node : parameter.node;
    }
    case Value::Kind::array:
      fail(range, "this is an array, a number or a truth value is needed; index it");
      return no_node;
    case Value::Kind::tensor:
      if (value.tensor->size() == 1) {
        const Tensor& one = *value.tensor;
        return one.is_known() ? build.constant(one.numbers.front(), one.is_bool, range) : one.values.front().node;
      }
      fail(range, "this is an array of shape {}, a number or a truth value is needed here; index it",
           shape_text(value.tensor->shape));
      return no_node;
    case Value::Kind::shape: return value.node;
    case Value::Kind::tuple: fail(range, "this is a tuple, a number or a truth value is needed here"); return no_node;
    case Value::Kind::dictionary:
      fail(range, "this is a dictionary, a number or a truth value is needed here; choose one with [...]");
      return no_node;
    case Value::Kind::callable:
      fail(range, "this is a function, a number or a truth value is needed here; call it: {}(b, h, q_idx, kv_idx)",
           shortened(written(range)));
      return no_node;
    case Value::Kind::nothing:
      fail(range, shortened(written(range)) + " is None here, a number or a truth value is needed");
      return no_node;
    case Value::Kind::text: fail(range, "this is a text, a number or a truth value is needed here"); return no_node;
    case Value::Kind::ratio:
      fail(range,
           "only a comparison or a rounding takes a fraction; write // to divide and round "
           "down");
      return no_node;
    case Value::Kind::broken:
      if (!failed()) out.error = *value.error;
      return no_node;
    case Value::Kind::none: break;
  }
  fail(range, "there is no value here");
  return no_node;
}

}  // namespace vqscope::language
