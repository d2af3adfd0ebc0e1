// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/page/survey_page.h"

#include "core/base/sentence.h"
#include "widgets/parts/parts.h"
#include "widgets/parts/text.h"

#include <QButtonGroup>
#include <QComboBox>
#include <QFrame>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSplitter>
#include <QTableWidget>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <utility>

namespace vqscope {
namespace {

enum SurveyColumn { titleColumn, questionColumn, groupColumn, traitsColumn, extrapolationColumn, tradeOffColumn };

// Pixels of a page that has no room for
constexpr int middle = 1240;    // all columns
constexpr int narrow = 760;     // the traits
constexpr int narrowest = 600;  // the costs

constexpr int widestFact = 120;

QTimer* wrappingTimer(QObject* owner) {
  auto* timer = new QTimer(owner);
  timer->setSingleShot(true);
  timer->setInterval(0);
  return timer;
}

}  // namespace

SurveyComparison::SurveyComparison(QWidget* parent)
    : QWidget(parent),
      m_a(new QComboBox(this)),
      m_b(new QComboBox(this)),
      m_empty(paragraph(this)),
      m_wrapping(wrappingTimer(this)) {
  m_empty->setText(tr("The filter leaves fewer than two encodings: clear it to compare."));
  m_empty->hide();
  for (QComboBox* box : {m_a, m_b}) {
    box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    box->setMinimumContentsLength(12);
    box->setAccessibleName(box == m_a ? tr("First encoding") : tr("Second encoding"));
    connect(box, &QComboBox::currentIndexChanged, this, &SurveyComparison::fill);
  }
  m_table = plainTable({tr("Fact"), tr("A"), tr("B")}, this);
  m_table->setAccessibleName(tr("Two encodings compared"));
  m_table->horizontalHeader()->setStretchLastSection(false);
  for (const int column : {1, 2}) m_table->horizontalHeader()->setSectionResizeMode(column, QHeaderView::Stretch);
  connect(m_wrapping, &QTimer::timeout, m_table, [this] { fitRowHeights(*m_table); });
  auto* boxes = new QHBoxLayout;
  boxes->addWidget(m_a, 1);
  boxes->addWidget(new QLabel(tr("and"), this));
  boxes->addWidget(m_b, 1);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 6, 0, 0);
  column->addLayout(boxes);
  column->addWidget(m_empty);
  column->addWidget(m_table, 1);
}

void SurveyComparison::offer(const std::vector<int>& rows) {
  const bool any = rows.size() >= 2;
  m_empty->setVisible(!any);
  for (QWidget* part : {static_cast<QWidget*>(m_a), static_cast<QWidget*>(m_b), static_cast<QWidget*>(m_table)})
    part->setEnabled(any);
  m_table->setVisible(any);
  if (!any) return;
  int taken = -1;  // by the first box
  for (QComboBox* box : {m_a, m_b}) {
    const QSignalBlocker blocker(box);
    const int before = box->currentData().isValid() ? box->currentData().toInt() : -1;
    box->clear();
    for (const int row : rows) box->addItem(text(survey_rows()[static_cast<std::size_t>(row)].title), row);
    if (const int same = box->findData(before); same >= 0 && before != taken)
      box->setCurrentIndex(same);
    else
      box->setCurrentIndex(rows[0] == taken ? 1 : 0);
    taken = box->currentData().toInt();
  }
  fill();
}

void SurveyComparison::setRows(int a, int b) {
  for (const auto& [box, row] : {std::pair{m_a, a}, {m_b, b}}) {
    const QSignalBlocker blocker(box);
    if (const int at = box->findData(row); at >= 0) box->setCurrentIndex(at);
  }
  fill();
}

int SurveyComparison::first() const { return m_a->currentData().toInt(); }
int SurveyComparison::second() const { return m_b->currentData().toInt(); }

void SurveyComparison::fill() {
  if (m_a->count() == 0) return;
  const auto rows = survey_rows();
  const auto facts = compared_rows(rows[static_cast<std::size_t>(first())], rows[static_cast<std::size_t>(second())]);
  m_table->setHorizontalHeaderLabels({tr("Fact"), m_a->currentText(), m_b->currentText()});
  m_table->setRowCount(static_cast<int>(facts.size()));
  for (int at = 0; at < m_table->rowCount(); ++at) {
    const SurveyFact& fact = facts[static_cast<std::size_t>(at)];
    const std::array<const std::string*, 3> cells{&fact.name, &fact.a, &fact.b};
    for (int column = 0; column < 3; ++column) {
      auto* item = tableItem(text(*cells[static_cast<std::size_t>(column)]));
      QFont font = m_table->font();
      font.setBold(column == 0 && fact.differs());
      item->setFont(font);
      m_table->setItem(at, column, item);
    }
  }
  m_table->resizeColumnToContents(0);
  m_table->setColumnWidth(0, std::min(widestFact, m_table->columnWidth(0)));
  m_wrapping->start();
}

