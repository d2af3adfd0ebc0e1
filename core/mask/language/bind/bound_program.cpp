// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/language/bind/bound_program.h"

#include "core/mask/language/parse/arithmetic.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace vqscope::language {
namespace {

class Binder {
 public:
  Binder(const Code& code, const Environment& environment) : m_code(code), m_environment(environment) {
    m_program.extent = environment.extent;
    m_program.arrays = environment.arrays;
    m_cells = {{0, environment.extent.rows}, {0, environment.extent.cols}};
  }

  BoundProgram run(const std::vector<bool>& term_on) {
    translate_all();
    const std::size_t count = m_code.terms.size();
    m_program.terms.resize(count);
    NodeId visible = constant(1, true);
    NodeId fails = no_node;
    for (std::size_t i = 0; i < count; ++i) {
      if (i < term_on.size() && !term_on[i]) continue;
      const Made made = m_made[static_cast<std::size_t>(m_code.terms[i].node)];
      BoundTerm& term = m_program.terms[i];
      term.holds = made.error == no_node ? made.value : both(made.value, inverse(made.error));
      term.fails = made.error;
      term.passes = term.holds;
      if (made.error != no_node) {
        const NodeId reached = guards_hold(m_code.terms[i].guards);
        fails = either(fails, both(reached, made.error));
        term.passes = either(inverse(reached), term.holds);
      }
      visible = both(visible, term.holds);
    }
    m_program.visible = visible;
    m_program.fails = fails == no_node || m_program.at(fails).bounds.high == 0 ? no_node : fails;
    return std::move(m_program);
  }

 private:
  /// A node of the program, and the truth value that is true where the node has no value.
  struct Made {
    NodeId value = no_node;
    NodeId error = no_node;
  };

  NodeId make(Op op, bool is_bool, NodeId a, NodeId b = no_node, NodeId c = no_node, Index value = 0) {
    BoundNode node{.op = op, .is_bool = is_bool, .a = a, .b = b, .c = c, .value = value};
    const auto bounds = [&](NodeId id) { return id == no_node ? Bounds{} : m_program.at(id).bounds; };
    node.bounds = bounds_of(m_program, node, m_cells, bounds(a), bounds(b), bounds(c), &node.exact);
    if (op != Op::constant && node.bounds.low == node.bounds.high) return constant(node.bounds.low, is_bool);
    node.by_q = op == Op::q;
    node.by_kv = op == Op::kv;
    for (const NodeId operand : {a, b, c}) {
      if (operand == no_node) continue;
      node.by_q = node.by_q || m_program.at(operand).by_q;
      node.by_kv = node.by_kv || m_program.at(operand).by_kv;
    }
    const auto [found, added] =
        m_known.try_emplace({op, is_bool, a, b, c, value}, static_cast<NodeId>(m_program.nodes.size()));
    if (added) m_program.nodes.push_back(node);
    return found->second;
  }

  NodeId constant(Index value, bool is_bool) { return make(Op::constant, is_bool, no_node, no_node, no_node, value); }
  bool is_constant(NodeId id, Index value) const {
    const BoundNode& node = m_program.at(id);
    return node.op == Op::constant && node.value == value;
  }

  NodeId inverse(NodeId a) {
    if (m_program.at(a).op == Op::logical_not) return m_program.at(a).a;
    return make(Op::logical_not, true, a);
  }
  NodeId both(NodeId a, NodeId b) {
    if (is_constant(a, 1) || a == b) return b;
    if (is_constant(b, 1)) return a;
    return make(Op::logical_and, true, a, b);
  }
  /// `a or b`, where no_node means false.
  NodeId either(NodeId a, NodeId b) {
    if (a == no_node || b == no_node) return a == no_node ? b : a;
    if (is_constant(a, 0) || a == b) return b;
    if (is_constant(b, 0)) return a;
    return make(Op::logical_or, true, a, b);
  }
  NodeId chosen(NodeId condition, NodeId yes, NodeId no) {
    if (is_constant(condition, 1) || yes == no) return yes;
    if (is_constant(condition, 0)) return no;
    return make(Op::select, m_program.at(yes).is_bool, condition, yes, no);
  }
  /// A truth value, or no_node if it is false everywhere.
  NodeId unless_false(NodeId a) { return a == no_node || m_program.at(a).bounds.high == 0 ? no_node : a; }
  NodeId compared(Op op, NodeId a, NodeId b) { return make(op, true, a, b); }
  NodeId compared_with(Op op, NodeId a, Index b) { return compared(op, a, constant(b, false)); }

