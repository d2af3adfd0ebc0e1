// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot/title/compared_title.h"

#include "core/catalogue/registry.h"
#include "tests/support/test_main.h"
#include "tests/widgets/plot/matrix_cases.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

namespace {

ComparedTitle titleOf(const char* id, const ParameterValues::Map& a, const ParameterValues::Map& b) {
  return comparedTitle(*find_method(id), valuesOf(id, a), valuesOf(id, b));
}

ComparedTitle ofTexts(const char* a, const char* b) {
  return titleOf("visibility", {{"mask", std::string("custom")}, {"mask_text", std::string(a)}},
                 {{"mask", std::string("custom")}, {"mask_text", std::string(b)}});
}

QString utf8(const char* text) { return QString::fromUtf8(text); }

}  // namespace

class ComparedTitleTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void onlyDifferingValuesAreNamed() {
    const auto title = titleOf("rope_phase", {{"rope_type", std::string("yarn")}, {"q_length", Index{32768}}},
                               {{"rope_type", std::string("ntk")}, {"q_length", Index{32768}}});
    QCOMPARE(title.a, QString("yarn"));
    QCOMPARE(title.b, QString("ntk"));
    QCOMPARE(title.difference(), utf8("yarn − ntk"));
    QVERIFY(title.common.startsWith("T ") && !title.common.contains("yarn"));
    QCOMPARE(comparedFileName(title), QString("yarn-ntk"));
  }

  /// The default is named too, where only the other side has another value.
  void defaultsAreNamed() {
    const auto title = titleOf("t5_bucket", {}, {{"num_buckets", Index{64}}, {"bidirectional", false}});
    QCOMPARE(title.a, utf8("num_buckets 32 · bidirectional"));
    QCOMPARE(title.b, utf8("num_buckets 64 · not bidirectional"));
    QCOMPARE(title.common, QString("T 512"));
    QVERIFY(title.difference().startsWith(QLatin1Char('(')));
  }

  void equalSidesAreNamedAAndB() {
    const auto title = titleOf("t5_bucket", {}, {});
    QCOMPARE(title.difference(), utf8("A − B"));
    QCOMPARE(comparedFileName(title), QString("A-B"));
  }

  /// How a matrix is shown is no difference of the matrices.
  void displayParametersAreNoDifference() {
    QCOMPARE(titleOf("alibi", {}, {{"future_keys", std::string("shown")}}).difference(), utf8("A − B"));
  }

  void textsAreNamedByTheirFunctions() {
    const auto title = ofTexts("def window(b, h, q_idx, kv_idx):\n    return q_idx - kv_idx < 4\n",
                               "def causal(b, h, q_idx, kv_idx):\n    return kv_idx <= q_idx\n");
    QCOMPARE(title.difference(), utf8("window − causal"));
  }

  /// Code is no title.
  void textsOfOneNameAreAAndB() {
    const auto title = ofTexts("def mask_mod(b, h, q_idx, kv_idx):\n    return kv_idx <= q_idx\n",
                               "def mask_mod(b, h, q_idx, kv_idx):\n    return kv_idx < q_idx\n");
    QCOMPARE(title.difference(), utf8("A − B"));
    QCOMPARE(title.common, QString("T 512"));
    QCOMPARE(comparedFileName(title), QString("A-B"));
  }

  /// A name that both use, but with another value.
  void namesOfATextDistinguishIt() {
    const std::string text = "def near(b, h, q_idx, kv_idx):\n    return q_idx - kv_idx < reach\n";
    const auto values = [&](Index reach) {
      return completed_values(
          parameters_of(*find_method("visibility"),
                        valuesOf("visibility", {{"mask", std::string("custom")}, {"mask_text", text}})),
          valuesOf("visibility", {{"mask", std::string("custom")}, {"mask_text", text}, {"text.reach", Index{reach}}}));
    };
    const auto title = comparedTitle(*find_method("visibility"), values(4), values(8));
    QCOMPARE(title.difference(), utf8("reach 4 − reach 8"));
    QCOMPARE(title.common, utf8("near · T 512"));
  }

  /// Only B reads documents; nobody has set them.
  void whatOneSideReadsUnsetIsNoDifference() {
    QCOMPARE(ofTexts("return kv_idx <= q_idx", "return document_id[q_idx] == document_id[kv_idx]").difference(),
             utf8("A − B"));
  }

  void aTextBesideAPresetIsNamed() {
    const auto title = titleOf("visibility", {{"mask", std::string("custom")}, {"mask_text", std::string("True")}}, {});
    QCOMPARE(title.difference(), utf8("text mask − causal"));
  }

  void sidesAreNeverTheSame() {
    for (const Method& method : methods()) {
      if (!method.field()) continue;
      for (const auto& spec : method.parameters) {
        auto other = default_values(method.parameters);
        if (spec.kind != ParameterKind::choice) continue;
        other.set(spec.name, spec.choices.back().id);
        const auto title = comparedTitle(method, default_values(method.parameters), other);
        QVERIFY2(title.a != title.b && !title.a.isEmpty() && !title.b.isEmpty(), method.id.c_str());
      }
    }
  }
};

VQSCOPE_TEST(ComparedTitleTest)
#include "compared_title_test.moc"
