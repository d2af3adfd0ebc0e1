// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panel/method_list.h"

#include "tests/support/test_main.h"

#include <QCompleter>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTest>

using namespace vqscope;

namespace {

PageInfo grouped(int methods) {
  PageInfo info{.id = "p", .title = "P"};
  for (int i = 0; i < methods; ++i) info.curves.push_back("m" + std::to_string(i));
  const auto ids = info.choices();
  info.groups = {{"Odd", {}}, {"Even", {}}};
  for (std::size_t i = 0; i < ids.size(); ++i) info.groups[(i + 1) % 2].methods.push_back(ids[i]);
  return info;
}

QStringList titles(int methods) {
  QStringList all;
  for (int i = 0; i < methods; ++i) all << QStringLiteral("Method %1").arg(i);
  return all;
}

}  // namespace

class MethodListTest : public test::TestCase {
  Q_OBJECT

 private slots:
  /// Headings are no choices; a choice is the place in the list of the page.
  void groupsHaveHeadings() {
    const PageInfo info = grouped(4);
    MethodList list(info, titles(4), nullptr);
    QStringList rows;
    for (int i = 0; i < list.count(); ++i) rows << list.itemText(i).trimmed();
    QCOMPARE(rows, (QStringList{"Odd", "Method 1", "Method 3", "Even", "Method 0", "Method 2"}));
    QVERIFY(!(list.model()->flags(list.model()->index(0, 0)) & Qt::ItemIsSelectable));
    QSignalSpy chosen(&list, &MethodList::chosen);
    emit list.activated(0);
    QVERIFY(chosen.isEmpty());
    emit list.activated(2);
    QCOMPARE(chosen.takeFirst().front().toInt(), 3);
    list.showChoice(2);
    QCOMPARE(list.currentIndex(), 5);
    QVERIFY(!list.isEditable());
  }

  void aLongListIsSearched() {
    const PageInfo info = grouped(20);
    MethodList list(info, titles(20), nullptr);
    list.showChoice(7);
    QCOMPARE(list.lineEdit()->text(), QString("Method 7"));
    list.completer()->setCompletionPrefix("THOD 1");
    QCOMPARE(list.completer()->completionCount(), 11);  // 1 and 10 to 19
    list.setEditText("no such method");
    emit list.lineEdit()->editingFinished();
    QCOMPARE(list.lineEdit()->text(), QString("Method 7"));
  }
};

VQSCOPE_TEST(MethodListTest)
#include "method_list_test.moc"
