// SPDX-License-Identifier: GPL-3.0-or-later
// Every reason that a row gives is true: what a sentence claims of a cell is evaluated by itself.
#include "tests/core/mask/language/reasons.h"
#include "tests/core/mask/language/pasted_texts.h"

#include "tests/core/mask/language/random_program.h"
#include "tests/core/mask/mask_cases.h"
#include "tests/support/compare.h"
#include "tests/support/paths.h"
#include "tests/support/test_main.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

namespace {

/// Some cells of a text's mask, each with its reason.
std::string untrue_of(ReasonCheck& check, Random& random, int cells) {
  const auto [rows, cols] = check.extent();
  for (int i = 0; i < cells && rows > 0; ++i) {
    const auto wrong = check.untrue(pick(random, 0, rows - 1), pick(random, 0, cols - 1));
    if (!wrong.empty()) return wrong;
  }
  return {};
}

const std::vector<std::string> texts{
    "(kv_idx <= q_idx) & (q_idx - kv_idx < 5)",
    "((kv_idx < 4) | (q_idx - kv_idx < 3)) & (kv_idx <= q_idx)",
    "not (kv_idx > q_idx or q_idx - kv_idx >= 6)",
    "same = group[q_idx % 8] == group[kv_idx % 8]\nreturn same & (kv_idx <= q_idx)",
    "d = abs(q_idx - kv_idx)\nreturn (d <= 9) & (d % 3 == 0)",
    "3 < kv_idx <= q_idx",
    "(kv_idx <= q_idx / 2) | (kv_idx * 0.5 > q_idx)",
    "torch.le(kv_idx, q_idx / 2) & ~torch.gt(q_idx - kv_idx, window)",
    "kv_idx < 4 if q_idx < 4 else kv_idx <= q_idx",
    "x = q_idx - kv_idx\ny = x\nx = 3\nreturn (y < window) & (x == 3)",
    "def a(b, h, q_idx, kv_idx):\n    return q_idx >= kv_idx\ndef c(b, h, q_idx, kv_idx):\n    near = q_idx - kv_idx < "
    "4\n"
    "    return near\nmask = and_masks(a, c)\n",
    "def make(n):\n    def inner(b, h, q, k):\n        return (q >= k) & (q - k < n)\n    return inner\nmask = "
    "make(window)\n",
    "(q_idx - kv_idx) & 3",
    "torch.where(q_idx < 6, kv_idx < 6, kv_idx <= q_idx) & ~(kv_idx == 2)",
    "(q_idx // 4 == kv_idx // 4) ^ (kv_idx == 0)",
    "~(q_idx < kv_idx) & ~(q_idx - kv_idx > window) & (not kv_idx == 3) & ~(kv_idx >= 20) & ~(q_idx <= 2)",
    "key_valid & (q_doc == kv_doc) & (kv_pos <= q_pos)",
};

}  // namespace

class ReasonsTest : public test::TestCase {
  Q_OBJECT

 private slots:
  /// A term that a reason blames masks the cell by the layout alone, and its claims about the cell
  /// are true.
  void presets() {
    Random random(21);
    int masked = 0;
    int checked = 0;
    for (int i = 0; i < 400; ++i) {
      const MaskCase mask_case = random_case(random);
      ReasonCheck check(mask_case.text(), {}, {}, mask_case.layout);
      COMPARE_TEXT(untrue_of(check, random, 20), "");
      checked += check.claims_checked();
      const auto mask = mask_case.mask();
      for (int j = 0; j < 20; ++j) {
        const Index q = pick(random, 0, mask->extent().rows - 1);
        const Index kv = pick(random, 0, mask->extent().cols - 1);
        const std::string why = mask->why(q, kv);
        const std::string message = mask_case.name() + " at " + to_text(q) + ", " + to_text(kv) + ": " + why;
        QVERIFY2(why.starts_with("masked by ") != mask_case.visible(q, kv), message.c_str());
        if (mask_case.visible(q, kv)) continue;
        ++masked;
        QVERIFY2(!mask_case.holds(why.substr(10, why.find(": ") - 10), q, kv), message.c_str());
      }
    }
    QVERIFY(masked > 1000 && checked > 1000);
  }

  void texts_by_hand() {
    Random random(22);
    const MaskBindings bindings{.integers = {{"window", 5}}, .arrays = {{"group", {0, 0, 1, 1, 1, 1, 2, 2}}}};
    int checked = 0;
    int left = 0;
    for (const std::string& text : texts) {
      ReasonCheck check(text, {}, bindings, *SequenceLayout::make({.q_length = 24}));
      QVERIFY2(check.extent().rows == 24, text.c_str());
      COMPARE_TEXT(untrue_of(check, random, 120), "");
      checked += check.claims_checked();
      left += check.claims_left();
    }
    QVERIFY2(left * 5 < checked, qPrintable(QStringLiteral("%1 of %2").arg(left).arg(checked)));
  }

