// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/sweep/vary_list.h"

#include "tests/core/run/test_sweep.h"
#include "tests/support/test_main.h"

#include <QComboBox>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>

using namespace vqscope;
using namespace vqscope::test;

namespace {

struct ShownList {
  VaryList list;

  ShownList() {
    list.setMethod(line_method(), default_values(line_method().parameters));
    list.show();
  }
  QList<QComboBox*> names() const { return visible<QComboBox>("varyName"); }
  QList<QLineEdit*> values() const { return visible<QLineEdit>("varyValues"); }
  QList<QToolButton*> buttons() const { return visible<QToolButton>("removeParameter"); }

 private:
  /// A new line is shown, and a removed one deleted, when events are processed.
  template <class T>
  QList<T*> visible(const char* name) const {
    QCoreApplication::processEvents();
    auto all = list.findChildren<T*>(QLatin1String(name));
    all.removeIf([](const T* each) { return !each->isVisible(); });
    return all;
  }
};

}  // namespace

class VaryListTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void namesOfParametersInUseAreOffered() {
    ShownList s;
    QStringList offered;
    for (int i = 0; i < s.names()[0]->count(); ++i) offered << s.names()[0]->itemText(i);
    QCOMPARE(offered, (QStringList{"slope", "seed", "kind", "sizes"}));
    ParameterValues bent = default_values(line_method().parameters);
    bent.set("kind", std::string("bent"));
    s.names()[0]->setCurrentText("slo");
    s.list.setMethod(line_method(), bent);
    QVERIFY(s.names()[0]->findText("bend") >= 0);
    QCOMPARE(s.names()[0]->currentText(), QString("slo"));
  }

  void placeholderFollowsTheParameter_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("example");
    QTest::newRow("none") << ""
                          << "values";
    QTest::newRow("number") << "slope"
                            << "a,b,c or lo:hi:step or lo:hi:*2";
    QTest::newRow("choice") << "kind"
                            << "straight,bent";
    QTest::newRow("list") << "sizes"
                          << "values, separated by semicolons";
  }
  void placeholderFollowsTheParameter() {
    QFETCH(QString, name);
    QFETCH(QString, example);
    ShownList s;
    s.names()[0]->setCurrentText(name);
    QCOMPARE(s.values()[0]->placeholderText(), example);
  }

  void textsOmitEmptyLines() {
    ShownList s;
    const std::vector<VaryText> texts{{"slope", "1,2"}, {"seed", "0:9"}};
    s.list.setTexts(texts);
    QCOMPARE(s.list.texts(), texts);
    s.list.findChild<QPushButton*>("addParameter")->click();
    QCOMPARE(s.names().size(), 3);
    QCOMPARE(s.list.texts(), texts);
    s.names()[2]->setCurrentText(" kind ");
    QCOMPARE(s.list.texts().back(), (VaryText{"kind", ""}));
    s.list.setTexts({});
    QVERIFY(s.list.texts().empty());
    QCOMPARE(s.names().size(), 1);
  }

  /// There is always a line to type in.
  void theLastLineIsReplaced() {
    ShownList s;
    s.list.setTexts({{"slope", "1,2"}, {"seed", "0:9"}});
    QSignalSpy changed(&s.list, &VaryList::changed);
    s.buttons()[0]->click();
    QCOMPARE(s.list.texts(), (std::vector<VaryText>{{"seed", "0:9"}}));
    s.buttons()[0]->click();
    QVERIFY(s.list.texts().empty());
    QCOMPARE(s.names().size(), 1);
    QVERIFY(changed.size() >= 2);
  }
};

VQSCOPE_TEST(VaryListTest)
#include "vary_list_test.moc"