  void translate_all() {
    m_made.reserve(m_code.nodes.size());
    for (const Node& node : m_code.nodes) {
      Made made = translate(node);
      made.error = unless_false(made.error);
      m_made.push_back(made);
    }
  }

  const Made& made(NodeId id) const { return m_made[static_cast<std::size_t>(id)]; }

  Made translate(const Node& node) {
    switch (node.op) {
      case Op::constant: return {constant(node.value, node.is_bool)};
      case Op::parameter: return {constant(m_environment.integers[static_cast<std::size_t>(node.value)], false)};
      case Op::length: return {constant(m_environment.arrays[static_cast<std::size_t>(node.value)]->size(), false)};
      case Op::variable: return {variable(static_cast<Variable>(node.value))};
      case Op::element: return element(made(node.a), node.value);
      case Op::along: return along(made(node.a), node.value);
      case Op::and_then:
      case Op::or_else: return shortcut(node.op == Op::and_then, made(node.a), made(node.b));
      case Op::select:
      case Op::where: return choice(node);
      default: return strict(node);
    }
  }

  NodeId variable(Variable variable) {
    const Environment& known = m_environment;
    const auto of = [&](const ArrayPtr& array, Op index) {
      return make(Op::element, false, make(index, false, no_node), no_node, no_node, array_index(array));
    };
    switch (variable) {
      case Variable::b: return constant(known.b, false);
      case Variable::h: return constant(known.h, false);
      case Variable::q_idx: return make(Op::q, false, no_node);
      case Variable::kv_idx: return make(Op::kv, false, no_node);
      case Variable::q_pos: return of(known.q_pos, Op::q);
      case Variable::kv_pos: return of(known.kv_pos, Op::kv);
      case Variable::q_doc: return of(known.q_doc, Op::q);
      case Variable::kv_doc: return of(known.kv_doc, Op::kv);
      case Variable::key_valid: return inverse(compared_with(Op::equal, of(known.key_valid, Op::kv), 0));
      case Variable::past_len: return constant(known.past_len, false);
      case Variable::q_len: return constant(known.extent.rows, false);
      case Variable::kv_len: return constant(known.extent.cols, false);
    }
    return no_node;
  }

  Index array_index(const ArrayPtr& array) {
    auto& arrays = m_program.arrays;
    const auto found = std::find(arrays.begin(), arrays.end(), array);
    if (found != arrays.end()) return found - arrays.begin();
    arrays.push_back(array);
    return static_cast<Index>(arrays.size()) - 1;
  }

  Made element(const Made& index, Index array) {
    const Index size = m_program.arrays[static_cast<std::size_t>(array)]->size();
    const Index shared = array_index(m_program.arrays[static_cast<std::size_t>(array)]);
    const Made place = along(index, size);
    return {make(Op::element, false, place.value, no_node, no_node, shared), place.error};
  }

  /// Negative indices count from the end.
  Made along(const Made& index, Index size) {
    NodeId place = index.value;
    if (m_program.at(place).bounds.low < 0) {
      const NodeId is_negative = compared_with(Op::less, place, 0);
      place = chosen(is_negative, make(Op::add, false, place, constant(size, false)), place);
    }
    const NodeId outside =
        either(compared_with(Op::less, index.value, -size), inverse(compared_with(Op::less, index.value, size)));
    return {place, either(index.error, unless_false(outside))};
  }

