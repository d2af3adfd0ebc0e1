// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/pass/layer_pass.h"
#include "tests/core/model/golden/golden_run.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

/// VQ attention with every encoding, kind of heads and mode of gradients against another framework's float64.
class GoldenVqTest : public vqscope::test::TestCase {
  Q_OBJECT

 private slots:
  void float64_data() { add_cases(); }
  void float64() { check<double>(Keep::everything); }

  void float32_data() { add_cases(); }
  void float32() { check<float>(Keep::everything); }

  void by_codes_float64_data() { add_cases(); }
  void by_codes_float64() { check<double>(Keep::gradients); }

  void by_codes_float32_data() { add_cases(); }
  void by_codes_float32() { check<float>(Keep::gradients); }

 private:
  inline static const QString folder = QStringLiteral("model_vq");

  static void add_cases() {
    QTest::addColumn<QString>("name");
    for (const QString& name : golden_names(folder)) QTest::newRow(qPrintable(name)) << name;
  }

  template <class Real>
  static void check(Keep keep) {
    QFETCH(QString, name);
    GoldenRun<Real> run(name, keep, folder);
    QCOMPARE(attends_by_codes(run.golden.config, run.golden.length, keep),
             keep == Keep::gradients && run.golden.config.cache);
    run.check();
  }
};

VQSCOPE_TEST(GoldenVqTest)
#include "golden_vq_test.moc"