void SurveyComparison::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  m_wrapping->start();
}

SurveyPage::SurveyPage(Workbench& workbench, const PageInfo& info, QWidget* parent)
    : PageWidget(workbench, info, parent),
      m_table(plainTable({tr("Encoding"), tr("Question"), tr("Kind"), tr("Traits"), tr("Beyond the training length"),
                          tr("Cost and use")},
                         this)),
      m_words(new QLineEdit(this)),
      m_compare(new QPushButton(tr("Compare two"), this)),
      m_count(paragraph(this)),
      m_comparison(new SurveyComparison(this)),
      m_wrapping(wrappingTimer(this)) {
  m_table->setAccessibleName(text(info.help));
  fill();
  connect(m_table, &QTableWidget::currentCellChanged, this, [this](int row) {
    if (row >= 0 && surveyIndex(row) != m_now) {
      m_before = std::exchange(m_now, surveyIndex(row));
      if (m_comparison->isVisibleTo(this)) compareShown();
    }
    announce();
  });
  connect(m_table, &QTableWidget::cellActivated, this, [this](int at) {
    const SurveyRow& chosen = survey_rows()[static_cast<std::size_t>(surveyIndex(at))];
    emit viewRequested(text(chosen.method->id), chosen.values);
  });
  connect(m_wrapping, &QTimer::timeout, m_table, [this] { fitRowHeights(*m_table); });
  connect(m_table->horizontalHeader(), &QHeaderView::sectionResized, this, [this] { m_wrapping->start(); });
  // Heights and hidden rows stay at their places while the rows move.
  connect(m_table->horizontalHeader(), &QHeaderView::sortIndicatorChanged, this, &SurveyPage::filter);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(12, 12, 12, 12);
  addFilters(layout);
  auto* parts = new QSplitter(Qt::Vertical, this);
  parts->setChildrenCollapsible(false);
  parts->setHandleWidth(1);
  parts->addWidget(m_table);
  parts->addWidget(m_comparison);
  parts->setStretchFactor(0, 3);
  parts->setStretchFactor(1, 2);
  m_comparison->hide();
  layout->addWidget(parts, 1);
  filter();
}

void SurveyPage::addFilters(QBoxLayout* layout) {
  m_words->setPlaceholderText(tr("Filter: relative, no parameters, Press 2022…"));
  m_words->setAccessibleName(tr("Filter of the survey"));
  m_words->setClearButtonEnabled(true);
  connect(m_words, &QLineEdit::textChanged, this, &SurveyPage::filter);
  const Segments questions = segmented(
      {tr("All"), text(question_title(SurveyQuestion::train)), text(question_title(SurveyQuestion::extend))}, this);
  m_questions = questions.group;
  m_questions->button(0)->setChecked(true);
  connect(m_questions, &QButtonGroup::idClicked, this, &SurveyPage::filter);
  m_compare->setCheckable(true);
  m_compare->setToolTip(tr("The selected encoding beside the one selected before"));
  connect(m_compare, &QPushButton::toggled, this, &SurveyPage::compare);
  auto* line = new QHBoxLayout;
  line->addWidget(m_words, 1);
  line->addWidget(m_compare);
  layout->addLayout(line);
  auto* second = new QHBoxLayout;
  second->addWidget(questions.frame);
  second->addWidget(m_count, 1);
  layout->addLayout(second);
}

