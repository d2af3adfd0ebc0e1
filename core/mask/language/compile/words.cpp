// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/language/compile/words.h"

#include <algorithm>
#include <cctype>
#include <initializer_list>

namespace vqscope::language {
namespace {

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> all) {
  return std::ranges::find(all, word) != all.end();
}

/// The last part of a name, of self.style and of style.lower(); null: another expression.
const std::string* name_of(const Syntax& syntax, ExpressionId id) {
  const Expression& e = syntax.at(id);
  if (e.kind == ExpressionKind::name || e.kind == ExpressionKind::attribute) return &e.name;
  if (e.kind != ExpressionKind::call) return nullptr;
  const Expression& callee = syntax.at(e.operands[0]);
  const bool is_text_method =
      callee.kind == ExpressionKind::attribute && is_one_of(callee.name, {"lower", "upper", "strip", "casefold"});
  return is_text_method ? name_of(syntax, callee.operands[0]) : nullptr;
}

/// AttentionStyle.PAIR: a class, whose name has small letters, and a constant of it.
bool looks_like_member(const Syntax& syntax, const Expression& e) {
  if (e.kind != ExpressionKind::attribute) return false;
  const Expression& owner = syntax.at(e.operands[0]);
  if (owner.kind != ExpressionKind::name || owner.name.empty()) return false;
  const auto is_upper = [](unsigned char c) { return std::isupper(c) != 0; };
  const auto is_lower = [](unsigned char c) { return std::islower(c) != 0; };
  return is_upper(static_cast<unsigned char>(owner.name.front())) && std::ranges::any_of(owner.name, is_lower) &&
         std::ranges::any_of(e.name, is_upper) && std::ranges::none_of(e.name, is_lower);
}

class Scan {
 public:
  explicit Scan(const Syntax& syntax) : m_syntax(syntax) {}

  Words run() {
    for (const Function& function : m_syntax.functions)
      for (const Parameter& parameter : function.parameters)
        if (parameter.type == "float" || is_real(parameter.default_value)) m_reals.insert(parameter.name);
    // What an enum is has to be known before its members are collected.
    for (const Expression& e : m_syntax.expressions) enums_of(e);
    for (const Expression& e : m_syntax.expressions) expression(e);
    statements(m_syntax.statements);
    for (const Function& function : m_syntax.functions) statements(function.body);
    members();
    for (const std::string& name : m_numbers) m_words.truths.erase(name);
    return std::move(m_words);
  }

 private:
  bool is_real(ExpressionId id) const { return id != no_expression && m_syntax.at(id).kind == ExpressionKind::real; }

  /// Calls visit(name, other) for a name and each value that it is compared with.
  template <class Visit>
  void for_each_comparison(const Expression& e, const Visit& visit) const {
    if (e.kind != ExpressionKind::compare) return;
    for (std::size_t i = 0; i < e.symbols.size(); ++i) {
      const ExpressionId left = e.operands[i], right = e.operands[i + 1];
      const Expression& list = m_syntax.at(right);
      const bool is_list = list.kind == ExpressionKind::tuple || list.kind == ExpressionKind::set;
      if (is_one_of(e.symbols[i], {"in", "not in"}) && is_list) {
        for (const ExpressionId item : list.operands) visit(left, item);
        continue;
      }
      visit(left, right);
      visit(right, left);
    }
  }

  void enums_of(const Expression& e) {
    for_each_comparison(e, [&](ExpressionId id, ExpressionId other) {
      const Expression& member = m_syntax.at(other);
      if (!name_of(m_syntax, id) || looks_like_member(m_syntax, m_syntax.at(id))) return;
      if (looks_like_member(m_syntax, member)) m_words.enums.insert(m_syntax.at(member.operands[0]).name);
    });
  }

