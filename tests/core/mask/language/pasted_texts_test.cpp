// SPDX-License-Identifier: GPL-3.0-or-later
// Pasted texts: each equals the mask of the expression beside it, cell for cell.
#include "tests/core/mask/language/pasted_texts.h"
#include "tests/core/mask/language/cells.h"
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

constexpr Index length = 24;

std::string pasted_cells(const std::string& text, const MaskBindings& bindings = {}) {
  return test::cells_of(text, length, bindings);
}

}  // namespace

class PastedTextsTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void texts_data() {
    QTest::addColumn<QString>("pasted");
    QTest::addColumn<QString>("meant");
    const auto row = [](const char* name, const std::string& pasted, const std::string& meant) {
      QTest::newRow(name) << QString::fromStdString(pasted) << QString::fromStdString(meant);
    };
    add_pasted_texts(row);
  }

  void texts() {
    QFETCH(QString, pasted);
    QFETCH(QString, meant);
    const MaskBindings bindings{.integers = {{"window", 5}}, .arrays = {{"group", {0, 0, 1, 1, 1, 1, 2, 2}}}};
    COMPARE_TEXT(pasted_cells(pasted.toStdString(), bindings), pasted_cells(meant.toStdString(), bindings));
  }

  /// Texts with Python around the mask, and the cells by an oracle in Python.
  void python_data() {
    QTest::addColumn<QJsonObject>("pasted");
    QFile file(dataPath(QStringLiteral("pasted_masks.json")));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const auto all = QJsonDocument::fromJson(file.readAll()).array();
    QVERIFY(all.size() > 50);
    for (const auto& one : all) QTest::newRow(qPrintable(one[QStringLiteral("name")].toString())) << one.toObject();
  }

  void python() {
    QFETCH(QJsonObject, pasted);
    std::string wanted;
    for (const auto& row : pasted[QStringLiteral("cells")].toArray()) wanted += row.toString().toStdString();
    const std::string text = pasted[QStringLiteral("text")].toString().toStdString();
    COMPARE_TEXT(pasted_cells(text, {.integers = integers_of(pasted[QStringLiteral("integers")].toObject())}), wanted);
  }

  /// The effect of a loop, a try or a dictionary on a mask is never ignored.
  void values_that_depend_on_the_cell_are_errors() {
    COMPARE_TEXT(error_of("d = {0: 1, 1: 2}\n" + def("    return d[q_idx] == kv_idx")),
                 "the key of a dictionary must not depend on the cell; make an array of its values "
                 "with torch.tensor and index that");
    COMPARE_TEXT(error_of("d = {'a': 1}\n" + def("    return q_idx - kv_idx < d['b']")),
                 "this dictionary has no key 'b'; it has 'a'");
    COMPARE_TEXT(error_of("d = {0: 4}\n" + def("    return q_idx - kv_idx < d[layer]")),
                 "layer chooses from a dictionary and has no value yet; give it one");
    COMPARE_TEXT(error_of("d = {}\n" + def("    if q_idx > 3:\n        d[0] = 1\n    return q_idx - kv_idx < d[0]"))
                     .substr(0, 31),
                 "d has a value only where this i");
    QVERIFY(error_of(def("    while kv_idx > q_idx:\n        kv_idx = kv_idx - 1\n    return kv_idx == q_idx"))
                .starts_with("how often this while is repeated"));
    QVERIFY(error_of("n = 1\nwhile n > 0:\n    n += 1\n" + def("    return q_idx < n")) != "no error");
    COMPARE_TEXT(error_of("def f(a):\n    return a\n" + def("    return q_idx < f(**3)")),
                 "** must be followed by a dictionary of the text");
  }

  /// The same text with a value that decides it.
  void values_decide() {
    const std::string text =
        "def make(size=None, mode=\"near\"):\n    def mask(b, h, q_idx, kv_idx):\n        if size is not None and mode "
        "== "
        "\"near\":\n            return q_idx - kv_idx < size\n        return kv_idx <= q_idx\n    return mask\n";
    COMPARE_TEXT(pasted_cells(text), pasted_cells("kv_idx <= q_idx"));
    COMPARE_TEXT(pasted_cells(text, {.integers = {{"size", 3}}}), pasted_cells("q_idx - kv_idx < 3"));
    const auto parsed = MaskProgram::parse(text);
    QCOMPARE(parsed.program->integers().size(), std::size_t{1});
    QVERIFY(parsed.program->integers()[0].decides && parsed.program->integers()[0].may_miss);
  }

  void a_name_chooses_the_mask() {
    const std::string text = causal + "def sinks(b, h, q_idx, kv_idx):\n    return kv_idx < 2\n";
    COMPARE_TEXT(pasted_cells(text), pasted_cells("kv_idx < 2"));
    COMPARE_TEXT(test::cells_of(text, length, {}, {.mask = "causal"}), pasted_cells("q_idx >= kv_idx"));
    const auto parsed = MaskProgram::parse(text);
    QCOMPARE(parsed.program->masks(), (std::vector<std::string>{"causal", "sinks"}));
    COMPARE_TEXT(parsed.program->warnings()[0].message,
                 "the text has several masks: causal, sinks; sinks is shown, mask_function (--name) chooses another");
    COMPARE_TEXT(test::cells_of(text, length, {}, {.mask = "window"}),
                 "the text has no mask window; it has causal, sinks");
    // A name that is assigned again is one mask.
    const std::string twice = "mask = torch.ones(24, 24, dtype=torch.bool)\nmask = mask.triu()\n";
    COMPARE_TEXT(pasted_cells(twice), pasted_cells("kv_idx >= q_idx"));
    COMPARE_TEXT(test::cells_of(twice, length, {}, {.mask = "mask"}), pasted_cells("kv_idx >= q_idx"));
    QVERIFY(MaskProgram::parse(twice).program->warnings().empty());
  }

  /// A mask that cannot be made is never replaced by one of its parts, nor by a constant.
  void failing_masks_are_errors() {
    COMPARE_TEXT(error_of(causal + "mask = and_masks(causal, other(3))\n").substr(0, 38),
                 "other is called but not defined in the");
    COMPARE_TEXT(error_of(causal + window +
                          "if 3 in layers:\n    mask = and_masks(causal, make_window(4))\nelse:\n"
                          "    mask = causal\n"),
                 "layers has no values yet; give them, as an array");
    COMPARE_TEXT(error_of("HALF = WINDOW // 2\n"),
                 "there is no mask in the text; end it with an expression or a return");
    COMPARE_TEXT(
        error_of("class Mask:\n    def size(self):\n        return 3\n" + def("    return q_idx < Mask")).substr(0, 5),
        "class");
    COMPARE_TEXT(pasted_cells(def("    return q_idx - kv_idx < size")),
                 "the mask's parameter size (line 2) is not given; give size = an integer");
    COMPARE_TEXT(pasted_cells(def("    return q_idx - kv_idx < SLIDING_WINDOW")),
                 "the mask's parameter SLIDING_WINDOW (line 2) is not given; give SLIDING_WINDOW = an integer, perhaps "
                 "128");
    COMPARE_TEXT(error_of("def make(size=3):\n    assert size > 4\n    def mask(b, h, q_idx, kv_idx):\n"
                          "        return q_idx < size\n    return mask\n"),
                 "this assert does not hold: size > 4");
    COMPARE_TEXT(error_of("def make(size=3):\n    if size < 4:\n        raise ValueError('small')\n"
                          "    def mask(b, h, q_idx, kv_idx):\n        return q_idx < size\n    return mask\n"),
                 "with these values the text reaches this raise");
  }

  /// Texts of few bytes that would go on for ever, or leave 64 bits.
  void hostile_texts_terminate() {
    QVERIFY(error_of("range(0, 9223372036854775807, 9223372036854775806)[1] == q_idx") == "no error");
    QVERIFY(error_of("0e-9223372036854775807 <= q_idx").find("too many digits") != std::string::npos);
    COMPARE_TEXT(error_of("() = q_idx"), "there is no name to assign to between these parentheses");
    QVERIFY(error_of("for () in [1, 2]: pass\nq_idx >= kv_idx") != "");
    QVERIFY(error_of("1e-30 <= q_idx").find("too many digits") != std::string::npos);
    QVERIFY(error_of("len(range(1000000)) > q_idx").find("20000") != std::string::npos);
    QVERIFY(error_of("x = []\nx.append(x)\nmin(x) == q_idx").starts_with("min of lists more than 64 deep"));
    QVERIFY(error_of("x = []\nx.append(x)\nd = {(x,): 1}\nlen(d) == q_idx").starts_with("a key must be a number"));
    QVERIFY(error_of("d = {}\nd[1] = d\nx = [d]\nx.append(x)\nlen(d) == q_idx") == "no error");
    std::string doubled = "x = (1, 2)\n";
    for (int i = 0; i < 60; ++i) doubled += "x = (x, x)\n";
    QVERIFY(error_of(doubled + "d = {x: 1}\nlen(d) == q_idx").starts_with("a key must be a number"));
    QVERIFY(error_of("while True: pass\nq_idx >= kv_idx").find("unfold") != std::string::npos);
    std::string defs;
    for (int i = 0; i < 60; ++i) {
      defs += "def f" + std::to_string(i) + "(a):\n";
      for (int j = 0; j < 20; ++j)
        defs += "    if a == " + std::to_string(j) + ":\n        return f" + std::to_string((i * 7 + j) % 60) + "(j)\n";
      defs += "    return 1\n";
    }
    QVERIFY(error_of(defs + causal) == "no error");
  }

  void conditions_that_torch_refuses_are_warnings() {
    for (const char* body : {"    return q_idx >= kv_idx and kv_idx > 2", "    return 0 < kv_idx <= q_idx",
                             "    if q_idx > 3:\n        return kv_idx < 4\n    return kv_idx < 2"}) {
      const auto parsed = MaskProgram::parse(def(body));
      QVERIFY(parsed);
      QCOMPARE(parsed.program->warnings().size(), std::size_t{1});
      QVERIFY(parsed.program->warnings()[0].message.find("torch raises") != std::string::npos);
    }
  }
};

VQSCOPE_TEST(PastedTextsTest)
#include "pasted_texts_test.moc"
