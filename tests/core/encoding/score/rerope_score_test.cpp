// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/encoding/bias_cases.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

class ReropeScoreTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void rectified() {
    const ParameterValues::Map set{{"window", Index{10}}};
    for (const Index n : {0, 3, 9, 10})
      QVERIFY(close(value_at("rerope_score", -n, set), value_at("rope_score_field", n)));
    for (const Index n : {10, 11, 5000})
      for (const Index relative : {n, -n})
        QVERIFY(close(value_at("rerope_score", relative, set), value_at("rope_score_field", 10)));
  }

  void leaky() {
    const ParameterValues::Map set{
        {"window", Index{10}}, {"rerope_type", std::string("leaky")}, {"leaky_factor", 4.0}, {"head_dim", Index{4}}};
    const auto score = [](double r) { return std::cos(r) + std::cos(r / 100); };
    QVERIFY(close(value_at("rerope_score", -9, set), score(9)));
    QVERIFY(close(value_at("rerope_score", -10, set), score(10)));
    QVERIFY(close(value_at("rerope_score", -13, set), score(10.75)));
    QVERIFY(close(value_at("rerope_score", -1010, set), score(260)));
    // Ahead of the query the same formulas hold: 10 + (-13 - 10) / 4.
    QVERIFY(close(value_at("rerope_score", 9, set), score(9)));
    QVERIFY(close(value_at("rerope_score", 13, set), score(4.25), 1e-11));
  }

  void summaries_and_reads() {
    COMPARE_TEXT(method_is_wrong("rerope_score", {{"head_dim", Index{16}}, {"window", Index{30}}}), "");
    COMPARE_TEXT(
        method_is_wrong("rerope_score",
                        {{"head_dim", Index{16}}, {"window", Index{30}}, {"rerope_type", std::string("leaky")}}),
        "");
  }

  void exact_at_any_length() {
    const Index length = Index{1} << 31;
    const auto field = relative_field("rerope_score", {{"q_length", length}});
    Summary summary;
    QVERIFY(field->summarize({{length / 2, length}, {0, length / 4}}, {}, summary));
    QVERIFY(summary.exact);
    QCOMPARE(summary.mean[0], static_cast<float>(value_at("rope_score_field", 128)));
  }

  void reports_and_errors() {
    COMPARE_TEXT(why_at("rerope_score", -3), "k is 3 behind q, within window 128: the distance of RoPE");
    COMPARE_TEXT(why_at("rerope_score", -600), "k is 600 behind q, not within window 128: as if at distance 128");
    COMPARE_ERROR(relative_result("rerope_score", {{"window", Index{0}}}),
                  "window is 0 but must be an integer from 1 to 2147483648");
  }
};

VQSCOPE_TEST(ReropeScoreTest)
#include "rerope_score_test.moc"
