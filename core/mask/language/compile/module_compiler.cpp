// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/language/compile/module_compiler.h"

#include "core/base/text.h"
#include "core/mask/language/compile/mask_function.h"
#include "core/mask/language/compile/terms.h"
#include "core/mask/language/compile/tree/tree.h"
#include "core/mask/language/compile/used_names.h"
#include "core/mask/language/names/known_names.h"
#include "core/mask/language/parse/constant_expression.h"

#include <algorithm>

namespace vqscope::language {

ModuleCompiler::ModuleCompiler(std::string_view text, const Syntax& syntax, const Given& given, Index library)
    : m_c(text, syntax, given), m_library(library) {
  m_c.array_names = array_names(syntax);
  m_c.sliced = sliced_names(syntax);
  m_c.kept = kept_dictionaries(syntax);
  m_c.made_once = made_once(syntax);
}

Compiled ModuleCompiler::run() {
  m_c.top = &m_c.new_scope(nullptr);
  for (const Statement& statement : m_c.syntax.statements)
    if (statement.range.begin >= m_library) define_function(m_c, statement, *m_c.top);
  statements(m_c.syntax.statements);
  const Value result = m_c.failed() ? Value{} : chosen_mask();
  if (!m_c.failed()) make_terms(m_c, result);
  if (!m_c.failed()) finish_terms(m_c);
  if (!m_c.failed()) m_c.warn_of_words();
  return std::move(m_c.out);
}

void ModuleCompiler::statements(const std::vector<Statement>& all) {
  for (std::size_t i = 0; i < all.size() && !m_is_given_back; ++i) {
    const Statement& one = all[i];
    if (m_c.failed() || one.range.begin >= m_library) return;
    if (one.kind != StatementKind::give_back && gives_back(one)) {
      if (const auto* way = known_way(one)) {
        statements(*way);
        continue;
      }
      return finish({all.begin() + static_cast<std::ptrdiff_t>(i), all.end()});
    }
    statement(one);
    m_is_given_back = m_is_given_back || one.kind == StatementKind::give_back;
  }
}

bool ModuleCompiler::gives_back(const Statement& statement) const {
  const auto gives = [&](const Statement& inner) { return gives_back(inner); };
  return statement.kind == StatementKind::give_back || std::ranges::any_of(statement.body, gives) ||
         std::ranges::any_of(statement.otherwise, gives);
}

const std::vector<Statement>* ModuleCompiler::known_way(const Statement& statement) {
  if (statement.kind == StatementKind::attempt) return &statement.body;
  if (statement.kind != StatementKind::choose) return nullptr;
  const Value condition = compile_expression(m_c, statement.value, *m_c.top);
  const auto known = m_c.failed() ? std::nullopt : decided(m_c, condition);
  if (!known) return nullptr;
  return *known ? &statement.body : &statement.otherwise;
}

void ModuleCompiler::finish(std::vector<Statement> rest) {
  std::erase_if(rest, [&](const Statement& one) { return one.range.begin >= m_library; });
  if (m_c.failed() || rest.empty()) return;
  m_is_given_back = true;
  m_c.result_range = rest.front().range;
  const Value value = compile_rest(m_c, rest, *m_c.top);
  if (!m_c.failed() && value.kind == Value::Kind::none)
    m_c.fail(rest.front().range, "one path through this text returns no mask; end it with return");
  if (!m_c.failed()) m_expression = {"", value, m_c.result_range, {}};
}

bool ModuleCompiler::ends_the_text(const Statement& statement) {
  const bool refuses = statement.kind == StatementKind::refuse && !statement.unpacks;
  const bool gives_back_unread = statement.kind == StatementKind::skipped && statement.unpacks;
  return statement.kind == StatementKind::require || refuses || gives_back_unread;
}

void ModuleCompiler::statement(const Statement& statement) {
  switch (statement.kind) {
    case StatementKind::assign: return assignment(statement);
    case StatementKind::define: return definition(statement);
    case StatementKind::expression:
    case StatementKind::give_back: return expression_statement(statement);
    case StatementKind::choose: {
      const Value condition = compile_expression(m_c, statement.value, *m_c.top);
      const auto known = m_c.failed() ? std::nullopt : decided(m_c, condition);
      if (known) return statements(*known ? statement.body : statement.otherwise);
      break;
    }
    case StatementKind::attempt: return statements(statement.body);
    default: break;
  }
  if (!m_c.failed()) carry_out(m_c, statement, *m_c.top);
  if (ends_the_text(statement)) return;
  // A mask that the statement would have assigned again is not the mask of the lines before it.
  if (!m_c.failed() && statement.kind == StatementKind::skipped)
    for (const std::string& name : statement.targets)
      lose(name, statement.range, SourceError(*m_c.top->names[name].error), {name});
  if (!m_c.failed())
    for (const auto& [name, range] : assigned(statement))
      if (const auto made = m_c.top->names.find(name); made != m_c.top->names.end() && is_maskable(made->second))
        m_candidates.push_back({name, made->second, range, names_in(m_c.syntax, {statement})});
  if (const auto error = set_aside())
    for (const auto& [name, range] : assigned(statement)) lose(name, range, *error, names_in(m_c.syntax, {statement}));
}

std::vector<std::pair<std::string, Range>> ModuleCompiler::assigned(const Statement& statement) const {
  std::vector<std::pair<std::string, Range>> names;
  for (const std::string& target : statement.targets) names.emplace_back(target, statement.range);
  if (statement.kind == StatementKind::define) names.emplace_back(m_c.function(statement).name, statement.range);
  if (statement.kind == StatementKind::expression && changes_object(m_c, statement.value))
    if (const std::string name = changed_name(m_c, statement.value); m_c.top->find(name))
      names.emplace_back(name, statement.range);
  for (const auto* inner : {&statement.body, &statement.otherwise})
    for (const Statement& one : *inner)
      for (auto& name : assigned(one)) names.push_back(std::move(name));
  return names;
}

void ModuleCompiler::lose(const std::string& name, Range range, const SourceError& error, std::set<std::string> uses) {
  leave_out({name}, error, *m_c.top);
  // An expression that uses the text's masks is most likely the mask: report why it fails, do not
  // fall back to one of its parts.
  if (std::ranges::any_of(m_candidates, [&](const Candidate& c) { return uses.contains(c.name); }))
    m_candidates.push_back({name, m_c.top->names[name], range, std::move(uses)});
}

std::optional<SourceError> ModuleCompiler::set_aside() {
  if (m_c.is_fatal) return std::nullopt;
  auto error = std::exchange(m_c.out.error, std::nullopt);
  if (error && !m_first_error) m_first_error = error;
  return error;
}

void ModuleCompiler::assignment(const Statement& statement) {
  if (assign_parameters(statement)) return;
  if (const ExpressionId mask = handed_over(statement.value); mask != no_expression) {
    hand_over(mask);
    return leave_out(statement.targets,
                     source_error(m_c.text, statement.range, "a block mask is not a value of the mask language"),
                     *m_c.top);
  }
  assign_names(m_c, statement, *m_c.top);
  const std::string& name = statement.targets.back();
  std::set<std::string> uses;
  add_names(m_c.syntax, statement.value, uses);
  if (const auto error = set_aside()) return lose(name, m_c.at(statement.value).range, *error, std::move(uses));
  const Value& value = m_c.top->names[name];
  if (!is_maskable(value)) return;
  m_candidates.push_back({name, value, m_c.at(statement.value).range, std::move(uses)});
}

bool ModuleCompiler::assign_parameters(const Statement& statement) {
  const Expression& value = m_c.at(statement.value);
  const bool is_text = value.kind == ExpressionKind::string && value.symbols.empty();
  if (is_text && statement.targets.size() == 1 && m_c.words.names.contains(statement.targets.front()) &&
      !m_c.top->names.contains(statement.targets.front())) {
    const std::string& name = statement.targets.front();
    m_c.top->names[name] = m_c.word_value(name, value.name, statement.range);
    return !m_c.failed();
  }
  if (statement.unpacks && (value.kind != ExpressionKind::tuple || value.operands.size() != statement.targets.size()))
    return false;
  std::vector<Value> parameters;
  for (std::size_t i = 0; i < statement.targets.size(); ++i) {
    const ExpressionId given = statement.unpacks ? value.operands[i] : statement.value;
    const bool is_flag = m_c.at(given).kind == ExpressionKind::boolean;
    const auto constant = is_flag ? std::optional(m_c.at(given).value) : constant_of(m_c.syntax, given);
    if (!constant || m_c.top->names.contains(statement.targets[i])) return false;
    std::string name = statement.targets[i];
    if (const auto point = name.rfind('.'); point != std::string::npos) name = name.substr(point + 1);
    parameters.push_back({.kind = Value::Kind::free_name, .name = name, .default_value = constant, .is_flag = is_flag});
  }
  for (std::size_t i = 0; i < statement.targets.size(); ++i) {
    // A name that is given a value is an integer, whatever the text assigns to it.
    m_c.top->names[statement.targets[i]] = parameters[i];
    (void)m_c.integer_parameter(parameters[i], statement.range);
  }
  return !m_c.failed();
}

void ModuleCompiler::expression_statement(const Statement& statement) {
  if (const ExpressionId mask = handed_over(statement.value); mask != no_expression) return hand_over(mask);
  if (changes_object(m_c, statement.value)) return change_object(m_c, statement.value, *m_c.top);
  m_c.result_range = m_c.at(statement.value).range;
  const Value value = compile_expression(m_c, statement.value, *m_c.top);
  const bool is_call =
      m_c.at(statement.value).kind == ExpressionKind::call && statement.kind == StatementKind::expression;
  // print(mask), flex_attention(...): an unknown function, and not a mask.
  if (m_c.failed() && is_call && is_foreign(m_c.at(m_c.at(statement.value).operands[0]))) return void(set_aside());
  if (m_c.failed()) return;
  const bool is_constant = value.kind == Value::Kind::node && !is_maskable(value);
  if (is_constant)
    m_constant = value;
  else if (value.kind != Value::Kind::callable || is_maskable(value))
    m_expression = {"", value, m_c.result_range, {}};
}

bool ModuleCompiler::is_foreign(const Expression& callee) const {
  if (callee.kind != ExpressionKind::name) return !is_function(callee.name);
  return !is_function(callee.name) && !m_c.top->find(callee.name);
}

void ModuleCompiler::definition(const Statement& statement) {
  define_function(m_c, statement, *m_c.top);
  const Function& defined = m_c.function(statement);
  if (!is_mask(m_c, defined) && !is_factory(m_c, defined)) return;
  std::erase_if(m_candidates, [&](const Candidate& c) { return c.name == defined.name; });
  m_candidates.push_back(
      {defined.name, m_c.top->names[defined.name], defined.range, names_in(m_c.syntax, defined.body)});
}

Compiled compile(std::string_view text, const Syntax& syntax, const Given& given, Index library) {
  return ModuleCompiler(text, syntax, given, library).run();
}

}  // namespace vqscope::language
