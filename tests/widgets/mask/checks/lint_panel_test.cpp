// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/mask/checks/lint_panel.h"

#include "core/backend/backend.h"
#include "tests/support/compare.h"
#include "tests/support/needs_lab.h"
#include "tests/support/test_main.h"
#include "tests/widgets/view/view_cases.h"
#include "widgets/form/control/mask_text_edit.h"
#include "widgets/form/parameter_form.h"
#include "widgets/mask/checks/backend_list.h"
#include "widgets/mask/checks/lint_parts.h"
#include "widgets/session/workbench.h"
#include "widgets/theme/palette.h"
#include "widgets/view/overlay.h"

#include <QAbstractButton>
#include <QClipboard>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QStackedWidget>
#include <QToolButton>

using namespace vqscope;
using namespace vqscope::test;

namespace {

std::shared_ptr<const LintCase> caseOf(const char* mask, const char* objective, Index length = 6) {
  auto preset = default_values(find_method("visibility")->parameters);
  preset.set("mask", std::string(mask));
  preset.set("q_length", length);
  auto stated = default_values(lint_parameters());
  stated.set("objective", std::string(objective));
  return std::make_shared<const LintCase>(*lint_case(*lint_case(preset), stated));
}

struct Shown {
  Workbench workbench;
  LintPanel panel{workbench};

  explicit Shown(std::shared_ptr<const LintCase> given) {
    panel.resize(300, 900);
    panel.show();
    set(std::move(given));
  }
  void set(std::shared_ptr<const LintCase> given) {
    panel.setCase(std::move(given));
    settle();
  }
  void settle() {
    QTRY_VERIFY_WITH_TIMEOUT(!panel.isBusy(), 120000);
    QCoreApplication::processEvents();  // what was added to a layout is shown by it
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
  }
  bool shows(const QString& sentence) const {
    for (const auto* label : panel.findChildren<QLabel*>())
      if (label->isVisible() && label->text().contains(sentence)) return true;
    return false;
  }
  void copyCommandLine() {
    for (auto* button : panel.findChildren<QToolButton*>())
      if (button->toolTip() == "Copy the command that runs this check") button->click();
  }
  void press(const QString& title) {
    for (auto* button : panel.findChildren<QAbstractButton*>())
      if (button->text() == title) button->click();
  }
};

}  // namespace

class LintPanelTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void initTestCase() { applyTheme(*qApp, Theme::light); }

  /// Findings of other samples stand below those of the sample that is shown, and go to theirs.
  void findings_of_all_samples() {
    Shown s(caseOf("causal", "causal"));
    BatchOverview batch{.samples = 3, .heads = 2, .sample = 0, .head = 1};
    s.panel.setBatch(batch);
    QVERIFY(s.shows("No rule is broken in this sample. All 3 samples and 2 heads are being checked."));
    batch.looks = std::make_shared<const BatchLooks>();
    s.panel.setBatch(batch);
    QVERIFY(s.shows("✓ No rule is broken in any of 3 samples and 2 heads (objective: causal)."));
    BatchLooks looks;
    const Finding future{
        .rule = "future_visible", .row = 2, .key = 4, .sentence = "query 2 sees key 4", .batch = 2, .head = 1};
    Finding empty{.rule = "empty_row", .sentence = "the sample has no real token", .batch = 1};
    Finding shown{.rule = "empty_row", .sentence = "of the shown one", .batch = 0};
    looks.report.findings = {empty, future, shown};
    batch.looks = std::make_shared<const BatchLooks>(looks);
    s.panel.setBatch(batch);
    QCoreApplication::processEvents();
    QVERIFY(s.shows("✕ No rule is broken in this sample; 2 findings in other samples"));
    QVERIFY(s.shows("Sample 2, head 1"));
    QVERIFY(!s.shows("of the shown one"));
    QSignalSpy picked(&s.panel, &LintPanel::samplePicked);
    QSignalSpy cells(&s.panel, &LintPanel::cellPicked);
    for (auto* row : s.panel.findChildren<FindingRow*>()) QTest::keyClick(row, Qt::Key_Return);
    QVERIFY(cells.isEmpty());
    QCOMPARE(picked.size(), 2);
    QCOMPARE(picked[0][0].value<Index>(), Index{1});
    QCOMPARE(picked[0][1].value<Index>(), Index{1});
    QVERIFY(!picked[0][2].value<std::optional<Cell>>());
    QCOMPARE(picked[1][0].value<Index>(), Index{2});
    QCOMPARE(picked[1][2].value<std::optional<Cell>>()->col, Index{4});
    looks.report.questions = {
        {.rule = "empty_row", .severity = Severity::question, .sentence = "set dialect", .batch = 1}};
    looks.report.findings.clear();
    batch.looks = std::make_shared<const BatchLooks>(looks);
    s.panel.setBatch(batch);
    QCoreApplication::processEvents();
    QVERIFY(s.shows("? Question · Sample 1"));
    QVERIFY(s.shows("(objective: causal). One input is missing."));
    s.panel.setBatch({});
    QVERIFY(s.shows("✓ No rule is broken (objective: causal)."));
  }

  void allClearListsCheckedRules() {
    Shown s(caseOf("causal", "automatic"));
    QVERIFY(s.panel.findChildren<FindingRow*>().isEmpty());
    QVERIFY(s.shows("No rule is broken (objective: causal)."));
    QVERIFY(s.shows("✓ Under a causal objective, every visible key has kv_pos <= q_pos."));
    // One mask of a file does not clear the others.
    auto part = *caseOf("causal", "automatic");
    part.file = MaskFile{.decided = PolaritySource::stated, .masks = 3};
    part.backend = "sdpa";
    s.set(std::make_shared<const LintCase>(part));
    QVERIFY(s.shows("No rule is broken in this mask, one of 3 of its file."));
    QVERIFY(!s.shows("✓ No rule is broken"));
    QVERIFY(!s.shows("Documents leak: one document"));
    s.press("▸ 29 skipped");
    QVERIFY(s.shows("Documents leak: one document"));
  }

  void findingsPickTheirCell() {
    Shown s(caseOf("bidirectional", "causal"));
    const auto rows = s.panel.findChildren<FindingRow*>();
    QCOMPARE(rows.size(), 1);
    QVERIFY(s.shows("✕ Error · Future visible"));
    QVERIFY(s.shows("Row 0 sees key 1: kv_pos 1 > q_pos 0"));
    QVERIFY(!s.shows("✓ Under a causal objective, every visible key has kv_pos <= q_pos."));
    std::vector<Cell> picked;
    connect(&s.panel, &LintPanel::cellPicked, this, [&](Cell cell) { picked.push_back(cell); });
    QTest::mouseClick(rows.front(), Qt::LeftButton);
    QTest::keyClick(rows.front(), Qt::Key_Return);
    QCOMPARE(picked, (std::vector<Cell>{{0, 1}, {0, 1}}));
  }

  /// A and B, or both: what both have stands once.
  void bothSidesOfAComparison() {
    Shown s(nullptr);
    s.panel.setCase(caseOf("bidirectional", "causal"), caseOf("causal", "causal"));
    s.settle();
    QVERIFY(s.shows("✕ 1 error"));
    s.press("B");
    s.settle();
    QVERIFY(s.shows("✓ No rule is broken (objective: causal)."));
    s.press("A and B");
    s.settle();
    QVERIFY(s.shows("✕ Error · A · Future visible"));
    s.press("A, edited");
    s.settle();
    s.panel.setEditedSide(true);
    s.settle();
    QVERIFY2(s.shows("✓ No rule is broken"), "the checks turn to the edited side");
    s.set(caseOf("bidirectional", "causal"));
    QVERIFY(s.shows("✕ 1 error") && !s.shows("· A ·"));
  }

  /// The question names two windows; a button sets one of them, as a step that can be undone.
  void aQuestionHasItsButtons() {
    Shown s(nullptr);
    s.workbench.showPage("masks");
    ShownPage next = s.workbench.current();
    next.values.set("mask", std::string("custom"));
    next.values.set("mask_text", std::string("window = 4\nreturn (q_idx >= kv_idx) & (q_idx - kv_idx <= window)"));
    QVERIFY(s.workbench.edit("set", next));
    const auto now = [&] {
      return std::make_shared<const LintCase>(
          *lint_case(carried_values(*find_method("visibility"), s.workbench.current().values)));
    };
    QSignalSpy fixes(&s.panel, &LintPanel::fixFound);
    s.set(now());
    QVERIFY(s.shows("? Question · Expected keys hidden"));
    const auto hasFix = [&] {
      const auto fix = fixes.last()[0].value<std::optional<TextFix>>();
      return fix && fix->fix == "<";
    };
    QTRY_VERIFY_WITH_TIMEOUT(hasFix(), 30000);  // once typing rests
    s.press("Set window = 5");
    QCOMPARE(s.workbench.current().lint.integer("window"), Index{5});
    s.workbench.undo();
    s.press("Set window = 4");
    QCOMPARE(s.workbench.current().lint.integer("window"), Index{4});
    s.set(now());
    QVERIFY(s.shows("✕ Error · Window off"));
    QTRY_VERIFY_WITH_TIMEOUT(hasFix(), 30000);
    s.press("Fix: <");
    QVERIFY(s.workbench.current().values.text("mask_text").ends_with("(q_idx - kv_idx < window)"));
    s.set(now());
    QVERIFY(s.shows("✓ No rule is broken"));
  }

  void theLastCaseCounts() {
    Shown s(caseOf("bidirectional", "causal"));
    for (Index length = 10; length < 30; ++length) s.panel.setCase(caseOf("bidirectional", "causal", length));
    s.set(caseOf("padding", "automatic", 80));
    QCOMPARE(s.panel.findChildren<FindingRow*>().size(), 1);
    QVERIFY(s.shows("? Question · Rows without a key"));
    QVERIFY2(s.shows("? No rule is broken (objective: causal). One input is missing."), "the sign is the question's");
    s.set(nullptr);
    QVERIFY(s.panel.findChildren<FindingRow*>().isEmpty());
    QVERIFY(s.shows("This view has no rows of a mask. Choose Mask or Blocks to check it."));
    QVERIFY2(!s.panel.findChild<QPushButton*>("testMask")->isVisible(), "there is nothing to test");
    s.set(caseOf("causal", "automatic"));
    QCOMPARE(s.panel.findChild<QPushButton*>("testMask")->isVisible(), test::has_lab());
  }

  void backendsListInexpressibleParts() {
    Shown s(caseOf("prefix_lm", "automatic", 16));
    s.press("Backends");
    QVERIFY(s.shows("This mask is prefix 4."));
    QVERIFY(s.shows("✓ expresses the whole mask"));
    QVERIFY(s.shows("▲ cannot express: prefix 4"));
    s.set(caseOf("bidirectional", "causal"));
    QVERIFY(s.shows("This mask is bidirectional"));
  }

  void theSnippetIsCopied() {
    Shown s(caseOf("causal", "automatic", 16));
    s.press("Backends");
    QSignalSpy copied(&s.panel, &LintPanel::copied);
    auto* button = s.panel.findChild<BackendList*>()->findChildren<QToolButton*>().front();
    button->click();
    QTRY_COMPARE(copied.count(), 1);
    QCOMPARE(copied[0][0].toString(), QString("Copied: Python for torch SDPA, boolean"));
    const auto given = caseOf("causal", "automatic", 16);
    COMPARE_TEXT(QApplication::clipboard()->text().toStdString(),
                 backend_snippet(*find_backend("sdpa"), verified(wanted_structure(*given), *given->mask, given->layout),
                                 given->layout));
    s.set(nullptr);
    QVERIFY(!button->isEnabled());
  }

  /// Each edit is one of the session, undone like any other.
  void expectedValuesBelongToTheSession() {
    Shown s(nullptr);
    s.workbench.showPage("masks");
    s.set(caseOf("causal", "automatic"));
    QVERIFY(!s.panel.form()->form()->isVisible());
    s.press("▸ Expected mask");
    QVERIFY(s.panel.form()->form()->isVisible());
    emit s.panel.form()->form()->valueEdited("window", Index{3}, true);
    QCOMPARE(s.workbench.current().lint.integer("window"), Index{3});
    s.set(caseOf("causal", "automatic"));
    QVERIFY(s.shows("Row 3 sees key 0, 3 behind"));
    QCOMPARE(s.panel.givenCase()->window, std::optional<Index>(3));
    s.workbench.undoStack().undo();
    s.set(caseOf("causal", "automatic"));
    QVERIFY(s.shows("No rule is broken (objective: causal)."));
  }

  /// A short text is a line, and what it means is checked.
  void numbersOfAMaskAreALine() {
    Shown s(nullptr);
    s.workbench.showPage("masks");
    QVERIFY(s.panel.form()->findChildren<MaskTextEdit*>().isEmpty());
    emit s.panel.form()->form()->valueEdited("masked_value", std::string("-1e30 -inf"), true);
    emit s.panel.form()->form()->valueEdited("dtype", std::string("float16"), true);
    s.set(caseOf("causal", "automatic"));
    QVERIFY(s.shows("✕ Error · Masked value"));
    emit s.panel.form()->form()->valueEdited("masked_value", std::string("much"), true);
    s.set(caseOf("causal", "automatic"));
    QCOMPARE(s.panel.findChild<QLabel*>("masked_value.error")->text(),
             QString("masked_value is much but must be numbers such as -1e9 or -inf between blanks"));
  }

  void invalidInputShowsItsErrorBelow() {
    Shown s(nullptr);
    s.workbench.showPage("masks");
    emit s.panel.form()->form()->valueEdited("labels", std::vector<Index>{1, 2}, true);
    QSignalSpy changed(&s.panel, &LintPanel::caseChanged);
    s.set(caseOf("causal", "automatic"));
    QCOMPARE(changed.count(), 1);
    QVERIFY(!s.panel.givenCase());
    const QString sentence = "labels has 2 entries but must have q_length = 6";
    QVERIFY(s.shows(sentence));
    QCOMPARE(s.panel.findChild<QLabel*>("labels.error")->text(), sentence);
    s.press("Backends");
    QVERIFY2(s.shows("This mask is causal."), "a mask is shown all the same");
    s.press("Findings");
    s.set(caseOf("causal", "automatic", 2));
    QVERIFY(s.panel.givenCase());
    QVERIFY(!s.shows(sentence));
  }

  /// A verdict on former values is none: no tick in green, no finding unmarked, nothing copied.
  void outdatedVerdictsAreMarked() {
    Shown s(caseOf("causal", "automatic", 16));
    const auto* overlay = s.panel.findChild<Overlay*>();
    const auto good = [&] {
      for (const auto* label : s.panel.findChildren<QLabel*>())
        if (label->text().startsWith("✓ No rule is broken")) return label->property("class") == "good";
      return false;
    };
    QVERIFY(good() && overlay->freshness().isCurrent());
    QSignalSpy refused(&s.panel, &LintPanel::refused);
    QSignalSpy copied(&s.panel, &LintPanel::copied);
    s.panel.setCase(caseOf("bidirectional", "causal"));
    QVERIFY2(!good() && !overlay->freshness().isCurrent(), "the check is under way");
    s.set(caseOf("causal", "automatic", 16));
    QVERIFY(good());
    s.panel.setFreshness(Freshness::computing());
    QVERIFY(!good() && !overlay->freshness().isCurrent());
    s.panel.findChild<BackendList*>()->findChildren<QToolButton*>().front()->click();
    QCOMPARE(refused.count(), 1);
    s.panel.setFreshness(Freshness::outdated("mask_text, line 1, column 3: unexpected )"));
    QVERIFY(!good());
    QTRY_VERIFY(overlay->isVisible());
    for (auto* button : s.panel.findChildren<QToolButton*>())
      if (button->toolTip() == "Copy the command that runs this check") button->click();
    QCOMPARE(refused.count(), 2);
    QCOMPARE(refused[1][0].toString(), QString("Fix the error first: mask_text, line 1, column 3: unexpected )"));
    QCOMPARE(copied.count(), 0);
    s.panel.setFreshness({});
    QVERIFY(good() && overlay->isHidden());
  }

  void assumedObjectivesAreMarked() {
    Shown s(caseOf("custom", "automatic"));
    QVERIFY(s.shows("objective: causal (assumed)"));
    s.set(caseOf("custom", "causal"));
    QVERIFY(!s.shows("(assumed)"));
  }

  void theCommandLineIsCopied() {
    Shown s(nullptr);
    s.workbench.showPage("masks");
    ShownPage next = s.workbench.current();
    next.values.set("q_length", Index{6});
    next.lint.set("window", Index{3});
    QVERIFY(s.workbench.edit("set", next));
    s.set(caseOf("causal", "automatic"));
    s.copyCommandLine();
    QCOMPARE(QApplication::clipboard()->text(), QString("vqscope check --set q_length=6 --set window=3"));
  }

  void longCommandLineIsCopiedWholeAndShownShortened() {
    Shown s(nullptr);
    s.workbench.showPage("masks");
    ShownPage next = s.workbench.current();
    next.values.set("mask", std::string("custom"));
    next.values.set("mask_text", "return kv_idx <= q_idx  # " + std::string(1000, 'x'));
    QVERIFY(s.workbench.edit("set", next));
    s.set(caseOf("causal", "automatic"));
    QSignalSpy copied(&s.panel, &LintPanel::copied);
    s.copyCommandLine();
    QVERIFY(QApplication::clipboard()->text().size() > 1000);
    QVERIFY(copied[0][0].toString().startsWith("Copied: vqscope check"));
    QVERIFY(copied[0][0].toString().size() <= 400);
  }

  void bothThemesAndNarrow() {
    Shown s(caseOf("bidirectional", "causal"));
    for (const Theme theme : {Theme::dark, Theme::light}) {
      applyTheme(*qApp, theme);
      s.panel.resize(224, 700);
      QVERIFY(!s.panel.grab().isNull());
      for (const auto* row : s.panel.findChildren<FindingRow*>()) QVERIFY(row->width() <= 224);
    }
  }
};

VQSCOPE_TEST(LintPanelTest)
#include "lint_panel_test.moc"
