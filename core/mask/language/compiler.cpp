// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/language/compiler.h"

#include "core/mask/language/constant_expression.h"
#include "core/mask/language/term_compiler.h"

namespace vqscope::language {
namespace {

/// The text as a whole.
class ModuleCompiler : private TermCompiler {
 public:
  ModuleCompiler(std::string_view text, const Syntax& syntax) : TermCompiler(text, syntax) {}

  Compiled run() {
    Scope& top = new_scope(nullptr);
    m_top = &top;
    const Value result = module(top);
    if (!failed()) make_terms(result);
    if (!failed()) finish();
    return std::move(m_out);
  }

 private:
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

  /// `WINDOW = 512` at the top: a parameter with a default. False: the statement is something else.
  bool assign_parameters(const Statement& statement, Scope& top) {
    const Expression& value = at(statement.value);
    if (statement.unpacks && (value.kind != ExpressionKind::tuple || value.operands.size() != statement.targets.size()))
      return false;
    std::vector<Index> constants;
    for (std::size_t i = 0; i < statement.targets.size(); ++i) {
      const auto constant = constant_of(m_syntax, statement.unpacks ? value.operands[i] : statement.value);
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
};

}  // namespace

Compiled compile(std::string_view text, const Syntax& syntax) { return ModuleCompiler(text, syntax).run(); }

}  // namespace vqscope::language
