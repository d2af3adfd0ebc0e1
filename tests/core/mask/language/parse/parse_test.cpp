// SPDX-License-Identifier: GPL-3.0-or-later
// The trees of mask texts, written out with every pair of parentheses.
#include "core/mask/language/parse/parse.h"

#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::language;
using namespace vqscope::test;

namespace {

std::string written(const Syntax& syntax, ExpressionId id);

std::string joined(const Syntax& syntax, const std::vector<ExpressionId>& operands, std::size_t from,
                   const std::string& between) {
  std::string all;
  for (std::size_t i = from; i < operands.size(); ++i) all += (i > from ? between : "") + written(syntax, operands[i]);
  return all;
}

std::string written(const Syntax& syntax, ExpressionId id) {
  const Expression& e = syntax.at(id);
  switch (e.kind) {
    case ExpressionKind::integer: return std::to_string(e.value);
    case ExpressionKind::boolean: return e.value != 0 ? "True" : "False";
    case ExpressionKind::real: return std::to_string(e.value) + ":" + std::to_string(e.denominator);
    case ExpressionKind::name: return e.name;
    case ExpressionKind::nothing: return "None";
    case ExpressionKind::unary: return "(" + e.name + written(syntax, e.operands[0]) + ")";
    case ExpressionKind::negation: return "(not " + written(syntax, e.operands[0]) + ")";
    case ExpressionKind::binary: return "(" + joined(syntax, e.operands, 0, " " + e.name + " ") + ")";
    case ExpressionKind::conjunction: return "(" + joined(syntax, e.operands, 0, " and ") + ")";
    case ExpressionKind::disjunction: return "(" + joined(syntax, e.operands, 0, " or ") + ")";
    case ExpressionKind::compare: {
      std::string all = "(" + written(syntax, e.operands[0]);
      for (std::size_t i = 0; i < e.symbols.size(); ++i)
        all += " " + e.symbols[i] + " " + written(syntax, e.operands[i + 1]);
      return all + ")";
    }
    case ExpressionKind::ternary:
      return "(" + written(syntax, e.operands[1]) + " if " + written(syntax, e.operands[0]) + " else " +
             written(syntax, e.operands[2]) + ")";
    case ExpressionKind::attribute: return written(syntax, e.operands[0]) + "." + e.name;
    case ExpressionKind::call: return written(syntax, e.operands[0]) + "(" + joined(syntax, e.operands, 1, ", ") + ")";
    case ExpressionKind::index: return written(syntax, e.operands[0]) + "[" + joined(syntax, e.operands, 1, ", ") + "]";
    case ExpressionKind::tuple: return "<" + joined(syntax, e.operands, 0, ", ") + ">";
    default: return "?";
  }
}

/// The tree of a text that is one expression, or why it is none.
std::string tree_of(const std::string& text) {
  const Parsed parsed = parse(text);
  if (parsed.error) return parsed.error->message;
  return parsed.syntax.statements.size() == 1 ? written(parsed.syntax, parsed.syntax.statements[0].value) : "several";
}

std::string statements_of(const std::vector<Statement>& all, const Syntax& syntax) {
  std::string made;
  for (const Statement& s : all) {
    made += made.empty() ? "" : "; ";
    for (const std::string& target : s.targets) made += target + (s.unpacks ? ", = " : " = ");
    if (s.kind == StatementKind::give_back) made += "return ";
    if (s.kind == StatementKind::define) made += "def " + syntax.functions[static_cast<std::size_t>(s.function)].name;
    if (s.kind == StatementKind::choose) made += "if ";
    if (s.kind == StatementKind::repeat) made += "in ";
    if (s.value != no_expression) made += written(syntax, s.value);
    if (!s.body.empty()) made += " {" + statements_of(s.body, syntax) + "}";
    if (!s.otherwise.empty()) made += " else {" + statements_of(s.otherwise, syntax) + "}";
  }
  return made;
}

std::string statements_of(const std::string& text) {
  const Parsed parsed = parse(text);
  return parsed.error ? parsed.error->message : statements_of(parsed.syntax.statements, parsed.syntax);
}

}  // namespace

class ParseTest : public test::TestCase {
  Q_OBJECT

 private slots:
  /// As Python groups them.
  void operators_group_as_in_python() {
    const std::vector<std::pair<std::string, std::string>> examples{
        {"a + b * c", "(a + (b * c))"},
        {"a - b - c", "((a - b) - c)"},
        {"a ** b ** c", "(a ** (b ** c))"},
        {"-a ** b", "(-(a ** b))"},
        {"a ** -b", "(a ** (-b))"},
        {"a | b ^ c & d", "(a | (b ^ (c & d)))"},
        {"a << b + c", "(a << (b + c))"},
        {"a < b & c", "(a < (b & c))"},
        {"a < b <= c", "(a < b <= c)"},
        {"not a == b", "(not (a == b))"},
        {"a or b and not c", "(a or (b and (not c)))"},
        {"a if b else c if d else e", "(a if b else (c if d else e))"},
        {"a is not b", "(a is not b)"},
        {"a not in b", "(a not in b)"},
        {"~a & b", "((~a) & b)"},
        {"f(a)[b].c(d)", "f(a)[b].c(d)"},
        {"-f(a) // 2 % 3", "(((-f(a)) // 2) % 3)"},
        {"a, b + 1", "<a, (b + 1)>"},
        {"(a + b) * c", "((a + b) * c)"},
        {"x[a, b + 1]", "x[a, (b + 1)]"},
        {"0.25 + 1.5e1", "(1:4 + 15:1)"},
    };
    for (const auto& [text, tree] : examples) COMPARE_TEXT(tree_of(text), tree);
  }

