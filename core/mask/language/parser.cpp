// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/language/parser.h"

#include "core/base/text.h"
#include "core/mask/language/source_tokens.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace vqscope::language {
namespace {

using Kind = SourceTokenKind;

/// How tightly operators bind, as in Python; a comparison is looser than every operator on numbers.
enum Binding {
  loosest = 0,
  ternary,
  disjunction,
  conjunction,
  negation,
  comparison,
  bit_or,
  bit_xor,
  bit_and,
  shift,
  sum,
  product,
  unary,
  power
};

Binding binding_of(std::string_view symbol) {
  constexpr std::array<std::pair<std::string_view, Binding>, 11> all{{{"|", bit_or},
                                                                      {"^", bit_xor},
                                                                      {"&", bit_and},
                                                                      {"<<", shift},
                                                                      {">>", shift},
                                                                      {"+", sum},
                                                                      {"-", sum},
                                                                      {"*", product},
                                                                      {"//", product},
                                                                      {"%", product},
                                                                      {"**", power}}};
  const auto found = std::ranges::find(all, symbol, [](const auto& row) { return row.first; });
  return found == all.end() ? loosest : found->second;
}

bool is_comparison(std::string_view symbol) {
  constexpr std::array<std::string_view, 6> all{"<", "<=", ">", ">=", "==", "!="};
  return std::ranges::find(all, symbol) != all.end();
}

class Parser {
 public:
  explicit Parser(std::string_view text) : m_text(text) {
    for (const SourceToken& token : tokens(text))
      if (token.kind != Kind::comment) m_tokens.push_back(token);
    const auto size = static_cast<Index>(text.size());
    m_tokens.push_back({Kind::newline, {size, size}});
  }

  Parsed run() {
    if (m_text.size() > max_text) {
      fail({}, "the text has " + to_text(static_cast<Index>(m_text.size())) + " bytes, allowed are " +
                   to_text(static_cast<Index>(max_text)));
    } else {
      skip_newlines();
      if (!at_end()) m_parsed.syntax.statements = block(column());
      if (!at_end()) fail(here(), "this line is indented less than the first one");
      if (!failed() && m_parsed.syntax.statements.empty())
        fail({}, "there is no mask in the text; write an expression such as kv_idx <= q_idx");
    }
    return std::move(m_parsed);
  }

 private:
  Syntax& syntax() { return m_parsed.syntax; }
  const Expression& at(ExpressionId id) const { return m_parsed.syntax.at(id); }

  const SourceToken& token(std::size_t ahead = 0) const {
    return m_tokens[std::min(m_at + ahead, m_tokens.size() - 1)];
  }
  std::string_view word(std::size_t ahead = 0) const { return slice(token(ahead).range); }
  std::string_view slice(Range range) const {
    return m_text.substr(static_cast<std::size_t>(range.begin), static_cast<std::size_t>(range.size()));
  }
  Range here() const { return token().range; }
  bool at_end() const { return m_at + 1 >= m_tokens.size(); }
  bool at_newline() const { return token().kind == Kind::newline; }
  bool failed() const { return m_parsed.error.has_value(); }

  bool is_word(std::string_view wanted, std::size_t ahead = 0) const {
    const Kind kind = token(ahead).kind;
    return kind != Kind::string && kind != Kind::newline && word(ahead) == wanted;
  }
  bool is_name(std::size_t ahead = 0) const {
    const Kind kind = token(ahead).kind;
    return kind == Kind::name || kind == Kind::variable || kind == Kind::function;
  }
  bool accept(std::string_view wanted) {
    if (!is_word(wanted)) return false;
    ++m_at;
    return true;
  }

  /// The first error stays; nothing is left to read, so every loop ends.
  ExpressionId fail(Range range, std::string message) {
    if (!failed()) m_parsed.error = source_error(m_text, range, std::move(message));
    m_at = m_tokens.size() - 1;
    return no_expression;
  }

  std::string found() const {
    if (at_end()) return "the end of the text";
    if (at_newline()) return "the end of the line";
    return std::string(word().substr(0, 40));
  }

  bool expect(std::string_view wanted, std::string_view where) {
    if (accept(wanted)) return true;
    if (!failed()) fail(here(), "expected " + std::string(wanted) + " " + std::string(where) + ", found " + found());
    return false;
  }

