// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/export/distinct_titles.h"

#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;

class DistinctTitlesTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void leavesOutWhatAllHave() {
    const QStringList titles{QStringLiteral("Mask   causal · T 512"),
                             QStringLiteral("Mask   sliding · T 512 · window 64")};
    QCOMPARE(distinctTitles(titles), (QStringList{QStringLiteral("causal"), QStringLiteral("sliding · window 64")}));
  }

  void namesAValueOnce() {
    const QStringList titles{QStringLiteral("Mask   causal"), QStringLiteral("Mask   window · window 64")};
    QCOMPARE(distinctTitles(titles), (QStringList{QStringLiteral("causal"), QStringLiteral("window 64")}));
  }

  void keepsDifferentNames() {
    const QStringList titles{QStringLiteral("Mask   T 512 · window 64"), QStringLiteral("Bias   T 512 · heads 8")};
    QCOMPARE(distinctTitles(titles),
             (QStringList{QStringLiteral("Mask   window 64"), QStringLiteral("Bias   heads 8")}));
  }

  void namesThePanelWithoutOtherValues() {
    const QStringList titles{QStringLiteral("Mask   T 512"), QStringLiteral("Mask   T 512 · window 64")};
    QCOMPARE(distinctTitles(titles), (QStringList{QStringLiteral("Mask"), QStringLiteral("window 64")}));
    QCOMPARE(distinctTitles({QString(), QString()}), (QStringList{QString(), QString()}));
  }
};

VQSCOPE_TEST(DistinctTitlesTest)
#include "distinct_titles_test.moc"
