// SPDX-License-Identifier: GPL-3.0-or-later
// Errors of the parser, with their places.
#include "core/mask/language/parse/parse.h"

#include "core/mask/language/parse/source_error.h"
#include "tests/core/mask/language/cells.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <utility>
#include <vector>

using namespace vqscope;
using namespace vqscope::test;

namespace {

/// "2:5 message".
std::string placed_error_of(const std::string& text) {
  const auto parsed = MaskProgram::parse(text);
  if (parsed) return "no error";
  const std::string shown = render(parsed.error, text);
  const auto number_after = [&](const std::string& word) {
    const auto at = shown.find(word) + word.size();
    return shown.substr(at, shown.find_first_not_of("0123456789", at) - at);
  };
  return number_after("line ") + ":" + number_after("column ") + " " + parsed.error.message;
}

using Refusals = std::vector<std::pair<std::string, std::string>>;

}  // namespace

class ParseRefusalsTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void of_expressions() {
    for (const auto& [text, error] : Refusals{
             {"q_idx >=", "1:9 expected a name, a number or (, found the end of the text"},
             {"q_idx >= )", "1:10 expected a name, a number or (, found )"},
             {"(q_idx > 1", "1:1 nothing closes this ("},
             {"near = (q_idx > 1\ndef mask_mod(b, h, q_idx, kv_idx):\n    return near", "1:8 nothing closes this ("},
             {"near = max(q_idx,\n           1 2)", "2:14 expected ) or an operator, found 2"},
             {"x[q_idx", "1:2 nothing closes this ["},
             {"{1: 2", "1:1 nothing closes this {"},
             {"x[] == 1", "1:2 there is no index between these brackets"},
             {"q_idx. == 1", "1:8 expected a name after ., found =="},
             {"q_idx == 1.2.3", "1:10 1.2.3 is not a number"},
             {"q_idx kv_idx", "1:7 expected an operator or the end of the line, found kv_idx"},
             {"q_idx if kv_idx", "1:16 expected else after x if condition, found the end of the text"},
             {"lambda 1: q_idx", "1:8 expected the name of a parameter, found 1"},
             {"q_idx == 1e400", "1:10 1e400 has too many digits; 64 bits hold 18 of them"},
             {"q_idx == 0.1234567890123456789",
              "1:10 0.1234567890123456789 has too many digits; 64 bits hold 18 of them"},
             {"q_idx == 08", "1:10 08 has leading zeros; write 0o for octal digits, or leave the zeros out"},
             {"q_idx ? kv_idx", "1:7 expected an operator or the end of the line, found ?"},
             {"{'a' 1}", "1:6 expected } or an operator, found 1"},
             {"any(q_idx == i for 3 in (1,))", "1:20 for takes names, found 3"}}) {
      const std::string found = placed_error_of(text);
      COMPARE_TEXT(text + " -> " + found, text + " -> " + error);
    }
  }

  void of_statements() {
    for (const auto& [text, error] : Refusals{
             {"1 = q_idx", "1:1 only names can be assigned to, found 1"},
             {"q_idx + 1 = 2", "1:1 only names can be assigned to, found q_idx + 1"},
             {"() = 2", "1:1 there is no name to assign to between these parentheses"},
             {"x, y += 1", "1:1 only a name can be assigned to"},
             {"def (q): pass", "1:5 expected a name after def, found ("},
             {"def f(q_idx, kv_idx):\nreturn q_idx == kv_idx", "1:5 the body of f is missing"},
             {"if q_idx > 1:\nreturn True", "1:1 the body of if is missing"},
             {"x = 1\n  y = 2\nq_idx == x", "2:3 this line is indented more than the one before, which opens no block"},
             {"  x = 1\nq_idx == x", "2:1 this line is indented less than the first one"},
             {"def f(b, h, q_idx, kv_idx):\n  return", "2:3 return has no value; write return and an expression"},
             {"for in (1, 2):\n  pass\nq_idx == 1", "1:5 expected a name, a number or (, found in"},
             {"match q_idx:\nTrue", "1:1 match has no case"},
             {"match q_idx:\n  case [1, 2]: x = 1",
              "2:8 a case compares with numbers, texts, None and names with a dot, as in Style.PAIR, joined by |, or "
              "is "
              "_; found [1, 2]"},
             {"match q_idx:\n  case n: x = 1\n  case 2: x = 2",
              "2:3 this case always matches, and others follow it: Python refuses that"},
             {"match q_idx:\n  case 1 x", "2:10 expected : after the pattern of case, found x"},
             {"# nothing\n", "1:1 there is no mask in the text; write an expression such as kv_idx <= q_idx"}}) {
      const std::string found = placed_error_of(text);
      const std::string begin = found.substr(0, error.size());  // some list what there is
      COMPARE_TEXT(text + " -> " + begin, text + " -> " + error);
    }
  }

  /// Wherever a text is cut off it is a mask or has one sentence, whose place lies in the text.
  void of_texts_cut_off() {
    const std::string text =
        "def near(size=4):\n  '''doc'''\n  def mask(b, h, q_idx, kv_idx):\n    far = [i * 2 for i in range(3)]\n    if "
        "q_idx > far[1]: return (kv_idx <= q_idx) & ~(kv_idx == size)\n    return {'a': kv_idx}['a'] < 0x1F\n  return "
        "mask\nmask = near(size=-1_0)\n";
    for (std::size_t length = 0; length <= text.size(); ++length) {
      const std::string part = text.substr(0, length);
      const auto parsed = MaskProgram::parse(part);
      if (parsed) continue;
      QVERIFY(!parsed.error.message.empty());
      QVERIFY2(placed_error_of(part).find(":") != std::string::npos, part.c_str());
    }
    QVERIFY(MaskProgram::parse(text));
  }
};

VQSCOPE_TEST(ParseRefusalsTest)
#include "refusals_test.moc"