  Made shortcut(bool is_and, const Made& a, const Made& b) {
    const NodeId value = is_and ? both(a.value, b.value) : either(a.value, b.value);
    const NodeId open = is_and ? a.value : inverse(a.value);
    return {value, b.error == no_node ? a.error : either(a.error, both(open, b.error))};
  }

  Made choice(const Node& node) {
    const Made& a = made(node.a);
    const Made& b = made(node.b);
    const Made& c = made(node.c);
    const NodeId value = chosen(a.value, b.value, c.value);
    if (node.op == Op::where) return {value, either(a.error, either(b.error, c.error))};
    NodeId error = a.error;
    if (b.error != no_node) error = either(error, both(a.value, b.error));
    if (c.error != no_node) error = either(error, both(inverse(a.value), c.error));
    return {value, error};
  }

  Made strict(const Node& node) {
    const Made& a = made(node.a);
    const NodeId b = node.b == no_node ? no_node : made(node.b).value;
    const NodeId inherited = node.b == no_node ? a.error : either(a.error, made(node.b).error);
    return {value_of(node, a.value, b), either(inherited, unless_false(failure(node.op, a.value, b)))};
  }

  NodeId value_of(const Node& node, NodeId a, NodeId b) {
    switch (node.op) {
      case Op::greater: return compared(Op::less, b, a);
      case Op::greater_equal: return compared(Op::less_equal, b, a);
      case Op::not_equal: return inverse(compared(Op::equal, a, b));
      case Op::to_bool: return inverse(compared_with(Op::equal, a, 0));
      case Op::logical_not: return inverse(a);
      case Op::logical_and: return both(a, b);
      case Op::logical_or: return either(a, b);
      default: return make(node.op, node.is_bool, a, b);
    }
  }

  /// Whether a result has no value although its operands have one.
  NodeId failure(Op op, NodeId a, NodeId b) {
    switch (op) {
      case Op::negate:
      case Op::absolute: return compared_with(Op::equal, a, lowest);
      case Op::floor_divide:
        return either(compared_with(Op::equal, b, 0),
                      both(compared_with(Op::equal, a, lowest), compared_with(Op::equal, b, -1)));
      case Op::modulo: return compared_with(Op::equal, b, 0);
      case Op::shift_right: return bad_count(b);
      case Op::shift_left: return either(bad_count(b), make(failure_of(op), true, a, b));
      case Op::power: return either(compared_with(Op::less, b, 0), make(failure_of(op), true, a, b));
      case Op::bit_and:
      case Op::bit_or:
      case Op::bit_xor: return no_node;
      default: {
        const Operator* row = operator_of(op);
        return row && row->binding > Binding::comparison ? make(failure_of(op), true, a, b) : no_node;
      }
    }
  }

  NodeId bad_count(NodeId count) {
    return either(compared_with(Op::less, count, 0), inverse(compared_with(Op::less_equal, count, 63)));
  }

  NodeId guards_hold(const std::vector<std::size_t>& guards) {
    NodeId hold = constant(1, true);
    for (const std::size_t guard : guards)
      if (m_program.terms[guard].holds != no_node) hold = both(hold, m_program.terms[guard].holds);
    return hold;
  }

  const Code& m_code;
  const Environment& m_environment;
  Rect m_cells;
  BoundProgram m_program;
  std::vector<Made> m_made;
  std::map<std::tuple<Op, bool, NodeId, NodeId, NodeId, Index>, NodeId> m_known;
};

}  // namespace

BoundProgram bind(const Code& code, const Environment& environment, const std::vector<bool>& term_on) {
  return Binder(code, environment).run(term_on);
}

Bounds IntervalEvaluator::over(const Rect& cells, NodeId root) {
  const auto of = [&](NodeId id) { return id == no_node ? Bounds{} : m_bounds[static_cast<std::size_t>(id)]; };
  for (NodeId id = 0; id <= root; ++id) {
    const BoundNode& node = m_program.at(id);
    m_bounds[static_cast<std::size_t>(id)] = bounds_of(m_program, node, cells, of(node.a), of(node.b), of(node.c));
  }
  return of(root);
}

}  // namespace vqscope::language
