// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/mask/checks/finding_list.h"

#include "tests/support/test_main.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QTest>

using namespace vqscope;

class FindingListTest : public test::TestCase {
  Q_OBJECT

 private slots:
  /// The worst first, with the samples that they are of.
  void findings_are_copied_as_a_table() {
    FindingList list(nullptr);
    CheckCard warning, error;
    warning.finding.rule = "cache_positions";
    warning.finding.severity = Severity::warning;
    warning.finding.sentence = "The window keeps 129 keys";
    error.finding.rule = "labels";
    error.finding.sentence = "Row 3 sees no key";
    error.place = "Sample 2";
    list.setCards({warning, error}, false, {});
    QCOMPARE(list.actions().size(), 3);
    list.actions().front()->trigger();
    QCOMPARE(QApplication::clipboard()->text(),
             QString("| severity | rule | place | finding |\n| --- | --- | --- | --- |\n"
                     "| error | labels | Sample 2 | Row 3 sees no key |\n"
                     "| warning | cache_positions |  | The window keeps 129 keys |\n"));
  }
};

VQSCOPE_TEST(FindingListTest)
#include "finding_list_test.moc"