  void close(std::string_view bracket, Range opened) {
    if (accept(bracket)) return;
    if (at_end())
      fail(opened, "nothing closes this " + std::string(slice(opened)));
    else
      fail(here(), "expected " + std::string(bracket) + " or an operator, found " + found());
  }

  // Statements.

  void skip_newlines() {
    while (at_newline() && !at_end()) ++m_at;
  }

  /// Of the line that the next token begins; a tab reaches to the next multiple of 8.
  Index column() const {
    const auto begin = static_cast<std::size_t>(here().begin);
    const auto line = m_text.substr(0, begin).rfind('\n') + 1;
    Index width = 0;
    for (const char c : m_text.substr(line, begin - line)) width = c == '\t' ? (width / 8 + 1) * 8 : width + 1;
    return width;
  }

  std::vector<Statement> block(Index indent) {
    std::vector<Statement> statements;
    const bool deep = ++m_nesting > max_nesting;
    if (deep) fail(here(), too_deep());
    for (skip_newlines(); !at_end() && column() >= indent; skip_newlines()) {
      if (column() > indent) {
        fail(here(), "this line is indented more than the one before, which opens no block");
        break;
      }
      line(statements);
    }
    --m_nesting;
    return statements;
  }

  static std::string too_deep() {
    return "nested more than " + to_text(Index{max_nesting}) + " deep; give parts a name of their own";
  }

  /// Statements with semicolons between them.
  void line(std::vector<Statement>& statements) {
    do {
      if (at_newline()) return;
      statement(statements);
      // A block has taken the ends of its lines.
      if (failed() || m_tokens[m_at - 1].kind == Kind::newline) return;
      if (!at_newline()) fail(here(), "expected an operator or the end of the line, found " + found());
    } while (!failed() && !at_end() && word() == ";" && ++m_at > 0);
  }

  void statement(std::vector<Statement>& statements) {
    const Range begin = here();
    if (token().kind == Kind::keyword) {
      if (is_word("def")) return define(statements);
      if (is_word("import") || is_word("from")) return skip_line();
      if (is_word("pass")) return void(++m_at);
      if (accept("return")) {
        const ExpressionId value = at_newline() ? no_expression : list();
        if (value == no_expression && !failed())
          fail(begin, "return gives nothing back; write return and an expression");
        statements.push_back({.kind = StatementKind::give_back, .range = begin, .value = value});
        return;
      }
      if (const auto advice = no_statement(); !advice.empty()) return void(fail(begin, advice));
    }
    if (is_word("@")) return void(fail(begin, "decorators are not part of the mask language; leave the line out"));
    if (token().kind == Kind::string && token(1).kind == Kind::newline) return void(++m_at);
    if (is_name() && is_word(".", 1) && is_word("__name__", 2)) return skip_line();
    if (is_name() && is_word(":", 1)) return annotated(statements);
    assignment_or_expression(statements);
  }

  void skip_line() {
    while (!at_newline()) ++m_at;
  }

  std::string no_statement() const {
    if (is_word("if") || is_word("elif") || is_word("else"))
      return "if statements are not part of the mask language; write x if condition else y, or "
             "torch.where(condition, x, y)";
    for (const char* name : {"for", "while", "break", "continue"})
      if (is_word(name))
        return "loops are not part of the mask language; a mask says for one (q_idx, kv_idx) what holds";
    for (const char* name : {"class", "with", "try", "except", "finally", "raise", "assert", "global", "nonlocal",
                             "del", "yield", "async", "await"})
      if (is_word(name))
        return std::string(name) +
               " is not part of the mask language; statements are assignments, def, return and a final expression";
    return {};
  }

  void annotated(std::vector<Statement>& statements) {
    const Range begin = here();
    const std::string name(word());
    m_at += 2;
    skip_annotation({});
    if (at_newline()) return;
    if (!expect("=", "after the annotation")) return;
    statements.push_back({.kind = StatementKind::assign, .range = begin, .targets = {name}, .value = list()});
  }

