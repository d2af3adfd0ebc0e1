// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/view/contract_panel.h"

#include "core/mask/dialect.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"
#include "tests/widgets/view/view_cases.h"
#include "widgets/theme/palette.h"
#include "widgets/view/dialect_list.h"
#include "widgets/view/finding_row.h"

#include <QAbstractButton>
#include <QClipboard>
#include <QLabel>
#include <QStackedWidget>
#include <QToolButton>

using namespace vqscope;
using namespace vqscope::test;

namespace {

std::shared_ptr<const ContractCase> caseOf(const char* mask, const char* objective, Index length = 6) {
  auto preset = default_values(find_method("visibility")->parameters);
  preset.set("mask", std::string(mask));
  preset.set("q_length", length);
  auto stated = default_values(contract_parameters());
  stated.set("objective", std::string(objective));
  return std::make_shared<const ContractCase>(*contract_case(*contract_case(preset), stated));
}

struct Shown {
  Workbench workbench;
  ContractPanel panel{workbench};

  explicit Shown(std::shared_ptr<const ContractCase> given) {
    panel.resize(300, 900);
    panel.show();
    set(std::move(given));
  }
  void set(std::shared_ptr<const ContractCase> given) {
    panel.setCase(std::move(given));
    QTRY_VERIFY(!panel.isBusy());
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
  }
  bool says(const QString& sentence) const {
    for (const auto* label : panel.findChildren<QLabel*>())
      if (label->isVisible() && label->text().contains(sentence)) return true;
    return false;
  }
  void press(const QString& title) {
    for (auto* button : panel.findChildren<QAbstractButton*>())
      if (button->text() == title) button->click();
  }
};

}  // namespace

class ContractPanelTest : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() { applyTheme(*qApp, Theme::light); }

  void allClearSaysWhatWasChecked() {
    Shown s(caseOf("causal", "automatic"));
    QVERIFY(s.panel.findChildren<FindingRow*>().isEmpty());
    QVERIFY(s.says("Nothing breaks the contract of a causal objective."));
    QVERIFY(s.says("✓ Under a causal objective kv_pos <= q_pos wherever a key is visible."));
    QVERIFY(!s.says("Documents leak: one document"));
    s.press("▸ 19 not asked");
    QVERIFY(s.says("Documents leak: one document"));
  }

  void findingsPickTheirCell() {
    Shown s(caseOf("bidirectional", "causal"));
    const auto rows = s.panel.findChildren<FindingRow*>();
    QCOMPARE(rows.size(), 1);
    QVERIFY(s.says("✕ Error · Future visible"));
    QVERIFY(s.says("Row 0 sees key 1: kv_pos 1 > q_pos 0"));
    QVERIFY(!s.says("✓ Under a causal objective kv_pos <= q_pos wherever a key is visible."));
    std::vector<Cell> picked;
    connect(&s.panel, &ContractPanel::cellPicked, this, [&](Cell cell) { picked.push_back(cell); });
    QTest::mouseClick(rows.front(), Qt::LeftButton);
    QTest::keyClick(rows.front(), Qt::Key_Return);
    QCOMPARE(picked, (std::vector<Cell>{{0, 1}, {0, 1}}));
  }

  void theLastCaseCounts() {
    Shown s(caseOf("bidirectional", "causal"));
    for (Index length = 10; length < 30; ++length) s.panel.setCase(caseOf("bidirectional", "causal", length));
    s.set(caseOf("padding", "automatic", 80));
    QCOMPARE(s.panel.findChildren<FindingRow*>().size(), 1);
    QVERIFY(s.says("▲ Warning · Rows without a key"));
    s.set(nullptr);
    QVERIFY(s.panel.findChildren<FindingRow*>().isEmpty());
    QVERIFY(s.says("No mask is shown."));
  }

  void dialectsSayWhatTheyCannot() {
    Shown s(caseOf("prefix_lm", "automatic", 16));
    s.press("Dialects");
    QVERIFY(s.says("This mask is prefix 4."));
    QVERIFY(s.says("✓ says all of it"));
    QVERIFY(s.says("▲ cannot say: prefix 4"));
    s.set(caseOf("bidirectional", "causal"));
    QVERIFY(s.says("This mask is none that has a name"));
  }

  void theSnippetIsCopied() {
    Shown s(caseOf("causal", "automatic", 16));
    s.press("Dialects");
    QSignalSpy copied(&s.panel, &ContractPanel::copied);
    auto* button = s.panel.findChild<DialectList*>()->findChildren<QToolButton*>().front();
    button->click();
    QCOMPARE(copied.count(), 1);
    QCOMPARE(copied[0][0].toString(), QString("Copied: Python for torch SDPA, boolean"));
    const auto given = caseOf("causal", "automatic", 16);
    COMPARE_TEXT(QApplication::clipboard()->text().toStdString(),
                 dialect_snippet(*find_dialect("sdpa"), verified(wanted_structure(*given), *given->mask, given->layout),
                                 given->layout));
    s.set(nullptr);
    QVERIFY(!button->isEnabled());
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

VQSCOPE_TEST(ContractPanelTest)
#include "contract_panel_test.moc"
