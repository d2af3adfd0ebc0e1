// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/catalogue/parts.h"
#include "tests/app/program.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

/// A build without the lab refuses requests for the lab with that reason.
class LeftOutTest : public vqscope::test::TestCase {
  Q_OBJECT

 private slots:
  void initTestCase() {
    if (left_out_remark().empty()) QSKIP("this build has the lab");
  }

  void refused_data() {
    addRefusals({{{"run", "vq_model"}, "run is part of the lab, which this build leaves out"},
                 {{"runs"}, "runs is part of the lab, which this build leaves out"},
                 {{"sweep", "--help"}, "sweep is part of the lab, which this build leaves out"},
                 {{"help", "merge"}, "merge is part of the lab, which this build leaves out"},
                 {{"list", "--presets"}, "--presets lists questions of the lab, which this build leaves out"}});
  }
  void refused() {
    QFETCH(QStringList, arguments);
    QFETCH(QByteArray, message);
    compareRefused(runProgram(m_folder, arguments), message);
  }

  void methodsOfTheLabAreUnknown() {
    const auto exported = runProgram(m_folder, {"export", "vq_weights", "--out", "a.csv"});
    QCOMPARE(exported.status, 2);
    QVERIFY2(exported.err.startsWith("vqscope: unknown method vq_weights") &&
                 exported.err.endsWith("(vqscope list shows all; this build leaves out the lab)\n"),
             exported.err.constData());
    QVERIFY(!runProgram(m_folder, {"list"}).out.contains("vq_"));
    QVERIFY(!runProgram(m_folder, {"list", "--gallery"}).out.contains("vq_"));
  }

  void helpDoesNotNameItsCommands() {
    const auto help = runProgram(m_folder, {"--help"}).out;
    QVERIFY(help.contains("vqscope check ") && !help.contains("vqscope run ") && !help.contains("vqscope sweep "));
  }

 private:
  QTemporaryDir m_folder;
};

VQSCOPE_TEST(LeftOutTest)
#include "left_out_test.moc"
