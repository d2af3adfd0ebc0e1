// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/method/shared/published.h"

#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;

class PublishedTest : public test::TestCase {
  Q_OBJECT

 private slots:
  /// Press et al. 2022, table 2: trained at 512 tokens. ALiBi falls with the length, the sinusoids
  /// rise twentyfold.
  void perplexities_of_press_et_al() {
    const Published table = alibi_table_2();
    QCOMPARE(table.trained_length, 512.0);
    QCOMPARE(table.series.size(), std::size_t{4});
    for (const auto& series : table.series) {
      QCOMPARE(series.x, (std::vector<double>{512, 1012, 2512, 5512, 12512}));
      QCOMPARE(series.y.size(), series.x.size());
    }
    const auto& sinusoidal = table.series[0].y;
    const auto& alibi = table.series[3].y;
    QCOMPARE(sinusoidal.back(), 373.17);
    QCOMPARE(alibi.back(), 18.31);
    for (std::size_t i = 1; i < alibi.size(); ++i)
      QVERIFY(alibi[i] < alibi[i - 1] && sinusoidal[i] > sinusoidal[i - 1]);
  }

  void overlay_is_chosen_by_name() {
    const ParameterSpec spec = overlay_parameter();
    QVERIFY(check_value(spec, spec.default_value));
    COMPARE_ERROR(check_value(spec, std::string("alibi_table2")),
                  "overlay is alibi_table2 but must be one of none, alibi_table_2; did you mean alibi_table_2?");
    for (const auto& choice : spec.choices) {
      ParameterValues values;
      values.set("overlay", choice.id);
      CurveSet set;
      apply_overlay(values, set);
      QCOMPARE(set.published.has_value(), choice.id != "none");
    }
  }
};

VQSCOPE_TEST(PublishedTest)
#include "published_test.moc"
