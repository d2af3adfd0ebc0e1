// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/curve/curve_cases.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <cmath>

using namespace vqscope;
using namespace vqscope::test;

namespace {

/// The one number of a curve, and the year that it stands at.
std::pair<double, double> point_of(const CurveSet& set, const char* name) {
  const auto& y = curve_of(set, name).y;
  std::pair<double, double> point;
  int points = 0;
  for (std::size_t i = 0; i < y.size(); ++i)
    if (!std::isnan(y[i])) point = {set.x[i], y[i]}, ++points;
  return points == 1 ? point : std::pair<double, double>{};
}

}  // namespace

class PublishedQualityTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void the_tables_as_they_stand() {
    const auto table = [](const char* id) { return *curves_of("published_quality", {{"table", std::string(id)}}); };
    const auto enwik8 = table("enwik8"), pg19 = table("pg19"), imagenet64 = table("imagenet64");
    QCOMPARE(enwik8.curves.size(), std::size_t{11});
    QCOMPARE(pg19.curves.size(), std::size_t{7});
    QCOMPARE(imagenet64.curves.size(), std::size_t{8});
    QCOMPARE(point_of(enwik8, "Transformer-VQ, 190M"), (std::pair{2023.0, 0.99}));
    QCOMPARE(point_of(enwik8, "SRU++, Lei; Expire-Span, Sukhbaatar et al."), (std::pair{2021.0, 0.95}));
    QCOMPARE(point_of(pg19, "Transformer-VQ, 1.3B"), (std::pair{2023.0, 26.6}));
    QCOMPARE(point_of(pg19, "Block-Recurrent Transformer, Hutchins et al."), (std::pair{2022.0, 26.5}));
    QCOMPARE(point_of(imagenet64, "Transformer-VQ, 1.2B"), (std::pair{2023.0, 3.16}));
    QCOMPARE(fact_of(enwik8, "best"), 0.94);
    QCOMPARE(fact_of(imagenet64, "best"), 3.16);
    for (const CurveSet* set : {&enwik8, &pg19, &imagenet64}) {
      QVERIFY(std::ranges::is_sorted(set->x));
      for (const Curve& curve : set->curves)
        QVERIFY2(point_of(*set, curve.name.c_str()).second > 0, curve.name.c_str());
    }
    COMPARE_TEXT(pg19.formula, "copied from Lingle 2023, Transformer-VQ, table 4: PG-19; nothing here is computed");
    COMPARE_TEXT(name_of(find_method(curve_methods(), "published_quality")->curves()->origin),
                 name_of(CurveOrigin::published));
  }
};

VQSCOPE_TEST(PublishedQualityTest)
#include "published_quality_test.moc"