  void assignment_or_expression(std::vector<Statement>& statements) {
    const Range begin = here();
    ExpressionId value = list();
    std::vector<Statement> targets;
    while (!failed() && is_word("=")) {
      Statement target{.kind = StatementKind::assign, .range = begin};
      if (!read_targets(value, target)) return;
      ++m_at;
      targets.push_back(std::move(target));
      value = list();
    }
    if (!failed() && token().kind == Kind::symbol && word().size() >= 2 && word().ends_with("=") &&
        !is_comparison(word()) && word() != ":=") {
      augmented(statements, begin, value);
      return;
    }
    if (!failed() && is_word(":="))
      return void(fail(here(), ":= is not part of the mask language; assign on a line of its own"));
    if (failed()) return;
    for (Statement& target : targets) {
      target.value = value;
      statements.push_back(std::move(target));
    }
    if (targets.empty()) statements.push_back({.range = begin, .value = value});
  }

  /// x += y as x = x + y.
  void augmented(std::vector<Statement>& statements, Range begin, ExpressionId target) {
    const Range symbol = here();
    const std::string operation(word().substr(0, word().size() - 1));
    if (at(target).kind != ExpressionKind::name) return void(fail(begin, "only a name can be assigned to"));
    if (binding_of(operation) == loosest) return void(fail(symbol, division_advice(operation + "=")));
    ++m_at;
    const std::string name = at(target).name;
    const ExpressionId value = list();
    if (failed()) return;
    statements.push_back({.kind = StatementKind::assign,
                          .range = begin,
                          .targets = {name},
                          .value = add({.kind = ExpressionKind::binary,
                                        .range = {begin.begin, at(value).outer.end},
                                        .name = operation,
                                        .operands = {target, value}})});
  }

  bool read_targets(ExpressionId value, Statement& statement) {
    const Expression& left = at(value);
    statement.unpacks = left.kind == ExpressionKind::tuple;
    const std::vector<ExpressionId> all = statement.unpacks ? left.operands : std::vector<ExpressionId>{value};
    for (const ExpressionId id : all) {
      if (at(id).kind != ExpressionKind::name) {
        fail(at(id).range, "only names can be assigned to, found " + std::string(slice(at(id).range).substr(0, 60)));
        return false;
      }
      statement.targets.push_back(at(id).name);
    }
    return true;
  }

  void define(std::vector<Statement>& statements) {
    const Range begin = here();
    ++m_at;
    Function function;
    function.range = here();
    function.name = std::string(word());
    if (!is_name()) return void(fail(here(), "expected a name after def, found " + found()));
    ++m_at;
    const Range opened = here();
    if (!expect("(", "after the name of the function")) return;
    function.parameters = parameters(")", true);
    if (failed()) return;
    close(")", opened);
    if (accept("->")) skip_annotation(":");
    if (!expect(":", "after the parameters")) return;
    const Index outer = column_of_line(begin);
    if (!at_newline()) {
      line(function.body);
    } else {
      skip_newlines();
      const Index inner = at_end() ? outer : column();
      if (inner <= outer && !failed())
        return void(fail(function.range, "the body of " + function.name + " is missing"));
      function.body = block(inner);
    }
    statements.push_back({.kind = StatementKind::define,
                          .range = begin,
                          .function = static_cast<std::int32_t>(syntax().functions.size())});
    syntax().functions.push_back(std::move(function));
  }

  /// Where the line of `range` begins to hold something.
  Index column_of_line(Range range) const {
    const auto begin = m_text.substr(0, static_cast<std::size_t>(range.begin)).rfind('\n') + 1;
    Index width = 0;
    for (const char c : m_text.substr(begin)) {
      if (c != ' ' && c != '\t') break;
      width = c == '\t' ? (width / 8 + 1) * 8 : width + 1;
    }
    return width;
  }

  std::vector<Parameter> parameters(std::string_view end, bool annotated) {
    std::vector<Parameter> found_parameters;
    while (!failed() && !is_word(end)) {
      if (is_word("*") || is_word("**") || is_word("/")) {
        fail(here(), "parameters are plain names, found " + found());
        break;
      }
      if (!is_name()) {
        fail(here(), "expected the name of a parameter, found " + found());
        break;
      }
      Parameter parameter{std::string(word()), here()};
      ++m_at;
      if (annotated && accept(":")) skip_annotation(")");
      if (accept("=")) parameter.fallback = expression(ternary);
      found_parameters.push_back(std::move(parameter));
      if (!accept(",")) break;
    }
    return found_parameters;
  }

  /// A type: everything up to a comma, = or `end` outside brackets of its own.
  void skip_annotation(std::string_view end) {
    int depth = 0;
    for (; !at_newline(); ++m_at) {
      if (depth == 0 && (is_word("=") || (!end.empty() && (is_word(end) || (end == ")" && is_word(",")))))) return;
      if (is_word("(") || is_word("[")) ++depth;
      if (is_word(")") || is_word("]")) --depth;
    }
  }

