// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/report/report_output.h"

#include "core/base/sentence.h"
#include "tests/core/config/config_cases.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

class ReportBoundsTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void published_models_stay_whole() {
    for (const QString& name : preset_names()) {
      ConfigReport report = report_of(preset(name).toStdString());
      const auto pairs = report.ropes.empty() ? std::size_t{0} : report.ropes.front().pairs.size();
      COMPARE_TEXT(join(shorten_lists(report), "\n"), "");
      if (pairs > 0) QCOMPARE(report.ropes.front().pairs.size(), pairs);
    }
  }

  /// 20 RoPEs of 1,024 pairs: the first has all pairs, and the frequencies of four readers fit.
  void long_lists_are_cut_and_named() {
    std::string types;
    for (int i = 0; i < 20; ++i)
      types += fmt::format("{}\"type_{}\": {{\"rope_type\": \"default\", \"rope_theta\": {}}}", i > 0 ? ", " : "", i,
                           10000 + i);
    ConfigReport report =
        report_of(R"({"model_type": "new", "head_dim": 2048, "max_position_embeddings": 64, "rope_parameters": {)" +
                  types + "}}");
    QCOMPARE(report.ropes.size(), std::size_t{20});
    const std::string left_out = join(shorten_lists(report), "\n");
    QCOMPARE(report.ropes.size(), std::size_t{16});
    QCOMPARE(report.ropes[0].pairs.size(), std::size_t{1024});
    QCOMPARE(report.ropes[1].pairs.size(), std::size_t{0});
    QVERIFY2(left_out.find("4 of 20 ropes are left out") != std::string::npos, left_out.c_str());
    QVERIFY2(left_out.find("15360 of 16384 pairs of ropes are left out") != std::string::npos, left_out.c_str());
    QVERIFY2(left_out.find("frequencies of implementations are left out") != std::string::npos, left_out.c_str());
    COMPARE_TEXT(join(shorten_lists(report), "\n"), "");  // what is left fits
  }

  void empty_report_stays_empty() {
    ConfigReport report;
    QVERIFY(shorten_lists(report).empty());
  }
};

VQSCOPE_TEST(ReportBoundsTest)
#include "report_bounds_test.moc"
