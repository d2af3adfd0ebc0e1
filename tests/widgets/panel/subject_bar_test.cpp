// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panel/subject_bar.h"

#include "tests/support/test_main.h"
#include "widgets/panel/token_form.h"

#include <QLabel>
#include <QMenu>
#include <QPlainTextEdit>
#include <QTest>
#include <QToolButton>

#include <algorithm>

using namespace vqscope;

namespace {

struct ShownBar {
  Workbench bench;
  SubjectBar bar{bench};

  ShownBar() {
    bench.showPage("buckets");
    QObject::connect(&bench, &Workbench::changed, &bar, &SubjectBar::sync);
    bar.resize(1600, 40);
    bar.show();
    bar.sync();
  }
  QToolButton* chip(const QString& title) {
    for (auto* button : bar.findChildren<QToolButton*>())
      if (button->text().startsWith(title + QStringLiteral("  "))) return button;
    return nullptr;
  }
  QString look(const QString& title) { return chip(title)->property("look").toString(); }
};

}  // namespace

class SubjectBarTest : public test::TestCase {
  Q_OBJECT

 private slots:
  /// Unset values are grey and show the default of the page; set values are those of all pages.
  void valuesOfThePageOrOfAll() {
    ShownBar s;
    QCOMPARE(s.chip("T")->text(), QString("T  512"));
    QCOMPARE(s.look("T"), QString("unset"));
    s.bench.showPage("rotary");
    s.bar.sync();
    QVERIFY(s.chip("T")->text() != "T  512");
    Subject subject = s.bench.session().subject;
    subject.values.set("q_length", Index{1000});
    QVERIFY(s.bench.editSubject("Change T", subject));
    QVERIFY(s.chip("T")->text().endsWith("000"));
    QCOMPARE(s.look("T"), QString("set"));
    QCOMPARE(s.bench.page("masks").values.integer("q_length"), Index{1000});
    s.bench.undo();
    QCOMPARE(s.look("T"), QString("unset"));
  }

  void aTThatTheTextContradictsIsMarked() {
    ShownBar s;
    s.bench.showPage("masks");
    Subject subject = s.bench.session().subject;
    subject.values.set("q_length", Index{64});
    QVERIFY(s.bench.editSubject("Change T", subject));
    ShownPage next = s.bench.page("masks");
    next.values.set("mask", std::string("custom"));
    next.values.set("mask_text", std::string("Q_LEN = 128\nkv_idx <= q_idx"));
    QVERIFY(s.bench.edit("text", next));
    QCOMPARE(s.look("T"), QString("warned"));
    QVERIFY2(s.chip("T")->toolTip().startsWith("q_length is 64, but the text's Q_LEN is 128\n"),
             qPrintable(s.chip("T")->toolTip()));
    s.bench.undo();
    QCOMPARE(s.look("T"), QString("set"));
  }

  /// An open chain marks a value of the page's own.
  void aPageWithAValueOfItsOwn() {
    ShownBar s;
    QVERIFY(s.chip("T")->icon().isNull());
    QVERIFY(s.bench.setLinked("buckets", "q_length", false));
    s.bar.sync();
    QVERIFY(!s.chip("T")->icon().isNull());
    QVERIFY(s.chip("T")->toolTip().contains("value of its own"));
    QVERIFY(s.bench.setLinked("buckets", "q_length", true));
    s.bar.sync();
    QVERIFY(s.chip("T")->icon().isNull());
  }

  /// Texts that are pasted make the sequence as long as they are, in one step that can be undone.
  void tokensAreTheSequence() {
    ShownBar s;
    QCOMPARE(s.chip("tokens")->text(), QString("tokens  none"));
    s.chip("tokens")->click();
    auto* edit = s.bar.findChild<QPlainTextEdit*>("tokens");
    QVERIFY(edit);
    edit->setPlainText("['The', 5]");
    auto* form = s.bar.findChild<TokenForm*>();
    const auto shows = [&](const QString& sentence) {
      const auto labels = form->findChildren<QLabel*>();
      return std::ranges::any_of(labels, [&](const QLabel* label) { return label->text() == sentence; });
    };
    QVERIFY(shows("token text 1 is 5 but must be a text in quotes"));
    edit->setPlainText("The cat sat");
    QVERIFY(shows("3 tokens; T becomes as long"));
    form->commit();
    const Subject& subject = s.bench.session().subject;
    QCOMPARE(subject.tokens, (TokenTexts{"The", "cat", "sat"}));
    QCOMPARE(subject.values.integer("q_length"), Index{3});
    QCOMPARE(s.chip("tokens")->text(), QString("tokens  3"));
    QCOMPARE(s.look("tokens"), QString("set"));
    s.bench.undo();
    QVERIFY(s.bench.session().subject.tokens.empty());
    QCOMPARE(s.look("T"), QString("unset"));
  }

  /// Chips without room are in the menu at the end, and none is lost.
  void chipsThatDoNotFitAreInAMenu() {
    ShownBar s;
    const auto chips = s.bar.findChildren<QToolButton*>().size();
    const auto shown = [&] {
      qsizetype count = 0;
      for (const auto* button : s.bar.findChildren<QToolButton*>())
        if (!button->isHidden() && button->text() != QStringLiteral("…")) ++count;
      return count;
    };
    QCOMPARE(shown(), chips - 1);
    s.bar.resize(620, 40);
    QVERIFY(shown() < chips - 1);
    QToolButton* more = nullptr;
    for (auto* button : s.bar.findChildren<QToolButton*>())
      if (button->text() == QStringLiteral("…")) more = button;
    QVERIFY(more && !more->isHidden());
    QCOMPARE(shown() + more->menu()->actions().size(), chips - 1);
    QVERIFY(!s.chip("T")->isHidden());
  }

  /// The bar opens the field of a parameter, whose edit is one step for all pages.
  void aChipOpensItsFields() {
    ShownBar s;
    QVERIFY(!s.bar.open("mask"));
    QVERIFY(s.bar.open("rope_theta"));
    auto* menu = s.bar.findChild<QMenu*>({}, Qt::FindDirectChildrenOnly);
    QVERIFY(menu && menu->findChild<QWidget*>("rope_theta"));
    menu->close();
  }
};

VQSCOPE_TEST(SubjectBarTest)
#include "subject_bar_test.moc"