  // Expressions.

  ExpressionId add(Expression expression) {
    if (failed()) return no_expression;
    for (const ExpressionId id : expression.operands) expression.depth = std::max(expression.depth, at(id).depth + 1);
    if (expression.depth > max_depth)
      return fail(expression.range, "more than " + to_text(Index{max_depth}) +
                                        " operators hang on one another; give parts a name of their own");
    expression.outer = expression.range;
    syntax().expressions.push_back(std::move(expression));
    return static_cast<ExpressionId>(syntax().expressions.size()) - 1;
  }

  Range spanning(ExpressionId first, ExpressionId last) const {
    return first < 0 || last < 0 ? Range{} : Range{at(first).outer.begin, at(last).outer.end};
  }

  /// Expressions with commas between them are a tuple.
  ExpressionId list() {
    const ExpressionId first = expression(ternary);
    if (failed() || !is_word(",")) return first;
    Expression tuple{.kind = ExpressionKind::tuple, .operands = {first}};
    while (accept(",") && !at_newline() && !is_word(")") && !is_word("=") && !failed())
      tuple.operands.push_back(expression(ternary));
    if (failed()) return no_expression;
    tuple.range = spanning(tuple.operands.front(), tuple.operands.back());
    return add(std::move(tuple));
  }

  ExpressionId expression(Binding least) {
    if (++m_nesting > max_nesting) fail(here(), too_deep());
    ExpressionId left = failed() ? no_expression : prefix(least);
    while (!failed()) {
      const ExpressionId joined = infix(left, least);
      if (joined == left) break;
      left = joined;
    }
    --m_nesting;
    return failed() ? no_expression : left;
  }

  ExpressionId prefix(Binding least) {
    const Range begin = here();
    if (is_word("not") && least <= negation) {
      ++m_at;
      const ExpressionId operand = expression(negation);
      return failed() ? no_expression
                      : add({.kind = ExpressionKind::negation,
                             .range = {begin.begin, at(operand).outer.end},
                             .operands = {operand}});
    }
    if (is_word("lambda") && least <= ternary) return lambda();
    if (is_word("-") || is_word("+") || is_word("~")) {
      const std::string symbol(word());
      ++m_at;
      const ExpressionId operand = expression(unary);
      return failed() ? no_expression
                      : add({.kind = ExpressionKind::unary,
                             .range = {begin.begin, at(operand).outer.end},
                             .name = symbol,
                             .operands = {operand}});
    }
    return postfix(atom());
  }

  ExpressionId infix(ExpressionId left, Binding least) {
    if (least <= ternary && is_word("if")) return conditional(left);
    if (least <= disjunction && is_word("or")) return junction(left, "or", ExpressionKind::disjunction, conjunction);
    if (least <= conjunction && is_word("and")) return junction(left, "and", ExpressionKind::conjunction, negation);
    if (token().kind == Kind::keyword && (is_word("is") || is_word("in")) && least <= comparison)
      return fail(here(), std::string(word()) + " is not part of the mask language; compare with == or !=");
    if (token().kind != Kind::symbol) return left;
    const std::string symbol(word());
    if (least <= comparison && is_comparison(symbol)) return chain(left);
    if (symbol == "/" || symbol == "@") return fail(here(), division_advice(symbol));
    const Binding binds = binding_of(symbol);
    if (binds == loosest || binds < least) return left;
    // ** binds tighter than a sign on its left, looser than one on its right, and groups to the right.
    ++m_at;
    const ExpressionId right = expression(binds == power ? unary : static_cast<Binding>(binds + 1));
    if (failed()) return no_expression;
    return add(
        {.kind = ExpressionKind::binary, .range = spanning(left, right), .name = symbol, .operands = {left, right}});
  }

  static std::string division_advice(const std::string& symbol) {
    if (symbol.starts_with("/"))
      return symbol + " gives fractions, which are not part of the mask language; write // to divide and round down";
    return symbol + " is not part of the mask language";
  }

  ExpressionId conditional(ExpressionId chosen) {
    ++m_at;
    const ExpressionId condition = expression(disjunction);
    if (failed() || !expect("else", "after x if condition")) return no_expression;
    const ExpressionId other = expression(ternary);
    if (failed()) return no_expression;
    return add(
        {.kind = ExpressionKind::ternary, .range = spanning(chosen, other), .operands = {condition, chosen, other}});
  }

