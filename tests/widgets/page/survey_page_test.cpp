// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/page/survey_page.h"

#include "tests/support/test_main.h"
#include "widgets/parts/menu/table_copies.h"
#include "widgets/parts/text.h"

#include <QAbstractButton>
#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableWidget>
#include <QTest>

#include <algorithm>
#include <functional>

using namespace vqscope;

namespace {

struct ShownSurvey {
  Workbench bench;
  SurveyPage page{bench, *find_page_info("survey"), nullptr};
  QTableWidget* table = page.findChild<QTableWidget*>();

  ShownSurvey() {
    page.resize(1000, 700);
    page.show();
  }
  QStringList shown() const {
    QStringList titles;
    for (int row = 0; row < table->rowCount(); ++row)
      if (!table->isRowHidden(row)) titles << table->item(row, 0)->text();
    return titles;
  }
  void press(const QString& words) {
    for (auto* button : page.findChildren<QAbstractButton*>())
      if (button->text() == words) button->click();
  }
  void select(const QString& title) { table->setCurrentItem(table->findItems(title, Qt::MatchExactly).front()); }
};

}  // namespace

class SurveyPageTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void words_filter_rows() {
    ShownSurvey s;
    QCOMPARE(s.shown().size(), std::ssize(survey_rows()));
    s.page.findChild<QLineEdit*>()->setText("alibi press");
    QVERIFY(s.shown().contains("ALiBi"));
    QVERIFY(s.shown().size() < 6);
    s.page.findChild<QLineEdit*>()->setText("no such words at all");
    QVERIFY(s.shown().isEmpty());
    QVERIFY(s.page.mainMethod());
    s.page.findChild<QLineEdit*>()->clear();
    QCOMPARE(s.shown().size(), std::ssize(survey_rows()));
  }

  /// The two long texts have most of the width: columns that are told elsewhere leave first.
  void long_texts_have_their_width() {
    ShownSurvey s;
    for (const int width : {700, 1000, 1400}) {
      s.page.resize(width, 700);
      QCoreApplication::processEvents();
      const int texts = s.table->columnWidth(4) + s.table->columnWidth(5);
      QVERIFY2(texts > width / 2, qPrintable(QString("%1 of %2").arg(texts).arg(width)));
    }
    QVERIFY(!s.table->isColumnHidden(1));
  }

  void questions_group_rows() {
    ShownSurvey s;
    s.press("I extend a model");
    const QStringList extending = s.shown();
    QVERIFY(extending.contains("YaRN") && !extending.contains("ALiBi"));
    QCOMPARE(s.table->currentItem()->text(), extending.front());  // the inspector explains a row that is shown
    s.press("I train anew");
    QVERIFY(s.shown().contains("ALiBi") && !s.shown().contains("YaRN"));
    QCOMPARE(s.shown().size() + extending.size(), std::ssize(survey_rows()));
  }

  /// The filter goes with the rows, and a row opens its own encoding.
  void columns_sort_rows() {
    ShownSurvey s;
    s.press("I extend a model");
    QStringList titles = s.shown();
    s.table->sortByColumn(0, Qt::DescendingOrder);
    std::ranges::sort(titles, std::ranges::greater());
    QCOMPARE(s.shown(), titles);
    QSignalSpy requested(&s.page, &PageWidget::viewRequested);
    emit s.table->cellActivated(s.table->findItems("YaRN", Qt::MatchExactly).front()->row(), 0);
    QCOMPARE(requested.size(), 1);
    QCOMPARE(requested.front()[1].value<ParameterValues>().choice("rope_type"), std::string("yarn"));
  }

  void two_rows_are_compared() {
    ShownSurvey s;
    s.select("ALiBi");
    s.select("YaRN");
    s.press("Compare two");
    auto* comparison = s.page.findChild<SurveyComparison*>();
    QVERIFY(comparison->isVisible());
    const auto boxes = comparison->findChildren<QComboBox*>();
    QCOMPARE(boxes[0]->currentText(), QString("YaRN"));
    QCOMPARE(boxes[1]->currentText(), QString("ALiBi"));
    auto* facts = comparison->findChild<QTableWidget*>();
    QCOMPARE(facts->horizontalHeaderItem(1)->text(), QString("YaRN"));
    QCOMPARE(facts->item(0, 1)->text(), QString("I extend a model"));
    QVERIFY(facts->item(0, 0)->font().bold());
    s.select("T5 bias");
    QCOMPARE(boxes[0]->currentText(), QString("T5 bias"));
    QCOMPARE(boxes[1]->currentText(), QString("YaRN"));
    s.press("Compare two");
    QVERIFY(!comparison->isVisible());
  }

  /// As Markdown, LaTeX and CSV: the rows and columns on screen, in their order.
  void tables_on_screen_are_copied() {
    ShownSurvey s;
    s.page.findChild<QLineEdit*>()->setText("yarn");
    const auto copies = shownTableCopies(s.page);
    QCOMPARE(copies.size(), std::size_t{3});
    QCOMPARE(copies[0].second->text(), QString("Copy table as Markdown"));
    QVERIFY(!copies[0].first.isEmpty());
    copies[0].second->trigger();
    const QStringList lines = QApplication::clipboard()->text().trimmed().split('\n');
    QCOMPARE(lines.size(), 2 + s.shown().size());
    QVERIFY(lines[0].startsWith("| Encoding"));
    QVERIFY2(lines[2].startsWith("| " + s.shown().front()), qPrintable(lines[2]));
    s.press("Compare two");
    s.page.findChild<QLineEdit*>()->clear();
    const auto both = shownTableCopies(s.page);
    QCOMPARE(both.size(), std::size_t{6});
    QCOMPARE(both.front().first, copies[0].first);  // the larger table comes first
  }

  /// Only rows that the filter leaves are offered and compared.
  void the_comparison_follows_the_filter() {
    ShownSurvey s;
    s.select("ALiBi");
    s.select("YaRN");
    s.press("Compare two");
    auto* comparison = s.page.findChild<SurveyComparison*>();
    const auto boxes = comparison->findChildren<QComboBox*>();
    s.press("I extend a model");
    QCOMPARE(boxes[0]->count(), static_cast<int>(s.shown().size()));
    QCOMPARE(boxes[0]->currentText(), QString("YaRN"));
    QVERIFY(s.shown().contains(boxes[1]->currentText()) && boxes[1]->currentText() != "YaRN");
    s.press("I train anew");
    for (const QComboBox* box : boxes) QVERIFY(s.shown().contains(box->currentText()));
    QVERIFY(boxes[0]->currentText() != boxes[1]->currentText());
    auto* facts = comparison->findChild<QTableWidget*>();
    QCOMPARE(facts->item(0, 1)->text(), QString("I train anew"));
    QCOMPARE(facts->item(0, 2)->text(), QString("I train anew"));
    s.page.findChild<QLineEdit*>()->setText("no such words at all");
    QVERIFY(!facts->isVisible() && !boxes[0]->isEnabled());
    s.page.findChild<QLineEdit*>()->clear();
    QVERIFY(facts->isVisible() && boxes[0]->isEnabled());
  }
};

VQSCOPE_TEST(SurveyPageTest)
#include "survey_page_test.moc"
