// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/test_main.h"
#include "tests/widgets/form/shown_form.h"
#include "widgets/form/parameter_row.h"
#include "widgets/theme/palette.h"

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QLabel>
#include <QMenu>
#include <QSignalSpy>

using namespace vqscope;
using namespace vqscope::test;

/// What the rows of a form show beside their values.
class FormRowsTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void initTestCase() { applyTheme(*qApp, Theme::light); }

  /// A number that lost its first digits would be another one.
  void numbersAreShownWhole() {
    ShownForm s;
    auto* box = s.part<QLineEdit>("q_length");
    const int usual = box->width();
    ParameterValues values = s.form.values();
    for (const Index number : {Index{512}, Index{2147483648}, Index{1} << 40}) {
      values.set("q_length", number);
      s.form.setValues(values);
      QCoreApplication::sendPostedEvents();
      QApplication::processEvents();
      QVERIFY2(QFontMetrics(box->font()).horizontalAdvance(box->text()) + 12 <= box->width(), qPrintable(box->text()));
      QVERIFY(box->mapTo(&s.form, QPoint()).x() >= 0 && box->geometry().right() < s.form.width());
    }
    values.set("q_length", Index{1});
    s.form.setValues(values);
    QCOMPARE(box->width(), usual);
  }

  void changedSpecsKeepOtherRows() {
    ShownForm s;
    auto* box = s.type("q_length", "77");
    auto specs = everyKind();
    ParameterSpec more = specs.front();
    more.name = "more";
    specs.push_back(more);
    s.form.setSpecs(specs);
    QVERIFY2(s.part<EntryBox>("q_length") == box && box->text() == "77", "what was being typed is gone");
    QVERIFY(s.part<EntryBox>("more"));
    QVERIFY(s.form.values().find("more"));
    specs.pop_back();
    s.form.setSpecs(specs);
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    QVERIFY(!s.part<EntryBox>("more"));
    QVERIFY(!s.form.values().find("more"));
  }

  void irrelevantRowsAndTheirHeadingHide() {
    ShownForm s;
    const auto heading = [&] {
      for (auto* label : s.form.findChildren<QLabel*>())
        if (label->text() == "Rotary") return label->isVisible();
      return false;
    };
    QVERIFY(!s.part("factor")->isVisible());
    QVERIFY(!heading());
    s.part<QComboBox>("rope_type")->setCurrentText("yarn");
    QVERIFY(s.part("factor")->isVisible());
    QVERIFY(heading());
    s.form.setValues(default_values(everyKind()));
    QVERIFY(!s.part("factor")->isVisible());
  }

  void resetButtonRestoresTheDefault() {
    ShownForm s;
    QTest::keyClick(s.type("q_length", "77"), Qt::Key_Return);
    auto* dot = s.part<QAbstractButton>("q_length.reset");
    QVERIFY(dot->isVisible());
    QSignalSpy resets(&s.form, &ParameterForm::valueReset);
    const auto edits = s.edits.size();
    s.press(dot);
    QVERIFY(!dot->isVisible());
    QCOMPARE(resets.count(), 1);
    QCOMPARE(resets[0][0].toString(), QString("q_length"));
    QCOMPARE(s.edits.size(), edits);
    QCOMPARE(s.part<QLineEdit>("q_length")->text().toInt(), 512);
  }

  void automaticValueIsAPlaceholder() {
    ShownForm s;
    auto* box = s.part<QLineEdit>("kv_length");
    QCOMPARE(box->text(), QString());
    QCOMPARE(box->placeholderText(), QString("auto"));
    QTest::keyClick(s.type("kv_length", "12"), Qt::Key_Return);
    QCOMPARE(s.form.values().integer("kv_length"), Index{12});
    box->selectAll();
    QTest::keyClick(box, Qt::Key_Delete);
    QTest::keyClick(box, Qt::Key_Return);
    QCOMPARE(s.form.values().integer("kv_length"), Index{0});
  }

  void externalErrorsAreShownBelowTheirRow() {
    ShownForm s;
    s.form.setError("causal", "causal needs documents");
    auto* sentence = s.part<QLabel>("causal.error");
    QVERIFY(sentence->isVisible());
    QCOMPARE(sentence->text(), QString("causal needs documents"));
    s.form.setError("causal", {});
    QVERIFY(!sentence->isVisible());
    s.form.setError("stranger", "nobody");
  }

  /// An error must not move the field that the next click is meant for.
  void errorsDoNotMoveFields() {
    ShownForm s;
    std::vector<QRect> before;
    const auto places = [&] {
      QCoreApplication::processEvents();
      std::vector<QRect> all;
      for (const char* name : {"q_length", "kv_length", "rope_type", "side", "causal", "document_lengths"})
        all.emplace_back(s.part(name)->mapTo(&s.form, QPoint(0, 0)), s.part(name)->size());
      return all;
    };
    before = places();
    s.form.setError("q_length", QString("q_length is 0 but must be an integer from 1 to 4294967296").repeated(3));
    s.form.setError("causal", "causal needs documents");
    QVERIFY(s.part("q_length.error")->isVisible());
    QVERIFY(places() == before);
    QVERIFY2(s.part("q_length")->parentWidget()->toolTip().contains("from 1 to 4294967296</b>") ||
                 s.part("q_length")->parentWidget()->parentWidget()->toolTip().contains("from 1 to 4294967296</b>"),
             "the line may be cut");
  }

  void theMenuCopiesPastesAndResets() {
    ShownForm s;
    auto* row = s.form.findChild<QWidget*>("kv_length")->parentWidget();
    auto* parameter = qobject_cast<ParameterRow*>(row);
    while (!parameter && (row = row->parentWidget())) parameter = qobject_cast<ParameterRow*>(row);
    QVERIFY(parameter);
    const auto choose = [&](const QString& title) {
      const std::unique_ptr<QMenu> menu(parameter->makeMenu(nullptr));
      for (auto* action : menu->actions())
        if (action->text().startsWith(title) && action->isEnabled()) return action->trigger(), true;
      return false;
    };
    QVERIFY2(!choose("Reset"), "it has its default");
    QApplication::clipboard()->setText(" 2^10 ");
    QVERIFY(choose("Paste value"));
    QCOMPARE(s.form.values().integer("kv_length"), Index{1024});
    QVERIFY(choose("Copy as --set"));
    QCOMPARE(QApplication::clipboard()->text(), QString("--set kv_length=1024"));
    QVERIFY(choose("Copy value"));
    QCOMPARE(QApplication::clipboard()->text(), QString("1024"));
    QApplication::clipboard()->setText("many");
    QVERIFY2(!choose("Paste value"), "it is no value");
    const std::unique_ptr<QMenu> menu(parameter->makeMenu(nullptr));
    const auto tips = [&] {
      QStringList all;
      for (const auto* action : menu->actions()) all << action->toolTip();
      return all.join('\n');
    };
    QVERIFY2(tips().contains("Clipboard: kv_length is many but must be"), qPrintable(tips()));
    QCOMPARE(s.form.values().integer("kv_length"), Index{1024});
    QVERIFY(choose("Reset"));
    QCOMPARE(s.form.values().integer("kv_length"), Index{0});
  }

  void toolTipsShowRangeDefaultAndSource() {
    ShownForm s;
    s.form.setCitation({.paper = "Raffel et al. 2020"});
    const QString tip = s.part("q_length")->parentWidget()->toolTip();
    for (const char* text : {"Number of queries &lt;n&gt;.", "An integer from 1 to 4294967296 (tokens)", "Default: 512",
                             "Raffel et al. 2020"})
      QVERIFY2(tip.contains(text), text);
  }

  void fieldsHaveAccessibleNames() {
    ShownForm s;
    QCOMPARE(s.part("q_length")->accessibleName(), QString("T"));
    for (const auto& spec : everyKind()) QVERIFY(!s.part(spec.name.c_str())->accessibleName().isEmpty());
  }

  void fitsThePanel() {
    ShownForm s;
    QVERIFY(s.form.minimumSizeHint().width() <= 288);
  }
};

VQSCOPE_TEST(FormRowsTest)
#include "form_rows_test.moc"