  ExpressionId junction(ExpressionId left, std::string_view keyword, ExpressionKind kind, Binding operand) {
    Expression all{.kind = kind, .name = std::string(keyword), .operands = {left}};
    while (accept(keyword) && !failed()) all.operands.push_back(expression(operand));
    if (failed()) return no_expression;
    all.range = spanning(left, all.operands.back());
    return add(std::move(all));
  }

  ExpressionId chain(ExpressionId left) {
    Expression compared{.kind = ExpressionKind::compare, .operands = {left}};
    Range first_symbol = here();
    while (!failed() && token().kind == Kind::symbol && is_comparison(word())) {
      compared.symbols.emplace_back(word());
      ++m_at;
      compared.operands.push_back(expression(bit_or));
    }
    if (failed()) return no_expression;
    compared.range = spanning(left, compared.operands.back());
    warn_of_mixed(compared, first_symbol);
    return add(std::move(compared));
  }

  bool is_loose(ExpressionId id) const {
    const Expression& e = at(id);
    return e.kind == ExpressionKind::binary && !e.parenthesised && (e.name == "&" || e.name == "|" || e.name == "^");
  }

  std::string text_of(ExpressionId id) const { return std::string(slice(at(id).outer)); }

  /// q_idx >= kv_idx & x == y compares q_idx with kv_idx & x: rarely what is meant.
  void warn_of_mixed(const Expression& compared, Range symbol) {
    const auto mixed = std::ranges::find_if(compared.operands, [&](ExpressionId id) { return is_loose(id); });
    if (mixed == compared.operands.end()) return;
    std::string reading;
    std::string meant = "(";
    for (std::size_t i = 0; i < compared.operands.size(); ++i) {
      const ExpressionId id = compared.operands[i];
      const std::string before = i == 0 ? "" : " " + compared.symbols[i - 1] + " ";
      reading += before + (is_loose(id) ? "(" + text_of(id) + ")" : text_of(id));
      meant += before;
      meant += is_loose(id) ? text_of(at(id).operands[0]) + ") " + at(id).name + " (" + text_of(at(id).operands[1])
                            : text_of(id);
    }
    const std::string& loose = at(*mixed).name;
    m_parsed.warnings.push_back(source_error(m_text, at(*mixed).range,
                                             loose + " binds tighter than " + std::string(slice(symbol)) +
                                                 ", as in Python: this is " + reading + "; write it so, or write " +
                                                 meant + ")"));
  }

  ExpressionId lambda() {
    const Range begin = here();
    ++m_at;
    Function function{.name = "lambda", .range = begin};
    function.parameters = parameters(":", false);
    if (failed() || !expect(":", "after the parameters of lambda")) return no_expression;
    const ExpressionId value = expression(ternary);
    if (failed()) return no_expression;
    const Range range{begin.begin, at(value).outer.end};
    function.body.push_back({.kind = StatementKind::give_back, .range = at(value).range, .value = value});
    const auto index = static_cast<Index>(syntax().functions.size());
    syntax().functions.push_back(std::move(function));
    return add({.kind = ExpressionKind::lambda, .range = range, .value = index, .operands = {value}});
  }

  ExpressionId atom() {
    const Range range = here();
    switch (token().kind) {
      case Kind::number: return number();
      case Kind::string: ++m_at; return add({.kind = ExpressionKind::string, .range = range});
      case Kind::name:
      case Kind::variable:
      case Kind::function: {
        std::string name(word());
        ++m_at;
        return add({.kind = ExpressionKind::name, .range = range, .name = std::move(name)});
      }
      default: break;
    }
    if (is_word("True") || is_word("False")) {
      const Index value = is_word("True") ? 1 : 0;
      ++m_at;
      return add({.kind = ExpressionKind::boolean, .range = range, .value = value});
    }
    if (accept("(")) return parenthesised(range);
    return fail(range, "expected " + std::string(advice()) + ", found " + found());
  }

  std::string_view advice() const {
    if (is_word("[") || is_word("{"))
      return "a name, a number or (: lists are not part of the mask language, leave an array's name free and give its "
             "values beside the text";
    return "a name, a number or (";
  }