  void statements_by_hand() {
    COMPARE_TEXT(statements_of("x = 1\nreturn x < 2"), "x = 1; return (x < 2)");
    COMPARE_TEXT(statements_of("a, b = c\na"), "a, = b, = c; a");
    COMPARE_TEXT(statements_of("x += 2; x"), "x = (x + 2); x");
    COMPARE_TEXT(statements_of("x //= y * 2\nx"), "x = (x // (y * 2)); x");
    COMPARE_TEXT(statements_of("if a:\n  x = 1\nelif b:\n  x = 2\nelse:\n  x = 3\nx"),
                 "if a {x = 1} else {if b {x = 2} else {x = 3}}; x");
    COMPARE_TEXT(statements_of("for i in y: x = i\nx"), "i = in y {x = i}; x");
    COMPARE_TEXT(statements_of("def f(a):\n  return a\nf"), "def f; f");
    COMPARE_TEXT(statements_of("import torch\nfrom a import b\npass\na"), "a");
  }

  void a_match_is_a_chain_of_ifs() {
    COMPARE_TEXT(statements_of("match a:\n  case 1 | (2 | -3): x = 1\n  case None:\n    x = 2\n  case _: x = 3\nx"),
                 "if ((a == 1) or ((a == 2) or (a == (-3)))) {x = 1} else {if (a is None) {x = 2} else {x = 3}}; x");
    COMPARE_TEXT(statements_of("match (a, b):\n  case (1, True): x = 1\n  case (_, S.X) if c: x = 2\nx"),
                 "if ((a == 1) and (b == True)) {x = 1} else {if ((b == S.X) and c) {x = 2}}; x");
    COMPARE_TEXT(statements_of("match a:\n  case n if n > 2: x = n\n  case n: x = 0\nx"),
                 "n = a; if (n > 2) {x = n} else {n = a; x = 0}; x");
    COMPARE_TEXT(statements_of("match = 1\nmatch(match)"), "match = 1; match(match)");
  }

  /// Of `if`, whatever blanks, comments and continued lines stand between.
  void layout_does_not_change_the_tree() {
    const std::string plain = statements_of("if a:\n  x = (b + c)\n  y = 2\nx");
    for (const char* text : {"if a:\n\tx = (b + c)\n\ty = 2\nx", "if a:\n\n  # why\n  x = (b +\n c)\n  y = 2\n\nx\n\n",
                             "if a: x = (b + c); y = 2\nx", "if a:\n        x = (b \\\n + c)\n        y = 2\nx",
                             "\n\n  if a:\n    x = (b + c)\n    y = 2\n  x\n"})
      COMPARE_TEXT(statements_of(text), plain);
  }

  void ranges_cover_the_source_bytes() {
    const std::string text = "x = 3\n(a + b) * c < f(d)";
    const Parsed parsed = parse(text);
    QVERIFY(!parsed.error);
    const auto slice = [&](Range range) {
      return text.substr(static_cast<std::size_t>(range.begin), static_cast<std::size_t>(range.size()));
    };
    const Expression& compared = parsed.syntax.at(parsed.syntax.statements[1].value);
    COMPARE_TEXT(slice(compared.range), "(a + b) * c < f(d)");
    const Expression& product = parsed.syntax.at(compared.operands[0]);
    COMPARE_TEXT(slice(product.range), "(a + b) * c");
    COMPARE_TEXT(slice(parsed.syntax.at(product.operands[0]).range), "a + b");
    COMPARE_TEXT(slice(parsed.syntax.at(product.operands[0]).outer), "(a + b)");
    COMPARE_TEXT(slice(parsed.syntax.at(compared.operands[1]).range), "f(d)");
  }

  void deep_and_long_texts_are_refused() {
    const auto nested = [](int depth) {
      return std::string(static_cast<std::size_t>(depth), '(') + "a" +
             std::string(static_cast<std::size_t>(depth), ')');
    };
    QVERIFY(!parse(nested(max_nesting / 4)).error);
    QVERIFY(parse(nested(max_nesting + 1)).error);
    std::string chain = "a";
    for (int i = 0; i < max_depth + 1; ++i) chain += " + a";
    COMPARE_TEXT(tree_of(chain), "more than 1000 operators are nested; give parts their own name");
    COMPARE_TEXT(tree_of(std::string(max_text + 1, ' ')), "the text has 262145 bytes but must have at most 262144");
    COMPARE_TEXT(tree_of("# nothing"), "there is no mask in the text; write an expression such as kv_idx <= q_idx");
  }

  void unsupported_operators_are_errors() {
    COMPARE_TEXT(tree_of("a @ b"), "@ is not part of the mask language");
    COMPARE_TEXT(tree_of("x @= 2\nx"), "@= is not part of the mask language");
    COMPARE_TEXT(tree_of("(x := 2) + 1 = 3"), "only names can be assigned to, found (x := 2) + 1");
  }
};

VQSCOPE_TEST(ParseTest)
#include "parse_test.moc"