void SurveyPage::fill() {
  int number = 0;
  for (const SurveyRow& each : survey_rows()) {
    const int at = m_table->rowCount();
    m_table->insertRow(at);
    auto* title = tableItem(text(each.title));
    title->setData(Qt::UserRole, number++);
    m_table->setItem(at, titleColumn, title);
    m_table->setItem(at, questionColumn, tableItem(text(question_title(question_of(each)))));
    m_table->setItem(at, groupColumn, tableItem(text(each.group)));
    m_table->setItem(at, traitsColumn, tableItem(text(join(trait_words(each), ", "))));
    m_table->setItem(at, extrapolationColumn, tableItem(text(each.traits.extrapolation)));
    m_table->setItem(at, tradeOffColumn, tableItem(text(each.trade_off)));
  }
  fitRows(*m_table);
  // The texts of the last two columns have what is left.
  for (const auto& [column, widest] :
       {std::pair{titleColumn, 150}, {questionColumn, 110}, {groupColumn, 120}, {traitsColumn, 140}})
    m_table->setColumnWidth(column, std::min(widest, m_table->columnWidth(column)));
  QHeaderView* header = m_table->horizontalHeader();
  header->setStretchLastSection(false);
  for (const int column : {extrapolationColumn, tradeOffColumn})
    header->setSectionResizeMode(column, QHeaderView::Stretch);
  header->setSortIndicator(-1, Qt::AscendingOrder);  // the order of the survey until a title is clicked
  m_table->setSortingEnabled(true);
  m_table->setCurrentCell(0, titleColumn);
}

int SurveyPage::surveyIndex(int row) const {
  const auto* item = m_table->item(row, titleColumn);
  return item ? item->data(Qt::UserRole).toInt() : 0;
}

void SurveyPage::filter() {
  const int question = m_questions->checkedId();
  const std::string words = m_words->text().toStdString();
  int shown = 0;
  for (int at = 0; at < m_table->rowCount(); ++at) {
    const SurveyRow& each = survey_rows()[static_cast<std::size_t>(surveyIndex(at))];
    const bool isAsked = question <= 0 || static_cast<int>(question_of(each)) == question - 1;
    const bool isShown = isAsked && has_words(each, words);
    m_table->setRowHidden(at, !isShown);
    shown += isShown ? 1 : 0;
  }
  m_count->setText(shown > 0 ? tr("%1 of %2 encodings").arg(shown).arg(m_table->rowCount())
                             : tr("No encoding has these words; clear the filter"));
  m_wrapping->start();
  if (shown > 0 && m_table->isRowHidden(m_table->currentRow())) selectFirst();
  if (m_comparison->isVisibleTo(this)) m_comparison->offer(shownRows());
}

/// What the inspector explains is on screen.
void SurveyPage::selectFirst() {
  int at = 0;
  while (m_table->isRowHidden(at)) ++at;
  m_table->setCurrentCell(at, titleColumn);
}

std::vector<int> SurveyPage::shownRows() const {
  std::vector<int> rows;
  for (int at = 0; at < m_table->rowCount(); ++at)
    if (!m_table->isRowHidden(at)) rows.push_back(surveyIndex(at));
  return rows;
}

void SurveyPage::compare(bool on) {
  m_comparison->setVisible(on);
  if (on) compareShown();
}

/// The selected row beside the one before; both among those that are shown.
void SurveyPage::compareShown() {
  const auto rows = shownRows();
  m_comparison->offer(rows);
  if (rows.size() < 2) return;
  const auto shownOr = [&](int row, int other) {
    if (std::ranges::count(rows, row) > 0 && row != other) return row;
    return *std::ranges::find_if(rows, [other](int each) { return each != other; });
  };
  const int first = shownOr(m_now, -1);
  m_comparison->setRows(first, shownOr(m_before, first));
}

void SurveyPage::resizeEvent(QResizeEvent* event) {
  PageWidget::resizeEvent(event);
  // The list at the left shows kind and traits, the buttons the question, and the inspector the cost.
  for (const int column : {questionColumn, groupColumn}) m_table->setColumnHidden(column, width() < middle);
  m_table->setColumnHidden(traitsColumn, width() < narrow);
  m_table->setColumnHidden(tradeOffColumn, width() < narrowest);
  m_wrapping->start();
}

const SurveyRow& SurveyPage::row() const {
  return survey_rows()[static_cast<std::size_t>(surveyIndex(std::max(0, m_table->currentRow())))];
}

const Method* SurveyPage::mainMethod() const { return row().method; }

void SurveyPage::announce() {
  const SurveyRow& shown = row();
  const auto word = [](bool yes) { return std::string(yes ? "yes" : "no"); };
  CellReport report{{{"encoding", shown.title},
                     {"kind", shown.group},
                     {"relative", word(shown.traits.relative)},
                     {"trainable", word(shown.traits.trainable)},
                     {"each layer", word(shown.traits.each_layer)}},
                    shown.traits.extrapolation};
  if (!shown.trade_off.empty()) report.why += "\n\n" + shown.trade_off;
  if (!shown.published.empty()) report.why += fmt::format("\n\n{} ({})", shown.published, shown.published_source);
  emit readoutShown(Readout{shown.method, std::move(report)});
}

}  // namespace vqscope