  ExpressionId parenthesised(Range opened) {
    if (is_word(")")) return fail(opened, "there is nothing between these parentheses");
    const ExpressionId inner = list();
    close(")", opened);
    if (failed()) return no_expression;
    Expression& wrapped = syntax().expressions[static_cast<std::size_t>(inner)];
    wrapped.parenthesised = true;
    wrapped.outer = {opened.begin, m_tokens[m_at - 1].range.end};
    return inner;
  }

  ExpressionId number() {
    const Range range = here();
    std::string digits(word());
    ++m_at;
    int base = 10;
    if (digits.size() > 1 && digits[0] == '0') {
      const char letter = static_cast<char>(digits[1] | 0x20);
      base = letter == 'x' ? 16 : letter == 'o' ? 8 : letter == 'b' ? 2 : 10;
    }
    const std::string body = base == 10 ? digits : digits.substr(2);
    const bool misplaced = body.empty() || body.back() == '_' || (base == 10 && body.front() == '_') ||
                           body.find("__") != std::string::npos;
    std::string plain = body;
    std::erase(plain, '_');
    Index value = 0;
    const auto [end, code] = std::from_chars(plain.data(), plain.data() + plain.size(), value, base);
    const bool whole = end == plain.data() + plain.size();
    if (whole && code == std::errc::result_out_of_range)
      return fail(range, digits.substr(0, 40) + " is too large; integers have 64 bits, up to 9223372036854775807");
    if (misplaced || !whole || code != std::errc())
      return fail(range, digits.substr(0, 40) + " is no integer; write digits such as 512, 1_024, 0x1f, 0o17 or 0b101");
    if (base == 10 && plain.size() > 1 && plain[0] == '0' && value != 0)
      return fail(range,
                  digits.substr(0, 40) + " has leading zeros; write 0o for octal digits, or leave the zeros out");
    return add({.kind = ExpressionKind::integer, .range = range, .value = value});
  }

  ExpressionId postfix(ExpressionId value) {
    while (!failed()) {
      const Range opened = here();
      if (accept("(")) {
        value = call(value, opened);
      } else if (accept("[")) {
        value = subscript(value, opened);
      } else if (accept(".")) {
        if (!is_name() && token().kind != Kind::keyword)
          return fail(here(), "expected a name after ., found " + found());
        const Range range{at(value).outer.begin, here().end};
        std::string name(word());
        ++m_at;
        value = add({.kind = ExpressionKind::attribute, .range = range, .name = std::move(name), .operands = {value}});
      } else {
        break;
      }
    }
    return value;
  }

  /// From the start of `value` to the token before the next.
  Range through_last(ExpressionId value) const { return {at(value).outer.begin, m_tokens[m_at - 1].range.end}; }

  ExpressionId call(ExpressionId callee, Range opened) {
    Expression made{.kind = ExpressionKind::call, .operands = {callee}};
    while (!failed() && !is_word(")")) {
      std::string keyword;
      if (is_word("*") || is_word("**")) return fail(here(), "arguments are written one by one, found " + found());
      if ((is_name() || token().kind == Kind::keyword) && is_word("=", 1)) {
        keyword = std::string(word());
        m_at += 2;
      }
      made.keywords.push_back(std::move(keyword));
      made.operands.push_back(expression(ternary));
      if (!accept(",")) break;
    }
    if (failed()) return no_expression;
    close(")", opened);
    if (failed()) return no_expression;
    made.range = through_last(callee);
    return add(std::move(made));
  }

  ExpressionId subscript(ExpressionId array, Range opened) {
    Expression made{.kind = ExpressionKind::index, .operands = {array}};
    while (!failed() && !is_word("]")) {
      if (is_word(":")) return fail(here(), "slices are not part of the mask language; index with an integer");
      made.operands.push_back(expression(ternary));
      if (is_word(":")) return fail(here(), "slices are not part of the mask language; index with an integer");
      if (!accept(",")) break;
    }
    if (failed()) return no_expression;
    close("]", opened);
    if (failed()) return no_expression;
    if (made.operands.size() < 2) return fail(opened, "there is no index between these brackets");
    made.range = through_last(array);
    return add(std::move(made));
  }

  std::string_view m_text;
  std::vector<SourceToken> m_tokens;
  std::size_t m_at = 0;
  int m_nesting = 0;
  Parsed m_parsed;
};

}  // namespace

Parsed parse(std::string_view text) { return Parser(text).run(); }

}  // namespace vqscope::language
