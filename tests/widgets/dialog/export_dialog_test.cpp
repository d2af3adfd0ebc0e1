// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/dialog/export_dialog.h"

#include "core/base/text.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"
#include "tests/widgets/view/view_cases.h"
#include "widgets/theme/palette.h"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRadioButton>
#include <QSpinBox>

#include <algorithm>

using namespace vqscope;
using namespace vqscope::test;

namespace {

ExportTarget targetOf(const char* id, const ParameterValues::Map& set, const std::optional<ViewRange>& view = {}) {
  ParameterValues values = default_values(find_method(id)->parameters, set);
  return {find_method(id), values, view};
}

ExportTarget curves(const char* id) { return {find_method(id), default_values(find_method(id)->parameters), {}}; }

/// The dialog, and its parts by what they are called on screen.
struct ShownExport {
  ExportDialog dialog;

  explicit ShownExport(const std::vector<ExportTarget>& targets, std::size_t selected = 0,
                       const ExportChoices& choices = {})
      : dialog(targets, selected, default_page(page_infos().front()), choices, nullptr) {
    dialog.show();
    settle();
  }
  /// Matrices are made off the GUI thread.
  void settle() {
    if (dialog.request().method->field()) QTRY_VERIFY(radio("rows and columns")->isEnabled());
  }
  QRadioButton* radio(const QString& text) {
    for (auto* each : dialog.findChildren<QRadioButton*>())
      if (each->text() == text) return each;
    return nullptr;
  }
  QLineEdit* line(const QString& name) {
    for (auto* each : dialog.findChildren<QLineEdit*>())
      if (each->accessibleName() == name) return each;
    return nullptr;
  }
  QPushButton* accept() {
    for (auto* each : dialog.findChildren<QPushButton*>())
      if (each->isDefault()) return each;
    return nullptr;
  }
  bool shows(const QString& sentence) {
    return std::ranges::any_of(dialog.findChildren<QLabel*>(),
                               [&](const QLabel* each) { return each->text() == sentence; });
  }
  void format(const QString& suffix) {
    for (auto* box : dialog.findChildren<QComboBox*>())
      if (const int index = box->findData(suffix); index >= 0) box->setCurrentIndex(index);
    QCOMPARE(dialog.format(), suffix);
  }
};

}  // namespace

class ExportDialogTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void initTestCase() { applyTheme(*qApp, Theme::light); }

  void theLastChoicesAreTheFirst() {
    const ExportChoices last{"csv", 300, "/tmp"};
    ShownExport s({curves("t5_staircase")}, 0, last);
    QCOMPARE(s.dialog.format(), QString("csv"));
    const ExportChoices kept = s.dialog.choices();
    QVERIFY(kept.format == last.format && kept.dpi == last.dpi && kept.folder == last.folder);
  }

  void ranges() {
    QCOMPARE(*parseRange("12:40", 100, "rows"), (Range{12, 40}));
    QCOMPARE(*parseRange(":40", 100, "rows"), (Range{0, 40}));
    QCOMPARE(*parseRange("12:", 100, "rows"), (Range{12, 100}));
    QCOMPARE(*parseRange(" : ", 100, "rows"), (Range{0, 100}));
    QCOMPARE(*parseRange("  5 : 6 ", 100, "rows"), (Range{5, 6}));
    QCOMPARE(*parseRange("0:2147483648", 2147483648, "rows"), (Range{0, 2147483648}));
  }

  void rangeErrors_data() {
    QTest::addColumn<QString>("given");
    for (const char* given :
         {"", "5", "5:5", "6:5", "-1:5", "0:101", "a:b", "1:2:3", "1.5:3", "1:99999999999999999999"})
      QTest::newRow(*given ? given : "empty") << QString(given);
  }

  void rangeErrors() {
    QFETCH(QString, given);
    COMPARE_ERROR(parseRange(given, 100, "columns"), "columns is " + (given.isEmpty() ? "empty" : given.toStdString()) +
                                                         ", must be begin:end within 0:100");
  }

  void longInputIsQuotedInPart() {
    const auto range = parseRange(QString(5000, 'x'), 100, "rows");
    QVERIFY(!range && range.error().message.size() < 200);
  }

  void theWholeMatrixIsNoBlock() {
    ShownExport s({targetOf("t5_bucket", {{"q_length", Index{64}}})});
    const ExportRequest request = s.dialog.request();
    QCOMPARE(request.method->id, std::string("t5_bucket"));
    QCOMPARE(request.values.integer("q_length"), Index{64});
    QVERIFY(!request.cells);
    QVERIFY(!request.force);
    QVERIFY2(!s.radio("visible range")->isEnabled(), "all of it is in view");
    QVERIFY(s.accept()->isEnabled());
  }

  /// Cells that are in view in part are in it.
  void theVisibleRange() {
    ShownExport s({targetOf("t5_bucket", {{"q_length", Index{64}}}, ViewRange{10.5, 20.25, 3, 17})});
    QVERIFY(s.radio("visible range")->isEnabled());
    s.radio("visible range")->click();
    QCOMPARE(s.dialog.request().cells, std::optional(Rect{{10, 21}, {3, 17}}));
    QVERIFY(!s.dialog.request().look.view);
    s.radio("whole")->click();
    QVERIFY(!s.dialog.request().cells);
  }

  void aBlock() {
    ShownExport s({targetOf("t5_bucket", {{"q_length", Index{64}}})});
    QVERIFY(!s.line("Rows")->isEnabled());
    s.radio("rows and columns")->click();
    QVERIFY(s.line("Rows")->isEnabled());
    QCOMPARE(s.line("Rows")->text(), QString("0:64"));
    s.line("Rows")->setText("3:9");
    s.line("Columns")->setText(":5");
    QCOMPARE(s.dialog.request().cells, std::optional(Rect{{3, 9}, {0, 5}}));
    QVERIFY(s.accept()->isEnabled());
    s.line("Columns")->setText("60:70");
    QVERIFY2(!s.accept()->isEnabled(), "columns beyond the matrix can be exported");
    s.line("Columns")->setText("60:64");
    QVERIFY(s.accept()->isEnabled());
  }

  void everyFormatHasItsName() {
    ShownExport s({targetOf("t5_bucket", {}), curves("t5_staircase")});
    for (const auto& suffix : export_suffixes()) {
      s.format(QString::fromStdString(suffix));
      QCOMPARE(s.dialog.suggestedName(), QString::fromStdString("t5_bucket." + suffix));
    }
  }

  void resolutionIsOfFigures() {
    ShownExport s({targetOf("t5_bucket", {})});
    auto* dpi = s.dialog.findChild<QSpinBox*>();
    s.format("png");
    QVERIFY(dpi->isEnabled());
    dpi->setValue(300);
    QCOMPARE(s.dialog.request().figure.dpi, 300);
    s.format("csv");
    QVERIFY(!dpi->isEnabled());
  }

  void curvesHaveNoBlocks() {
    ShownExport s({targetOf("t5_bucket", {{"q_length", Index{64}}}, ViewRange{1, 2, 3, 4}), curves("t5_staircase")}, 1);
    QCOMPARE(s.dialog.request().method->id, std::string("t5_staircase"));
    QVERIFY(!s.radio("visible range")->isEnabled());
    QVERIFY(!s.radio("rows and columns")->isEnabled());
    QVERIFY(!s.dialog.request().cells);
  }

  /// Parts of one target do not go over to the next.
  void anotherTargetHasItsOwnPart() {
    ShownExport s({targetOf("t5_bucket", {{"q_length", Index{64}}}, ViewRange{1, 20, 3, 40}),
                   targetOf("t5_bucket", {{"q_length", Index{8}}}), curves("t5_staircase")});
    auto* what = s.dialog.findChildren<QComboBox*>().front();
    s.radio("rows and columns")->click();
    for (const int index : {1, 2, 0}) {
      what->setCurrentIndex(index);
      s.settle();
      const auto cells = s.dialog.request().cells;
      QVERIFY2(!cells || (index < 2 && cells->rows.end <= (index == 0 ? 64 : 8)), qPrintable(QString::number(index)));
      QVERIFY(s.accept()->isEnabled());
    }
  }

  void largeFilesAreSizedBeforeTheyAreWritten() {
    ShownExport s({targetOf("t5_bucket", {{"q_length", Index{2097152}}})});
    s.format("npy");
    const double size = export_size(s.dialog.request(), "npy");
    QCOMPARE(size, 4 * 2097152.0 * 2097152.0 + 128);
    QVERIFY(size > most_export_bytes);
    QVERIFY(s.shows(QString::fromStdString("At most " + byte_count(size) + ".")));
  }

  /// Some matrices take long to make, and exporting the whole does not wait for them.
  void dialogOpensBeforeItsMatrixIsReady() {
    const ShownPage look = default_page(page_infos().front());
    ExportDialog dialog({targetOf("t5_bucket", {{"q_length", Index{64}}}, ViewRange{1, 2, 3, 4})}, 0, look, {},
                        nullptr);
    const auto buttons = dialog.findChildren<QRadioButton*>();
    QCOMPARE(std::ranges::count_if(buttons, &QRadioButton::isEnabled), 1);
    QVERIFY(!dialog.request().cells);
    QTRY_COMPARE(std::ranges::count_if(buttons, &QRadioButton::isEnabled), 3);
  }

  void invalidValuesAreReported() {
    const ShownPage look = default_page(page_infos().front());
    ExportDialog dialog({targetOf("t5_bucket", {{"num_buckets", Index{3}}})}, 0, look, {}, nullptr);
    QTRY_VERIFY(std::ranges::any_of(dialog.findChildren<QLabel*>(),
                                    [](const QLabel* each) { return each->text().startsWith("num_buckets is 3"); }));
  }
};

VQSCOPE_TEST(ExportDialogTest)
#include "export_dialog_test.moc"
