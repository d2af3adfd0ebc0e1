// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/language/compiler.h"

#include "core/base/text.h"
#include "core/mask/language/arithmetic.h"
#include "core/mask/language/node_builder.h"
#include "core/mask/language/parser.h"
#include "core/mask/language/plain_evaluator.h"
#include "core/mask/language/source_tokens.h"

#include <algorithm>
#include <array>
#include <deque>
#include <memory>
#include <set>

namespace vqscope::language {
namespace {

struct Scope;

/// A function as a value: a def where it was written, or several joined by and_masks, or_masks.
struct Callable {
  enum class Kind { written, all_of, any_of };
  Kind kind = Kind::written;
  const Function* function = nullptr;
  Scope* scope = nullptr;
  std::vector<const Callable*> members;
  std::vector<std::string> names;  ///< of the members
  std::vector<Range> ranges;
};

struct Value {
  enum class Kind { none, node, tuple, callable, free_name };
  Kind kind = Kind::none;
  NodeId node = no_node;
  std::shared_ptr<const std::vector<Value>> items;
  const Callable* callable = nullptr;
  std::string name;  ///< of a free name: an integer or an array, as it is used
  std::optional<Index> fallback;
};

struct Scope {
  std::map<std::string, Value, std::less<>> names;
  Scope* parent = nullptr;
};

constexpr std::array<std::pair<std::string_view, Variable>, 12> variables{{{"b", Variable::b},
                                                                           {"h", Variable::h},
                                                                           {"q_idx", Variable::q_idx},
                                                                           {"kv_idx", Variable::kv_idx},
                                                                           {"q_pos", Variable::q_pos},
                                                                           {"kv_pos", Variable::kv_pos},
                                                                           {"q_doc", Variable::q_doc},
                                                                           {"kv_doc", Variable::kv_doc},
                                                                           {"key_valid", Variable::key_valid},
                                                                           {"past_len", Variable::past_len},
                                                                           {"q_len", Variable::q_len},
                                                                           {"kv_len", Variable::kv_len}}};

const std::vector<std::string>& plain_functions() {
  static const std::vector<std::string> names{"abs", "min", "max", "int", "bool", "and_masks", "or_masks"};
  return names;
}

/// Of torch and, on a value, as methods.
const std::vector<std::string>& torch_functions() {
  static const std::vector<std::string> names{"abs",         "minimum",    "maximum",     "clamp",      "where",
                                              "logical_and", "logical_or", "logical_not", "logical_xor"};
  return names;
}

const std::vector<std::string>& methods() {
  static const std::vector<std::string> names{"abs",         "clamp",      "minimum",     "maximum",
                                              "logical_and", "logical_or", "logical_not", "logical_xor",
                                              "bool",        "int",        "long",        "to"};
  return names;
}

bool contains(const std::vector<std::string>& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

std::string quoted_list(const std::vector<std::string>& names) { return join(names, ", "); }

class Compiler {
 public:
  Compiler(std::string_view text, const Syntax& syntax) : m_text(text), m_syntax(syntax), m_build(m_out.code) {}

  Compiled run() {
    Scope& top = new_scope(nullptr);
    m_top = &top;
    const Value result = module(top);
    if (!failed()) make_terms(result);
    if (!failed()) finish();
    return std::move(m_out);
  }

 private:
  const Expression& at(ExpressionId id) const { return m_syntax.at(id); }
  const Node& node(NodeId id) const { return m_out.code.at(id); }
  bool failed() const { return m_out.error.has_value(); }

  std::string slice(Range range) const {
    return std::string(m_text.substr(static_cast<std::size_t>(range.begin), static_cast<std::size_t>(range.size())));
  }

  /// On one line.
  std::string written(Range range) const {
    std::string line;
    for (const char c : slice(range)) {
      const bool blank = c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\\';
      if (!blank) line += c;
      if (blank && !line.empty() && line.back() != ' ') line += ' ';
    }
    return line;
  }

  Value fail(Range range, std::string message) {
    if (!failed()) m_out.error = source_error(m_text, range, std::move(message));
    return {};
  }

  void warn(Range range, std::string message) {
    if (m_warned.insert({range.begin, message}).second)
      m_out.warnings.push_back(source_error(m_text, range, std::move(message)));
  }

  Scope& new_scope(Scope* parent) {
    m_scopes.emplace_back();
    m_scopes.back().parent = parent;
    return m_scopes.back();
  }

  const Callable* new_callable(Callable callable) {
    m_callables.push_back(std::move(callable));
    return &m_callables.back();
  }

  Value of_node(NodeId id) {
    if (m_out.code.nodes.size() > max_nodes)
      return fail(node(id).range, "the mask has more than " + to_text(static_cast<Index>(max_nodes)) +
                                      " operations once its functions are put in place");
    if (node(id).depth > max_depth)
      return fail(node(id).range, "more than " + to_text(Index{max_depth}) + " operations depend on one another here");
    return {.kind = Value::Kind::node, .node = id};
  }

  Value make(Op op, bool is_bool, Range range, NodeId a, NodeId b = no_node, NodeId c = no_node) {
    return of_node(m_build.make({.op = op, .is_bool = is_bool, .a = a, .b = b, .c = c, .range = range}));
  }

  // The text as a whole.

  /// Runs the statements; gives what the text ends in.
  Value module(Scope& top) {
    Value last;
    Value last_function;
    std::size_t functions = 0;
    for (const Statement& statement : m_syntax.statements) {
      if (failed()) return {};
      switch (statement.kind) {
        case StatementKind::give_back:
          m_result_range = at(statement.value).range;
          return expression(statement.value, top);
        case StatementKind::expression:
          m_result_range = at(statement.value).range;
          last = expression(statement.value, top);
          break;
        case StatementKind::assign:
          if (!assign_parameters(statement, top)) {
            assign(statement, top);
            m_result_range = at(statement.value).range;
            last = top.names[statement.targets.back()];
          }
          break;
        case StatementKind::define:
          define(statement, top);
          ++functions;
          if (function(statement).name == "mask_mod" || last_function.name != "mask_mod") {
            last_function = top.names[function(statement).name];
            last_function.name = function(statement).name;
          }
          break;
      }
    }
    if (last.kind == Value::Kind::none) {
      if (functions == 0) return fail({}, "there is no mask in the text; end it with an expression or a return");
      last = last_function;
      m_result_range = last.callable->function->range;
    }
    return last;
  }

  const Function& function(const Statement& statement) const {
    return m_syntax.functions[static_cast<std::size_t>(statement.function)];
  }

  /// `WINDOW = 512` at the top: a parameter with a default. False: the statement is something else.
  bool assign_parameters(const Statement& statement, Scope& top) {
    const Expression& value = at(statement.value);
    if (statement.unpacks && (value.kind != ExpressionKind::tuple || value.operands.size() != statement.targets.size()))
      return false;
    std::vector<Index> constants;
    for (std::size_t i = 0; i < statement.targets.size(); ++i) {
      const auto constant = constant_of(statement.unpacks ? value.operands[i] : statement.value);
      if (!constant || top.names.contains(statement.targets[i])) return false;
      constants.push_back(*constant);
    }
    for (std::size_t i = 0; i < statement.targets.size(); ++i) {
      // Given a value it is used as an integer, whatever the text does with it.
      Value parameter{.kind = Value::Kind::free_name, .name = statement.targets[i], .fallback = constants[i]};
      top.names[statement.targets[i]] = parameter;
      (void)integer_parameter(parameter, statement.range);
    }
    return !failed();
  }

  /// What an expression of integer literals alone comes to.
  std::optional<Index> constant_of(ExpressionId id) const {
    const Expression& e = at(id);
    if (e.depth > 50) return std::nullopt;
    if (e.kind == ExpressionKind::integer) return e.value;
    if (e.kind != ExpressionKind::unary && e.kind != ExpressionKind::binary) return std::nullopt;
    const auto a = constant_of(e.operands[0]);
    if (!a) return std::nullopt;
    if (e.kind == ExpressionKind::unary)
      return e.name == "-" ? subtract(0, *a) : e.name == "+" ? a : std::optional<Index>(~*a);
    const auto b = constant_of(e.operands[1]);
    if (!b) return std::nullopt;
    if (e.name == "+") return add(*a, *b);
    if (e.name == "-") return subtract(*a, *b);
    if (e.name == "*") return multiply(*a, *b);
    if (e.name == "//" && *b > 0) return floor_divide(*a, *b);
    if (e.name == "**" && *b >= 0) return power(*a, *b);
    if (e.name == "<<" && *b >= 0 && *b <= 63) return shift_left(*a, *b);
    return std::nullopt;
  }

  // Statements.

  void assign(const Statement& statement, Scope& scope) {
    Value value = expression(statement.value, scope);
    if (failed()) return;
    if (!statement.unpacks) return bind(scope, statement.targets.front(), std::move(value));
    if (value.kind != Value::Kind::tuple)
      return void(fail(at(statement.value).range, "only a tuple can be unpacked into several names"));
    if (value.items->size() != statement.targets.size())
      return void(fail(at(statement.value).range,
                       to_text(static_cast<Index>(value.items->size())) + " values cannot be unpacked into " +
                           to_text(static_cast<Index>(statement.targets.size())) + " names"));
    for (std::size_t i = 0; i < statement.targets.size(); ++i) bind(scope, statement.targets[i], (*value.items)[i]);
  }

  void bind(Scope& scope, const std::string& name, Value value) {
    if (&scope == m_term_scope || &scope == m_top) {
      // A name that moves on leaves what it meant before without one.
      if (const auto old = scope.names.find(name); old != scope.names.end() && old->second.kind == Value::Kind::node)
        if (const auto named = m_names.find(old->second.node); named != m_names.end() && named->second == name)
          m_names.erase(named);
      if (value.kind == Value::Kind::node && !is_named(scope, value.node)) m_names[value.node] = name;
    }
    scope.names[name] = std::move(value);
  }

  /// Whether a variable has given a node its name, which it keeps when it gets another one.
  bool is_named(const Scope& scope, NodeId id) const {
    const auto named = m_names.find(id);
    if (named == m_names.end()) return false;
    const auto variable = scope.names.find(named->second);
    return variable != scope.names.end() && variable->second.kind == Value::Kind::node && variable->second.node == id;
  }

  void define(const Statement& statement, Scope& scope) {
    Value value{.kind = Value::Kind::callable};
    value.callable = new_callable({.function = &function(statement), .scope = &scope});
    scope.names[function(statement).name] = value;
  }

  Value body(const Function& function, Scope& scope) {
    for (const Statement& statement : function.body) {
      if (failed()) return {};
      switch (statement.kind) {
        case StatementKind::give_back: return expression(statement.value, scope);
        case StatementKind::assign: assign(statement, scope); break;
        case StatementKind::define: define(statement, scope); break;
        case StatementKind::expression:
          fail(statement.range, "the value of this line is not used; give it a name, or return it");
          break;
      }
    }
    return fail(function.range, function.name + " gives nothing back; end it with return");
  }

  // Names.

  Value name(const std::string& name, Range range, Scope& scope) {
    for (Scope* s = &scope; s; s = s->parent)
      if (const auto found = s->names.find(name); found != s->names.end()) return found->second;
    for (const auto& [known, variable] : variables)
      if (known == name) return variable_node(variable, range);
    if (name == "torch") return fail(range, "torch is no value; write torch.where(...), torch.minimum(...)");
    return {.kind = Value::Kind::free_name, .name = name};
  }

  Value variable_node(Variable variable, Range range) {
    return of_node(m_build.make({.op = Op::variable,
                                 .is_bool = variable == Variable::key_valid,
                                 .value = static_cast<Index>(variable),
                                 .range = range}));
  }

  Value integer_parameter(const Value& value, Range range) {
    auto& integers = m_out.code.integers;
    if (is_array(value.name))
      return fail(range, value.name + " is an array elsewhere in the text; index it: " + value.name + "[kv_idx]");
    if (value.name == "document_id" || value.name == "position_ids" || value.name == "offsets")
      return fail(range, value.name + " is an array; index it: " + value.name + "[kv_idx]");
    const auto found = std::ranges::find(integers, value.name, &IntegerUse::name);
    const auto index = found - integers.begin();
    if (found == integers.end()) {
      integers.push_back({value.name, value.fallback, range});
      warn_of_near_name(value, range);
    }
    return of_node(m_build.make({.op = Op::parameter, .value = index, .range = range}));
  }

  void warn_of_near_name(const Value& value, Range range) {
    if (value.fallback) return;
    const auto guess = near_variable(value.name);
    if (guess) warn(range, value.name + " is taken as a parameter; did you mean " + *guess + "?");
  }

  static std::optional<std::string> near_variable(const std::string& name) {
    if (name.size() < 4) return std::nullopt;
    std::vector<std::string> known;
    for (const auto& variable : known_variables()) known.emplace_back(variable);
    return nearest_name(name, known);
  }

  bool is_array(const std::string& name) const {
    return std::ranges::find(m_out.code.arrays, name, &ArrayUse::name) != m_out.code.arrays.end();
  }

  // Expressions.

  Value expression(ExpressionId id, Scope& scope) {
    if (failed()) return {};
    const Expression& e = at(id);
    if (++m_steps > max_steps)
      return fail(e.range, "the functions of the text unfold into more than " + to_text(Index{max_steps}) + " operations");
    switch (e.kind) {
      case ExpressionKind::integer: return of_node(m_build.constant(e.value, false, e.range));
      case ExpressionKind::boolean: return of_node(m_build.constant(e.value, true, e.range));
      case ExpressionKind::string:
        return fail(e.range, "a text is no value of the mask language; values are integers, True and False");
      case ExpressionKind::name: return name(e.name, e.range, scope);
      case ExpressionKind::attribute:
        return fail(e.range, e.name + " is not known here; what can stand after a point are the functions " +
                                 quoted_list(methods()) + " with their parentheses" + did_you_mean(e.name, methods()));
      case ExpressionKind::call: return call(e, scope);
      case ExpressionKind::index: return element(e, scope);
      case ExpressionKind::unary: return unary(e, scope);
      case ExpressionKind::binary: return binary(e, scope);
      case ExpressionKind::compare: return comparison(e, scope);
      case ExpressionKind::conjunction:
      case ExpressionKind::disjunction: return junction(e, scope);
      case ExpressionKind::negation: return negation(e, scope);
      case ExpressionKind::ternary:
        return choice(Op::select, e,
                      {operand(e.operands[0], scope), operand(e.operands[1], scope), operand(e.operands[2], scope)});
      case ExpressionKind::tuple: {
        auto items = std::make_shared<std::vector<Value>>();
        for (const ExpressionId item : e.operands) items->push_back(expression(item, scope));
        return {.kind = Value::Kind::tuple, .items = std::move(items)};
      }
      case ExpressionKind::lambda: {
        Value value{.kind = Value::Kind::callable};
        value.callable =
            new_callable({.function = &m_syntax.functions[static_cast<std::size_t>(e.value)], .scope = &scope});
        return value;
      }
    }
    return {};
  }

  /// An integer or a truth value; no_node after an error.
  NodeId operand(ExpressionId id, Scope& scope) { return as_node(expression(id, scope), at(id).range); }

  NodeId as_node(const Value& value, Range range) {
    if (failed()) return no_node;
    switch (value.kind) {
      case Value::Kind::node: return value.node;
      case Value::Kind::free_name: {
        const Value parameter = integer_parameter(value, range);
        return failed() ? no_node : parameter.node;
      }
      case Value::Kind::tuple: fail(range, "this is a tuple, a number or a truth value is needed here"); return no_node;
      case Value::Kind::callable:
        fail(range, "this is a function, a number or a truth value is needed here; call it: " +
                        written(range).substr(0, 60) + "(b, h, q_idx, kv_idx)");
        return no_node;
      case Value::Kind::none: break;
    }
    fail(range, "there is no value here");
    return no_node;
  }

  NodeId as_int(NodeId id) { return failed() ? no_node : m_build.as_int(id); }
  NodeId as_bool(NodeId id) { return failed() ? no_node : m_build.as_bool(id); }

  Value unary(const Expression& e, Scope& scope) {
    const NodeId a = operand(e.operands[0], scope);
    if (failed()) return {};
    if (e.name == "+") return of_node(as_int(a));
    if (e.name == "~" && node(a).is_bool) return make(Op::logical_not, true, e.range, a);
    if (e.name == "-" && node(a).op == Op::constant && !node(a).is_bool)
      return of_node(m_build.constant(-node(a).value, false, e.range));
    return make(e.name == "-" ? Op::negate : Op::bit_not, false, e.range, as_int(a));
  }

  Value binary(const Expression& e, Scope& scope) {
    const NodeId a = operand(e.operands[0], scope);
    const NodeId b = operand(e.operands[1], scope);
    if (failed()) return {};
    static const std::map<std::string_view, Op> bits{{"&", Op::bit_and}, {"|", Op::bit_or}, {"^", Op::bit_xor}};
    if (const auto found = bits.find(e.name); found != bits.end()) return bitwise(e, found->second, a, b);
    static const std::map<std::string_view, Op> all{
        {"+", Op::add},    {"-", Op::subtract}, {"*", Op::multiply},    {"//", Op::floor_divide},
        {"%", Op::modulo}, {"**", Op::power},   {"<<", Op::shift_left}, {">>", Op::shift_right}};
    const NodeId left = as_int(a);
    return make(all.at(e.name), false, e.range, left, as_int(b));
  }

  /// Of truth values it is one again.
  Value bitwise(const Expression& e, Op op, NodeId a, NodeId b) {
    const bool mixed = node(a).is_bool != node(b).is_bool;
    if (node(a).is_bool && node(b).is_bool) {
      const Op logical = op == Op::bit_and ? Op::logical_and : op == Op::bit_or ? Op::logical_or : Op::logical_xor;
      return make(logical, true, e.range, a, b);
    }
    if (mixed) {
      const ExpressionId integer = e.operands[node(a).is_bool ? 1 : 0];
      warn(e.range, e.name + " of an integer and a truth value works bit by bit; write (" + written(at(integer).range) +
                        " != 0) to ask whether the integer is not zero");
    }
    const NodeId left = as_int(a);
    return make(op, false, e.range, left, as_int(b));
  }

  Value comparison(const Expression& e, Scope& scope) {
    NodeId all = no_node;
    NodeId left = operand(e.operands[0], scope);
    for (std::size_t i = 0; i < e.symbols.size() && !failed(); ++i) {
      const NodeId right = operand(e.operands[i + 1], scope);
      if (failed()) return {};
      const Value compared = compare(e, i, left, right);
      if (failed()) return {};
      if (all == no_node) {
        all = compared.node;
      } else {
        all = make(Op::and_then, true, e.range, all, compared.node).node;
        if (!failed()) m_chains.insert(all);
      }
      left = right;
    }
    return failed() ? Value{} : of_node(all);
  }

  Value compare(const Expression& e, std::size_t i, NodeId left, NodeId right) {
    static const std::map<std::string_view, Op> all{{"<", Op::less},    {"<=", Op::less_equal},
                                                    {">", Op::greater}, {">=", Op::greater_equal},
                                                    {"==", Op::equal},  {"!=", Op::not_equal}};
    const Range left_range = at(e.operands[i]).range;
    const Range right_range = at(e.operands[i + 1]).range;
    const Range range{at(e.operands[i]).outer.begin, at(e.operands[i + 1]).outer.end};
    const NodeId a = as_int(left);
    const NodeId b = as_int(right);
    const Value made = make(all.at(e.symbols[i]), true, e.symbols.size() == 1 ? e.range : range, a, b);
    if (!failed() && m_compared.insert(made.node).second)
      m_out.code.comparisons.push_back({made.node, a, b, e.symbols[i], range, left_range, right_range});
    return made;
  }

  Value junction(const Expression& e, Scope& scope) {
    const bool is_and = e.kind == ExpressionKind::conjunction;
    NodeId all = operand(e.operands[0], scope);
    for (std::size_t i = 1; i < e.operands.size() && !failed(); ++i) {
      const NodeId next = operand(e.operands[i], scope);
      if (failed()) return {};
      if (node(all).is_bool && node(next).is_bool) {
        all = make(is_and ? Op::and_then : Op::or_else, true, e.range, all, next).node;
        continue;
      }
      // Python gives one of the two integers.
      const NodeId condition = as_bool(all);
      const NodeId kept = as_int(all);
      const NodeId other = as_int(next);
      all = make(Op::select, false, e.range, condition, is_and ? other : kept, is_and ? kept : other).node;
    }
    return failed() ? Value{} : of_node(all);
  }

  Value negation(const Expression& e, Scope& scope) {
    const NodeId a = operand(e.operands[0], scope);
    if (failed()) return {};
    if (!node(a).is_bool)
      warn(e.range, "not of an integer asks whether it is zero; write " + written(at(e.operands[0]).range) + " == 0");
    return make(Op::logical_not, true, e.range, as_bool(a));
  }

  Value choice(Op op, const Expression& e, std::array<NodeId, 3> operands) {
    if (failed()) return {};
    const auto [condition, yes, no] = operands;
    const bool is_bool = node(yes).is_bool && node(no).is_bool;
    const NodeId a = as_bool(condition);
    const NodeId b = is_bool ? yes : as_int(yes);
    return make(op, is_bool, e.range, a, b, is_bool ? no : as_int(no));
  }

  // Arrays.

  Value element(const Expression& e, Scope& scope) {
    const Expression& base = at(e.operands[0]);
    if (base.kind == ExpressionKind::index && base.operands.size() == 2 && is_batch_name(base.operands[1], scope)) {
      Expression once = e;
      once.operands[0] = base.operands[0];
      return element(once, scope);
    }
    Value array = expression(e.operands[0], scope);
    if (failed()) return {};
    if (array.kind == Value::Kind::node && node(array.node).op == Op::variable &&
        static_cast<Variable>(node(array.node).value) == Variable::key_valid)
      array = {.kind = Value::Kind::free_name, .name = "key_valid"};
    std::vector<NodeId> indices;
    for (std::size_t i = 1; i < e.operands.size(); ++i) indices.push_back(operand(e.operands[i], scope));
    if (failed()) return {};
    // x[b, kv_idx]: the values given are those of this b.
    while (indices.size() > 1 && is_batch(indices.front())) indices.erase(indices.begin());
    if (indices.size() > 1)
      return fail(e.range, "arrays have one index here; only b and h may stand before it, as in x[b, kv_idx]");
    if (array.kind == Value::Kind::tuple) return of_tuple(array, indices.front(), e.range);
    if (array.kind != Value::Kind::free_name)
      return fail(base.range, "only an array can be indexed, and a name that is free in the text is one");
    return array_element(array, as_int(indices.front()), e.range);
  }

  /// x[b][kv_idx]: the values given are those of this b.
  bool is_batch_name(ExpressionId id, Scope& scope) {
    if (at(id).kind != ExpressionKind::name) return false;
    const Value value = expression(id, scope);
    return value.kind == Value::Kind::node && is_batch(value.node);
  }

  bool is_batch(NodeId id) const {
    const Node& n = node(id);
    return n.op == Op::variable &&
           (n.value == static_cast<Index>(Variable::b) || n.value == static_cast<Index>(Variable::h));
  }

  Value of_tuple(const Value& tuple, NodeId index, Range range) {
    const Node& n = node(index);
    const auto size = static_cast<Index>(tuple.items->size());
    if (n.op != Op::constant || n.value < 0 || n.value >= size)
      return fail(range, "a tuple of " + to_text(size) + " is indexed with a number from 0 to " + to_text(size - 1));
    return (*tuple.items)[static_cast<std::size_t>(n.value)];
  }

  Value array_element(const Value& array, NodeId index, Range range) {
    if (failed()) return {};
    const auto& integers = m_out.code.integers;
    if (array.fallback || std::ranges::find(integers, array.name, &IntegerUse::name) != integers.end())
      return fail(range, array.name + " is an integer elsewhere in the text, only an array can be indexed");
    auto& arrays = m_out.code.arrays;
    const auto found = std::ranges::find(arrays, array.name, &ArrayUse::name);
    const auto at_index = found - arrays.begin();
    const IndexedBy by = indexed_by(index);
    if (found == arrays.end()) {
      arrays.push_back({array.name, by, range});
      if (const auto guess = near_variable(array.name); guess && *guess != array.name)
        warn(range, array.name + " is taken as an array to be given; did you mean " + *guess + "?");
    } else {
      found->indexed_by = together(found->indexed_by, by);
    }
    const bool is_bool = array.name == "key_valid";
    const NodeId made = m_build.make({.op = Op::element, .a = index, .value = at_index, .range = range});
    return of_node(is_bool ? m_build.as_bool(made) : made);
  }

  IndexedBy indexed_by(NodeId index) const {
    const Node& n = node(index);
    if (n.op != Op::variable) return IndexedBy::other;
    if (n.value == static_cast<Index>(Variable::q_idx)) return IndexedBy::query;
    return n.value == static_cast<Index>(Variable::kv_idx) ? IndexedBy::key : IndexedBy::other;
  }

  static IndexedBy together(IndexedBy a, IndexedBy b) {
    if (a == b) return a;
    return a == IndexedBy::other || b == IndexedBy::other ? IndexedBy::other : IndexedBy::token;
  }

  // Calls.

  struct Argument {
    Value value;
    std::string keyword;
    Range range;
  };

  Value call(const Expression& e, Scope& scope) {
    const Expression& callee = at(e.operands[0]);
    if (callee.kind == ExpressionKind::attribute) return call_attribute(e, callee, scope);
    if (callee.kind == ExpressionKind::name && !is_bound(callee.name, scope)) return call_plain(e, callee, scope);
    const Value function = expression(e.operands[0], scope);
    if (failed()) return {};
    if (function.kind != Value::Kind::callable)
      return fail(e.range, written(callee.range).substr(0, 60) + " is no function, it cannot be called");
    const auto arguments = read_arguments(e, 1, scope);
    if (failed()) return {};
    Value result = apply(*function.callable, arguments, e.range);
    const bool outermost = m_calls == 0 || &scope == m_term_scope;
    if (!failed() && outermost && callee.kind == ExpressionKind::name && result.kind == Value::Kind::node)
      m_names.try_emplace(result.node, callee.name);
    return result;
  }

  bool is_bound(const std::string& name, Scope& scope) const {
    for (Scope* s = &scope; s; s = s->parent)
      if (s->names.contains(name)) return true;
    return false;
  }

  std::vector<Argument> read_arguments(const Expression& e, std::size_t first, Scope& scope) {
    std::vector<Argument> arguments;
    for (std::size_t i = first; i < e.operands.size() && !failed(); ++i)
      arguments.push_back({expression(e.operands[i], scope), e.keywords[i - 1], at(e.operands[i]).range});
    return arguments;
  }

  Value call_plain(const Expression& e, const Expression& callee, Scope& scope) {
    const std::string& name = callee.name;
    if (name == "and_masks" || name == "or_masks") return join_masks(e, name == "and_masks", scope);
    if (!contains(plain_functions(), name)) {
      std::vector<std::string> known = plain_functions();
      for (const auto& torch : torch_functions()) known.push_back("torch." + torch);
      return fail(callee.range, name + " is called but not defined in the text; functions that are known are " +
                                    quoted_list(known) + did_you_mean(name, plain_functions()));
    }
    const auto arguments = read_arguments(e, 1, scope);
    return failed() ? Value{} : apply_known(name, e, arguments);
  }

  Value call_attribute(const Expression& e, const Expression& callee, Scope& scope) {
    const Expression& object = at(callee.operands[0]);
    const std::string& name = callee.name;
    if (object.kind == ExpressionKind::name && object.name == "torch" && !is_bound("torch", scope)) {
      if (!contains(torch_functions(), name))
        return fail(callee.range, "torch." + name + " is not part of the mask language; of torch there are " +
                                      quoted_list(torch_functions()) + did_you_mean(name, torch_functions()));
      const auto arguments = read_arguments(e, 1, scope);
      return failed() ? Value{} : apply_known(name, e, arguments);
    }
    if (!contains(methods(), name))
      return fail(callee.range, "." + name + "(...) is not part of the mask language; after a value there may stand " +
                                    quoted_list(methods()) + did_you_mean(name, methods()));
    std::vector<Argument> arguments{{expression(callee.operands[0], scope), "", object.range}};
    if (name == "to") return converted(e, arguments.front());
    for (auto& argument : read_arguments(e, 1, scope)) arguments.push_back(std::move(argument));
    return failed() ? Value{} : apply_known(name, e, arguments);
  }

  /// .to(torch.bool) asks whether it is not zero; devices and other integers change nothing.
  Value converted(const Expression& e, const Argument& object) {
    const NodeId value = as_node(object.value, object.range);
    if (failed()) return {};
    for (std::size_t i = 1; i < e.operands.size(); ++i) {
      const Expression& type = at(e.operands[i]);
      if (type.kind == ExpressionKind::attribute && type.name == "bool") return of_node(as_bool(value));
      if (type.kind == ExpressionKind::attribute && type.name.starts_with("int")) return of_node(as_int(value));
    }
    return of_node(value);
  }

  Value apply_known(const std::string& name, const Expression& e, const std::vector<Argument>& arguments) {
    if (name == "clamp") return clamp(e, arguments);
    std::vector<NodeId> nodes;
    for (const Argument& argument : arguments) {
      if (!argument.keyword.empty() && argument.keyword != "dtype")
        return fail(argument.range, name + " has no argument " + argument.keyword + "; give its values by position");
      nodes.push_back(as_node(argument.value, argument.range));
    }
    if (failed()) return {};
    const auto count = nodes.size();
    const auto wanted = [&](std::size_t n) {
      if (count != n)
        fail(e.range, name + " takes " + to_text(static_cast<Index>(n)) + (n == 1 ? " value" : " values") + ", found " +
                          to_text(static_cast<Index>(count)));
      return count == n;
    };
    if (name == "abs") return wanted(1) ? make(Op::absolute, false, e.range, as_int(nodes[0])) : Value{};
    if (name == "bool") return wanted(1) ? of_node(as_bool(nodes[0])) : Value{};
    if (name == "int" || name == "long") return wanted(1) ? of_node(as_int(nodes[0])) : Value{};
    if (name == "logical_not") return wanted(1) ? make(Op::logical_not, true, e.range, as_bool(nodes[0])) : Value{};
    if (name == "where") return wanted(3) ? choice(Op::where, e, {nodes[0], nodes[1], nodes[2]}) : Value{};
    if (name.starts_with("logical_")) {
      if (!wanted(2)) return {};
      const Op op = name == "logical_and" ? Op::logical_and : name == "logical_or" ? Op::logical_or : Op::logical_xor;
      const NodeId left = as_bool(nodes[0]);
      return make(op, true, e.range, left, as_bool(nodes[1]));
    }
    const bool is_torch = name == "minimum" || name == "maximum";
    if (is_torch && !wanted(2)) return {};
    if (count < 2)
      return fail(e.range, name + " takes two values or more, found " + to_text(static_cast<Index>(count)));
    NodeId result = as_int(nodes[0]);
    for (std::size_t i = 1; i < count && !failed(); ++i)
      result = make(name.starts_with("min") ? Op::minimum : Op::maximum, false, e.range, result, as_int(nodes[i])).node;
    return failed() ? Value{} : of_node(result);
  }

  /// min(max(x, low), high), either end may be missing.
  Value clamp(const Expression& e, const std::vector<Argument>& arguments) {
    NodeId value = no_node;
    NodeId low = no_node;
    NodeId high = no_node;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      const Argument& argument = arguments[i];
      const bool by_position = argument.keyword.empty();
      if (by_position ? i > 2 : (argument.keyword != "min" && argument.keyword != "max" && argument.keyword != "input"))
        return fail(argument.range, "clamp takes a value, min and max");
      NodeId& place = argument.keyword == "min"               ? low
                      : argument.keyword == "max"             ? high
                      : argument.keyword == "input" || i == 0 ? value
                      : i == 1                                ? low
                                                              : high;
      place = as_int(as_node(argument.value, argument.range));
      if (failed()) return {};
    }
    if (value == no_node || (low == no_node && high == no_node))
      return fail(e.range, "clamp takes a value and min, max or both");
    if (low != no_node) value = make(Op::maximum, false, e.range, value, low).node;
    if (!failed() && high != no_node) value = make(Op::minimum, false, e.range, value, high).node;
    return failed() ? Value{} : of_node(value);
  }

  Value join_masks(const Expression& e, bool all, Scope& scope) {
    Callable joined{.kind = all ? Callable::Kind::all_of : Callable::Kind::any_of};
    for (std::size_t i = 1; i < e.operands.size(); ++i) {
      const Value member = expression(e.operands[i], scope);
      const Range range = at(e.operands[i]).range;
      if (failed()) return {};
      if (member.kind != Value::Kind::callable)
        return fail(range, (all ? "and_masks" : "or_masks") +
                               std::string(" joins functions of (b, h, q_idx, kv_idx), ") +
                               written(range).substr(0, 60) + " is none");
      const bool is_nested = all && member.callable->kind == Callable::Kind::all_of;
      if (is_nested) {
        joined.members.insert(joined.members.end(), member.callable->members.begin(), member.callable->members.end());
        joined.names.insert(joined.names.end(), member.callable->names.begin(), member.callable->names.end());
        joined.ranges.insert(joined.ranges.end(), member.callable->ranges.begin(), member.callable->ranges.end());
        continue;
      }
      joined.members.push_back(member.callable);
      joined.names.push_back(written(range));
      joined.ranges.push_back(range);
      if (joined.members.size() > max_nodes) return fail(e.range, "too many masks are joined here");
    }
    Value value{.kind = Value::Kind::callable};
    value.callable = new_callable(std::move(joined));
    return value;
  }

  Value apply(const Callable& callable, const std::vector<Argument>& arguments, Range range) {
    if (callable.kind != Callable::Kind::written) return apply_joined(callable, arguments, range);
    const Function& function = *callable.function;
    if (std::ranges::find(m_active, &function) != m_active.end())
      return fail(range, function.name + " calls itself; recursion is not part of the mask language");
    if (m_calls >= max_calls)
      return fail(range, "functions call one another more than " + to_text(Index{max_calls}) + " deep");
    Scope& scope = new_scope(callable.scope);
    bind_arguments(function, callable, arguments, range, scope);
    if (failed()) return {};
    ++m_calls;
    m_active.push_back(&function);
    Value result = body(function, scope);
    m_active.pop_back();
    --m_calls;
    return result;
  }

  void bind_arguments(const Function& function, const Callable& callable, const std::vector<Argument>& arguments,
                      Range range, Scope& scope) {
    const auto& parameters = function.parameters;
    std::size_t position = 0;
    for (const Argument& argument : arguments) {
      std::size_t target = position;
      if (argument.keyword.empty()) {
        ++position;
      } else {
        target = static_cast<std::size_t>(std::ranges::find(parameters, argument.keyword, &Parameter::name) -
                                          parameters.begin());
        if (target == parameters.size())
          return void(fail(argument.range, function.name + " has no parameter " + argument.keyword));
      }
      if (target >= parameters.size())
        return void(fail(range, function.name + " takes " + to_text(static_cast<Index>(parameters.size())) +
                                    " arguments, found " + to_text(static_cast<Index>(arguments.size()))));
      if (!scope.names.try_emplace(parameters[target].name, argument.value).second)
        return void(fail(argument.range, function.name + " is given " + parameters[target].name + " twice"));
    }
    for (const Parameter& parameter : parameters) {
      if (scope.names.contains(parameter.name)) continue;
      if (parameter.fallback == no_expression)
        return void(fail(range, function.name + " is not given its argument " + parameter.name));
      scope.names[parameter.name] = expression(parameter.fallback, *callable.scope);
    }
  }

  /// All are asked: FlexAttention joins with & and |.
  Value apply_joined(const Callable& callable, const std::vector<Argument>& arguments, Range range) {
    const bool all = callable.kind == Callable::Kind::all_of;
    Value result = of_node(m_build.constant(all ? 1 : 0, true, range));
    if (++m_calls > max_calls) return fail(range, "masks are joined more than " + to_text(Index{max_calls}) + " deep");
    for (std::size_t i = 0; i < callable.members.size() && !failed(); ++i) {
      const Value member = apply(*callable.members[i], arguments, range);
      const NodeId next = as_bool(as_node(member, callable.ranges[i]));
      if (failed()) return {};
      if (all && m_calls <= 2) m_names.try_emplace(next, callable.names[i]);
      result = i == 0 ? of_node(next) : make(all ? Op::logical_and : Op::logical_or, true, range, result.node, next);
    }
    --m_calls;
    return result;
  }

  // Terms.

  static bool gives_function(const Function& function) {
    return !function.body.empty() && function.body.back().kind == StatementKind::give_back;
  }

  /// Whether the last line of a function gives back one of the functions defined in it, or masks joined.
  bool is_factory(const Function& function) const {
    if (!gives_function(function)) return false;
    const Expression& given = at(function.body.back().value);
    if (given.kind == ExpressionKind::lambda) return true;
    if (given.kind == ExpressionKind::call) {
      const Expression& callee = at(given.operands[0]);
      return callee.kind == ExpressionKind::name && (callee.name == "and_masks" || callee.name == "or_masks");
    }
    if (given.kind != ExpressionKind::name) return false;
    return std::ranges::any_of(function.body, [&](const Statement& s) {
      if (s.kind == StatementKind::define)
        return m_syntax.functions[static_cast<std::size_t>(s.function)].name == given.name;
      if (s.kind != StatementKind::assign || s.targets.front() != given.name) return false;
      const Expression& value = at(s.value);
      if (value.kind == ExpressionKind::lambda) return true;
      if (value.kind != ExpressionKind::call) return false;
      const Expression& callee = at(value.operands[0]);
      return callee.kind == ExpressionKind::name && (callee.name == "and_masks" || callee.name == "or_masks");
    });
  }

  /// The parameters of a factory are free names.
  Value unfold(const Callable& factory) {
    std::vector<Argument> arguments;
    for (const Parameter& parameter : factory.function->parameters) {
      Value value{.kind = Value::Kind::free_name, .name = parameter.name};
      if (parameter.fallback != no_expression) value.fallback = constant_of(parameter.fallback);
      arguments.push_back({value, "", parameter.range});
    }
    return apply(factory, arguments, factory.function->range);
  }

  void make_terms(Value result) {
    for (int i = 0; i < 8 && !failed() && result.kind == Value::Kind::callable &&
                    result.callable->kind == Callable::Kind::written && is_factory(*result.callable->function);
         ++i)
      result = unfold(*result.callable);
    if (failed()) return;
    if (result.kind != Value::Kind::callable) {
      return split_result(as_node(result, m_result_range), m_result_range);
    }
    const auto arguments = mask_arguments();
    if (result.callable->kind == Callable::Kind::all_of) {
      const Callable& joined = *result.callable;
      for (std::size_t i = 0; i < joined.members.size() && !failed(); ++i) {
        const Value member = apply_mask(*joined.members[i], arguments);
        const NodeId term = as_bool(as_node(member, joined.ranges[i]));
        if (!failed()) m_out.code.terms.push_back({joined.names[i], joined.ranges[i], term});
      }
      return;
    }
    if (result.callable->kind == Callable::Kind::written) m_result_range = result.callable->function->range;
    const Value value = apply_mask(*result.callable, arguments);
    split_result(as_node(value, m_result_range), m_result_range);
  }

  std::vector<Argument> mask_arguments() {
    std::vector<Argument> arguments;
    for (const Variable v : {Variable::b, Variable::h, Variable::q_idx, Variable::kv_idx})
      arguments.push_back({variable_node(v, m_result_range), "", m_result_range});
    return arguments;
  }

  /// Four parameters are b, h, q_idx, kv_idx by position; others must be names that are known.
  Value apply_mask(const Callable& callable, const std::vector<Argument>& arguments) {
    if (callable.kind != Callable::Kind::written) return apply(callable, arguments, m_result_range);
    const Function& function = *callable.function;
    std::vector<Argument> given = arguments;
    if (function.parameters.size() != 4) {
      given.clear();
      for (const Parameter& parameter : function.parameters) {
        const auto known = std::ranges::find(variables, parameter.name, [](const auto& v) { return v.first; });
        if (known == variables.end() && parameter.fallback == no_expression)
          return fail(parameter.range, "the mask " + function.name +
                                           " takes (b, h, q_idx, kv_idx), found the parameter " + parameter.name);
        if (known != variables.end())
          given.push_back({variable_node(known->second, parameter.range), parameter.name, parameter.range});
      }
    }
    if (m_calls >= max_calls) return fail(function.range, "functions call one another too deep");
    Scope& scope = new_scope(callable.scope);
    bind_arguments(function, callable, given, function.range, scope);
    if (failed()) return {};
    m_term_scope = &scope;
    ++m_calls;
    m_active.push_back(&function);
    Value value = body(function, scope);
    m_active.pop_back();
    --m_calls;
    m_term_scope = nullptr;
    if (value.kind == Value::Kind::node) m_result_range = node(value.node).range;
    return value;
  }

  void split_result(NodeId root, Range range) {
    if (failed()) return;
    if (!node(root).is_bool)
      warn(range, "the mask is an integer, anything but 0 is visible; write " + written(range).substr(0, 80) +
                      " != 0 to say so");
    split(as_bool(root), {}, true);
  }

  void split(NodeId id, std::vector<std::size_t> guards, bool is_root) {
    auto& terms = m_out.code.terms;
    const Node n = node(id);
    const auto named = m_names.find(id);
    const bool joins = n.op == Op::logical_and || n.op == Op::and_then;
    const bool chained = n.op == Op::and_then && at_chain(id);
    if (!joins || chained || (named != m_names.end() && !is_root) || terms.size() > 1000) {
      terms.push_back({named != m_names.end() ? named->second : written(n.range), n.range, id, std::move(guards)});
      return;
    }
    const std::size_t before = terms.size();
    split(n.a, guards, false);
    if (n.op == Op::and_then)
      for (std::size_t i = before; i < terms.size(); ++i) guards.push_back(i);
    split(n.b, std::move(guards), false);
  }

  /// a < b < c is one condition.
  bool at_chain(NodeId id) const { return m_chains.contains(id); }

  void finish() {
    Code& code = m_out.code;
    if (code.terms.empty()) code.terms.push_back({"True", {}, m_build.constant(1, true, {})});
    for (TermCode& term : code.terms) {
      const auto below = reachable(term.node);
      for (std::size_t i = 0; i < code.comparisons.size(); ++i)
        if (below[static_cast<std::size_t>(code.comparisons[i].node)]) term.comparisons.push_back(i);
    }
  }

  /// Operands stand before what uses them, so one sweep from the top is enough.
  std::vector<bool> reachable(NodeId root) const {
    std::vector<bool> below(m_out.code.nodes.size());
    below[static_cast<std::size_t>(root)] = true;
    for (NodeId id = root; id >= 0; --id) {
      if (!below[static_cast<std::size_t>(id)]) continue;
      for (const NodeId operand : {node(id).a, node(id).b, node(id).c})
        if (operand != no_node) below[static_cast<std::size_t>(operand)] = true;
    }
    return below;
  }

  std::string_view m_text;
  const Syntax& m_syntax;
  Compiled m_out;
  NodeBuilder m_build;
  std::deque<Scope> m_scopes;
  std::deque<Callable> m_callables;
  Scope* m_top = nullptr;
  Scope* m_term_scope = nullptr;  ///< of the function that is the mask
  Range m_result_range;
  Index m_steps = 0;
  int m_calls = 0;
  std::vector<const Function*> m_active;
  std::map<NodeId, std::string> m_names;  ///< of nodes that a variable or a call names
  std::set<NodeId> m_compared;
  std::set<NodeId> m_chains;
  std::set<std::pair<Index, std::string>> m_warned;
};

}  // namespace

Compiled compile(std::string_view text, const Syntax& syntax) { return Compiler(text, syntax).run(); }

}  // namespace vqscope::language
