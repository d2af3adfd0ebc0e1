// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/codebook/keys.h"

#include "tests/core/attention/forms/attention_sample.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

class QueryKeyNormTest : public test::TestCase {
  Q_OBJECT

 private slots:
  /// [1, 3] has mean 2, deviation 1 and root mean square √5; [5, 5] has no deviation.
  void by_hand() {
    const float scale = std::pow(2.0F, -0.25F);
    const auto normalized = [](QueryKeyNorm norm) {
      std::vector<float> rows{1, 3, 5, 5};
      normalize_rows(rows, 2, norm);
      return rows;
    };
    QCOMPARE(normalized(QueryKeyNorm::none), (std::vector<float>{1, 3, 5, 5}));
    const auto is = [&](QueryKeyNorm norm, const std::vector<float>& wanted) {
      return farther(normalized(norm), wanted, 2e-6, {1});
    };
    COMPARE_TEXT(is(QueryKeyNorm::scale, {scale, 3 * scale, 5 * scale, 5 * scale}), "");
    COMPARE_TEXT(is(QueryKeyNorm::layer_norm, {-scale, scale, 0, 0}), "");
    const float root = std::sqrt(5.0F);
    COMPARE_TEXT(is(QueryKeyNorm::paper, {scale / root, 3 * scale / root, scale, scale}), "");
  }

  void ids_name_them() {
    ParameterValues values;
    const ParameterSpec spec = normalize_parameter("paper");
    QCOMPARE(std::get<std::string>(spec.default_value), std::string("paper"));
    for (const auto& [id, norm] : {std::pair{"none", QueryKeyNorm::none},
                                   {"scale", QueryKeyNorm::scale},
                                   {"paper", QueryKeyNorm::paper},
                                   {"layer_norm", QueryKeyNorm::layer_norm}}) {
      values.set("normalize", std::string(id));
      QVERIFY(check_value(spec, *values.find("normalize")));
      QVERIFY(score_words(norm_of(values)).find("scores q·k") != std::string_view::npos);
      QVERIFY(norm_of(values) == norm);
    }
  }
};

VQSCOPE_TEST(QueryKeyNormTest)
#include "query_key_norm_test.moc"
