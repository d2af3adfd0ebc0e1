// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panel/view_list.h"

#include "core/catalogue/registry.h"
#include "tests/support/test_main.h"

#include <QLineEdit>
#include <QListWidget>
#include <QSignalSpy>
#include <QTest>

using namespace vqscope;

namespace {

ParameterValues yarn() {
  ParameterValues values;
  values.set("rope_type", std::string("yarn"));
  return values;
}

std::vector<ListedSubject> subjects() {
  const Method* phase = find_method("rope_phase");
  const Method* score = find_method("rope_score_field");
  return {{"rope", "RoPE", "Rotary", "relative", {}, {{"Phases", phase, {}}, {"Scores", score, {}}}},
          {"yarn", "YaRN", "Rotary", "relative", {}, {{"Phases", phase, yarn()}, {"Scores", score, yarn()}}},
          {"alibi", "ALiBi", "Biases", "relative", {}, {{"Bias", find_method("alibi"), {}}}}};
}

void clickLine(ViewList& list, const QString& title) {
  auto* lines = list.findChild<QListWidget*>();
  for (int row = 0; row < lines->count(); ++row)
    if (lines->item(row)->text() == title) emit lines->itemClicked(lines->item(row));
}

}  // namespace

class ViewListTest : public test::TestCase {
  Q_OBJECT

 private slots:
  /// Among lines with the same method, the one with most of the page's values is on screen.
  void theLineOnScreen() {
    ViewList list("Find");
    list.setSubjects(subjects());
    ParameterValues values = default_values(find_method("rope_phase")->parameters);
    list.setShown(find_method("rope_phase"), values);
    QCOMPARE(list.shown()->id, QString("rope"));
    values.set("rope_type", std::string("yarn"));
    list.setShown(find_method("rope_phase"), values);
    QCOMPARE(list.shown()->id, QString("yarn"));
    QCOMPARE(list.shownView(), 0);
    list.setShown(find_method("t5_bucket"), values);
    QVERIFY(!list.shown());
    QCOMPARE(list.shownView(), -1);
  }

  /// Walking through the list keeps the kind of view where there is one.
  void choosingKeepsTheKindOfView() {
    ViewList list("Find");
    list.setSubjects(subjects());
    list.show();
    list.setShown(find_method("rope_score_field"), default_values(find_method("rope_score_field")->parameters));
    QSignalSpy requested(&list, &ViewList::viewRequested);
    clickLine(list, "YaRN");
    QCOMPARE(requested.count(), 1);
    QCOMPARE(requested.last()[0].value<ListedView>().title, QString("Scores"));
    clickLine(list, "ALiBi");
    QCOMPARE(requested.last()[0].value<ListedView>().title, QString("Bias"));
    clickLine(list, "Biases");  // a heading
    QCOMPARE(requested.count(), 2);
  }

  /// A line that sets nothing is like every page of its method: it stays once it was requested,
  /// with its own views.
  void lineWithoutValuesCanBeChosen() {
    const Method* score = find_method("rope_score_field");
    ParameterValues plain;
    plain.set("rope_type", std::string("default"));
    ViewList list("Find");
    list.setSubjects(
        {{"rope", "RoPE", "Rotary", {}, {}, {{"Phases", find_method("rope_phase"), plain}, {"Scores", score, plain}}},
         {"bias", "RoPE with bias", "Other", {}, {}, {{"Scores", score, {}}}},
         {"yarn", "YaRN", "Rotary", {}, {}, {{"Scores", score, yarn()}}}});
    ParameterValues values = default_values(score->parameters);
    list.setShown(score, values);
    QCOMPARE(list.shown()->id, QString("rope"));
    QCOMPARE(list.shownView(), 1);
    QSignalSpy changed(&list, &ViewList::shownChanged);
    clickLine(list, "RoPE with bias");  // the page has these values already, and nothing answers
    QCOMPARE(list.shown()->id, QString("bias"));
    QCOMPARE(list.shownView(), 0);
    QCOMPARE(changed.count(), 1);
    list.setShown(score, values);
    QCOMPARE(list.shown()->id, QString("bias"));
    values.set("q_length", Index{64});
    list.setShown(score, values);
    QCOMPARE(list.shown()->id, QString("bias"));
    values.set("rope_type", std::string("yarn"));
    list.setShown(score, values);
    QCOMPARE(list.shown()->id, QString("yarn"));
    clickLine(list, "RoPE");  // refused: the page stays
    list.setShown(score, values);
    QCOMPARE(list.shown()->id, QString("yarn"));
    QCOMPARE(list.findChild<QListWidget*>()->currentItem()->text(), QString("YaRN"));
  }

  /// The list marks the view of the page.
  void arrowKeysChoose() {
    ViewList list("Find");
    list.setSubjects(subjects());
    list.show();
    list.setShown(find_method("rope_phase"), default_values(find_method("rope_phase")->parameters));
    QSignalSpy requested(&list, &ViewList::viewRequested);
    auto* lines = list.findChild<QListWidget*>();
    lines->setFocus();
    QTRY_VERIFY(lines->hasFocus());
    QCOMPARE(requested.count(), 0);
    QTest::keyClick(lines, Qt::Key_Down);
    QCOMPARE(requested.count(), 1);
    QCOMPARE(requested.last()[0].value<ListedView>().title, QString("Phases"));
    QCOMPARE(list.shown()->id, QString("yarn"));
  }

  void filterHidesOtherLines() {
    ViewList list("Find");
    list.setSubjects(subjects());
    list.findChild<QLineEdit*>()->setText("yar");
    auto* lines = list.findChild<QListWidget*>();
    QStringList visible;
    for (int row = 0; row < lines->count(); ++row)
      if (!lines->item(row)->isHidden()) visible << lines->item(row)->text();
    QCOMPARE(visible, QStringList{"YaRN"});
  }
};

VQSCOPE_TEST(ViewListTest)
#include "view_list_test.moc"