  void expression(const Expression& e) {
    for_each_comparison(e, [&](ExpressionId id, ExpressionId other) {
      const std::string* name = name_of(m_syntax, id);
      if (!name || enum_member(m_words, m_syntax, m_syntax.at(id))) return;
      const Expression& value = m_syntax.at(other);
      if (value.kind == ExpressionKind::string && value.symbols.empty()) add(*name, value.name);
      if (const std::string* member = enum_member(m_words, m_syntax, value)) {
        add(*name, *member);
        m_of_enum[*name] = m_syntax.at(value.operands[0]).name;
      }
      if (is_real(other) || m_reals.contains(*name)) m_words.names[*name];
      if (value.kind != ExpressionKind::boolean && value.kind != ExpressionKind::nothing) m_numbers.insert(*name);
    });
    if (e.kind == ExpressionKind::binary)
      for (const ExpressionId id : e.operands)
        if (const std::string* name = name_of(m_syntax, id)) {
          m_numbers.insert(*name);
          if (m_reals.contains(*name)) m_words.names[*name];
        }
    if (e.kind == ExpressionKind::call) call(e);
    if (e.kind == ExpressionKind::negation || e.kind == ExpressionKind::ternary) add_truth(e.operands[0]);
    if (e.kind == ExpressionKind::conjunction || e.kind == ExpressionKind::disjunction)
      for (const ExpressionId id : e.operands) add_truth(id);
  }

  /// style.startswith("pair"), isinstance(style, str)
  void call(const Expression& e) {
    const Expression& callee = m_syntax.at(e.operands[0]);
    if (callee.kind == ExpressionKind::attribute && is_one_of(callee.name, {"startswith", "endswith"}) &&
        e.operands.size() == 2 && m_syntax.at(e.operands[1]).kind == ExpressionKind::string)
      if (const std::string* name = name_of(m_syntax, callee.operands[0])) add(*name, m_syntax.at(e.operands[1]).name);
    const bool is_type_test = callee.name == "isinstance" && e.operands.size() == 3;
    if (is_type_test && m_syntax.at(e.operands[2]).name == "str")
      if (const std::string* name = name_of(m_syntax, e.operands[1])) m_words.names[*name];
  }

  void statements(const std::vector<Statement>& all) {
    for (const Statement& statement : all) {
      const bool is_condition = statement.kind == StatementKind::choose || statement.kind == StatementKind::require ||
                                (statement.kind == StatementKind::repeat && statement.targets.empty());
      if (is_condition) add_truth(statement.value);
      statements(statement.body);
      statements(statement.otherwise);
    }
  }

  void add_truth(ExpressionId id) {
    if (id == no_expression) return;
    const Expression& e = m_syntax.at(id);
    if (e.kind == ExpressionKind::name || e.kind == ExpressionKind::attribute) m_words.truths.insert(e.name);
  }

  void add(const std::string& name, const std::string& text) {
    auto& texts = m_words.names[name];
    if (std::ranges::find(texts, text) == texts.end()) texts.push_back(text);
  }

  /// All members of an enum that the text names are values of what is compared with one of them.
  void members() {
    for (const auto& [name, owner] : m_of_enum)
      for (const Expression& e : m_syntax.expressions)
        if (const std::string* member = enum_member(m_words, m_syntax, e);
            member && m_syntax.at(e.operands[0]).name == owner)
          add(name, *member);
  }

  const Syntax& m_syntax;
  Words m_words;
  std::set<std::string> m_reals;    ///< parameters with a fraction as their type or default
  std::set<std::string> m_numbers;  ///< names that are computed with
  std::map<std::string, std::string> m_of_enum;
};

}  // namespace

Words words_in(const Syntax& syntax) { return Scan(syntax).run(); }

const std::string* enum_member(const Words& words, const Syntax& syntax, const Expression& e) {
  const bool is_member = looks_like_member(syntax, e) && words.enums.contains(syntax.at(e.operands[0]).name);
  return is_member ? &e.name : nullptr;
}

std::optional<std::pair<Index, Index>> decimal_fraction(std::string_view text) {
  const bool is_negative = text.starts_with('-');
  if (is_negative) text.remove_prefix(1);
  constexpr std::size_t most_digits = 17;
  if (text.size() > most_digits || text.find('.') == std::string_view::npos) return std::nullopt;
  Index above = 0;
  Index below = 1;
  bool behind = false;
  int digits = 0;
  for (const char c : text) {
    if (c == '.' && !behind) {
      behind = true;
      continue;
    }
    if (c < '0' || c > '9') return std::nullopt;
    ++digits;
    above = 10 * above + (c - '0');
    if (behind) below *= 10;
  }
  if (digits == 0) return std::nullopt;
  return std::pair(is_negative ? -above : above, below);
}

}  // namespace vqscope::language