  void golden_masks() {
    Random random(23);
    QFile file(test::dataPath(QStringLiteral("masks.json")));
    QVERIFY(file.open(QIODevice::ReadOnly));
    int checked = 0;
    for (const auto& value : QJsonDocument::fromJson(file.readAll()).array()) {
      const QJsonObject golden = value.toObject();
      SequenceInput input{.q_length = golden[QStringLiteral("q_length")].toInt(),
                          .kv_length = golden[QStringLiteral("kv_length")].toInt()};
      MaskBindings bindings;
      const auto arrays = golden[QStringLiteral("arrays")].toObject();
      for (auto it = arrays.begin(); it != arrays.end(); ++it) {
        if (it.key() == QLatin1String("past_len"))
          input.past_len = it.value().toInt();
        else if (it.value().isArray())
          for (const auto& v : it.value().toArray()) bindings.arrays[it.key().toStdString()].push_back(v.toInt());
        else
          bindings.integers[it.key().toStdString()] = it.value().toInt();
      }
      ReasonCheck check(golden[QStringLiteral("source")].toString().toStdString(), {}, bindings,
                        *SequenceLayout::make(input));
      COMPARE_TEXT(untrue_of(check, random, 60), "");
      checked += check.claims_checked();
    }
    QVERIFY(checked > 200);
  }

  void pasted_texts() {
    Random random(26);
    int checked = 0;
    const MaskBindings bindings{.integers = {{"window", 5}}, .arrays = {{"group", {0, 0, 1, 1, 1, 1, 2, 2}}}};
    const auto layout = *SequenceLayout::make({.q_length = 24});
    const auto check_text = [&](const std::string& text, const MaskBindings& given_bindings) {
      language::Given given{.integers = given_bindings.integers};
      for (const auto& [name, values] : given_bindings.arrays) given.arrays[name] = {.values = values};
      ReasonCheck check(text, given, given_bindings, layout);
      QVERIFY2(check.extent().rows == 24, text.c_str());
      if (text.find("for ") != std::string::npos || text.find("while ") != std::string::npos)
        check.check_verdicts_alone();
      const auto wrong = untrue_of(check, random, 60);
      QVERIFY2(wrong.empty(), (wrong + "\n" + text).c_str());
      checked += check.claims_checked();
    };
    add_pasted_texts([&](const char*, const std::string& text, const std::string&) { check_text(text, bindings); });
    QFile file(dataPath(QStringLiteral("pasted_masks.json")));
    QVERIFY(file.open(QIODevice::ReadOnly));
    for (const auto& one : QJsonDocument::fromJson(file.readAll()).array())
      check_text(one[QStringLiteral("text")].toString().toStdString(),
                 {.integers = integers_of(one[QStringLiteral("integers")].toObject())});
    QVERIFY(checked > 1000);
  }

  void guide_examples() {
    Random random(24);
    QFile guide(sourcePath("resources/docs/guide/mask_language.md"));
    QVERIFY(guide.open(QIODevice::ReadOnly));
    static const QRegularExpression example("```python takes\n(.*?)```",
                                            QRegularExpression::DotMatchesEverythingOption);
    const QString page = QString::fromUtf8(guide.readAll());
    int checked = 0;
    for (auto found = example.globalMatch(page); found.hasNext();) {
      const std::string text = found.next().captured(1).toStdString();
      const auto parsed = MaskProgram::parse(text);
      QVERIFY2(parsed, text.c_str());
      MaskBindings bindings;
      for (const auto& integer : parsed.program->integers())
        if (!integer.default_value) bindings.integers[integer.name] = 5;
      for (const auto& array : parsed.program->arrays())
        if (array.source == language::ArraySource::given)
          for (Index i = 0; i < 64; ++i) bindings.arrays[array.name].push_back(i / 7);
      ReasonCheck check(text, {}, bindings, *SequenceLayout::make({.q_length = 24}));
      COMPARE_TEXT(untrue_of(check, random, 60), "");
      checked += check.claims_checked();
    }
    QVERIFY(checked > 200);
  }

  void random_programs() {
    Random random(25);
    int checked = 0;
    for (int i = 0; i < 150; ++i) {
      const std::string text = ProgramWriter(random).text();
      MaskBindings bindings{.integers = {{"window", pick(random, -2, 9)}}};
      for (Index k = 0; k < 64; ++k) bindings.arrays["values"].push_back(pick(random, -3, 9));
      ReasonCheck check(text, {}, bindings, *SequenceLayout::make(random_input(random)));
      QVERIFY2(check.extent().rows > 0, text.c_str());
      const auto wrong = untrue_of(check, random, 10);
      QVERIFY2(wrong.empty(), (wrong + "\n" + text).c_str());
      checked += check.claims_checked();
    }
    QVERIFY(checked > 500);
  }

  void a_false_sentence_is_found() {
    const auto claims =
        claims_of(QStringLiteral("q_idx - kv_idx = 7, expected < 5 and kv_idx = 2, q_idx = 1, expected equal"));
    QVERIFY(claims);
    QVERIFY(claims->facts ==
            (std::vector<std::string>{"(q_idx - kv_idx) == (7)", "(kv_idx) == (2)", "(q_idx) == (1)"}));
    QVERIFY(claims->unmet == (std::vector<std::string>{"(q_idx - kv_idx) < (5)", "(kv_idx) == (q_idx)"}));
    QVERIFY(!claims_of(QStringLiteral("something else")));
  }
};

VQSCOPE_TEST(ReasonsTest)
#include "reasons_test.moc"
