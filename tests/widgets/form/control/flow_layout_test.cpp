// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/form/editor/choice_editors.h"

#include "tests/support/test_main.h"

#include <QTest>
#include <QWidget>

#include <memory>

using namespace vqscope;

namespace {

/// Boxes of 40 x 20 and one that is higher.
struct FlowRow {
  QWidget window;
  FlowLayout* layout = new FlowLayout;

  explicit FlowRow(int count) {
    layout->setContentsMargins(0, 0, 0, 0);
    for (int i = 0; i < count; ++i) {
      auto* box = new QWidget(&window);
      box->setFixedSize(40, i == 1 ? 30 : 20);
      layout->addWidget(box);
    }
    window.setLayout(layout);
  }
  QRect box(int index) const { return layout->itemAt(index)->geometry(); }
};

}  // namespace

class FlowLayoutTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void breaksLikeWords() {
    const FlowRow row(4);
    row.layout->setGeometry({0, 0, 130, 100});  // three boxes and two gaps
    QCOMPARE(row.box(0), QRect(0, 0, 40, 20));
    QCOMPARE(row.box(1), QRect(45, 0, 40, 30));
    QCOMPARE(row.box(2), QRect(90, 0, 40, 20));
    QCOMPARE(row.box(3), QRect(0, 35, 40, 20));
    row.layout->setGeometry({0, 0, 129, 100});
    QCOMPARE(row.box(2), QRect(0, 35, 40, 20));
  }

  void heightFollowsFromTheWidth() {
    const FlowRow row(4);
    QVERIFY(row.layout->hasHeightForWidth());
    QCOMPARE(row.layout->heightForWidth(1000), 30);
    QCOMPARE(row.layout->heightForWidth(130), 30 + 5 + 20);
    QCOMPARE(row.layout->heightForWidth(85), 30 + 5 + 20);
    QCOMPARE(row.layout->heightForWidth(1), 20 + 5 + 30 + 5 + 20 + 5 + 20);
    QCOMPARE(row.layout->minimumSize(), QSize(40, 30));
  }

  void itemsAreTakenByIndex() {
    const FlowRow row(2);
    QVERIFY(!row.layout->takeAt(-1) && !row.layout->takeAt(2));
    const std::unique_ptr<QLayoutItem> first(row.layout->takeAt(0));
    QVERIFY(first);
    QCOMPARE(row.layout->count(), 1);
    QCOMPARE(row.layout->heightForWidth(1000), 30);
    QCOMPARE(FlowLayout().heightForWidth(10), 0);
  }
};

VQSCOPE_TEST(FlowLayoutTest)
#include "flow_layout_test.moc"
