// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/field/visibility_difference.h"

#include "core/base/registry.h"
#include "core/field/visibility_field.h"
#include "tests/core/mask/mask_cases.h"
#include "tests/core/mask/row_mask.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

class VisibilityDifferenceTest : public QObject {
  Q_OBJECT

 private slots:
  void summaries_are_those_of_the_cells() {
    Random random(1);
    for (int i = 0; i < 1000; ++i) {
      const MaskCase c = random_case(random);
      MaskCase d = random_case(random);
      d.layout = c.layout;
      std::shared_ptr<const Mask> second = d.mask();
      if (i % 3 == 0) second = std::make_shared<RowMask>(*second);
      const VisibilityDifference field(c.mask(), second);
      const auto wrong = summary_differs(field, random_lattice(random, field.extent()));
      QVERIFY2(wrong.empty(), (wrong + " of " + c.name() + " and " + d.name()).c_str());
    }
  }

  void two_million_are_exact() {
    const Method& method = *find_method("visibility");
    auto values = default_values(method.parameters);
    const Index T = Index{1} << 21;
    values.set("q_length", T);
    auto minus = values;
    minus.set("sliding_window", T - 1);
    const auto field = make_compared_field(method, values, minus).value();
    Summary summary;
    QVERIFY(field->summarize({{0, T / 2, T}, {0, T / 2, T}}, {}, summary));
    QVERIFY(summary.exact);
    // The last query misses the first key, and nothing else differs.
    QCOMPARE(summary.max, (std::vector<float>{0, 0, 1, 0}));
    QCOMPARE(summary.min, (std::vector<float>{0, 0, 0, 0}));
    QCOMPARE(summary.mean[2], 0x1p-40F);
    QCOMPARE(field->at(T - 1, 0), 1.0);
  }
};

VQSCOPE_TEST(VisibilityDifferenceTest)
#include "visibility_difference_test.moc"
