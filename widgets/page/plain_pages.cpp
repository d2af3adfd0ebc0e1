// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/page/plain_pages.h"

#include "core/base/sentence.h"
#include "core/catalogue/survey/survey.h"
#include "widgets/parts/parts.h"
#include "widgets/parts/text.h"
#include "widgets/start/start_view.h"

#include <QHeaderView>
#include <QTableWidget>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>

namespace vqscope {
namespace {

enum SurveyColumn { titleColumn, groupColumn, traitsColumn, extrapolationColumn, tradeOffColumn };

constexpr int narrow = 760;  // pixels of a page that has no room for all columns

}  // namespace

StartPage::StartPage(Workbench& workbench, const PageInfo& info, QWidget* parent)
    : PageWidget(workbench, info, parent), m_view(new StartView(this)) {
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(m_view);
}

SurveyPage::SurveyPage(Workbench& workbench, const PageInfo& info, QWidget* parent)
    : PageWidget(workbench, info, parent),
      m_table(plainTable(
          {tr("Encoding"), tr("Kind"), tr("Traits"), tr("Beyond the training length"), tr("Cost and use")}, this)),
      m_wrapping(new QTimer(this)) {
  m_table->setAccessibleName(text(info.help));
  fill();
  connect(m_table, &QTableWidget::currentCellChanged, this, &SurveyPage::announce);
  connect(m_table, &QTableWidget::cellActivated, this, [this](int at) {
    const SurveyRow& chosen = survey_rows()[static_cast<std::size_t>(at)];
    emit viewRequested(text(chosen.method->id), chosen.values);
  });
  m_wrapping->setSingleShot(true);
  m_wrapping->setInterval(0);
  connect(m_wrapping, &QTimer::timeout, m_table, [this] { fitRowHeights(*m_table); });
  connect(m_table->horizontalHeader(), &QHeaderView::sectionResized, this, [this] { m_wrapping->start(); });
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(12, 12, 12, 12);
  layout->addWidget(m_table);
}

void SurveyPage::fill() {
  for (const SurveyRow& each : survey_rows()) {
    const int at = m_table->rowCount();
    m_table->insertRow(at);
    m_table->setItem(at, titleColumn, tableItem(text(each.title)));
    m_table->setItem(at, groupColumn, tableItem(text(each.group)));
    m_table->setItem(at, traitsColumn, tableItem(text(join(trait_words(each), ", "))));
    m_table->setItem(at, extrapolationColumn, tableItem(text(each.traits.extrapolation)));
    m_table->setItem(at, tradeOffColumn, tableItem(text(each.trade_off)));
  }
  fitRows(*m_table);
  m_table->horizontalHeader()->setStretchLastSection(false);
  for (const int column : {extrapolationColumn, tradeOffColumn})
    m_table->horizontalHeader()->setSectionResizeMode(column, QHeaderView::Stretch);
  m_table->setCurrentCell(0, titleColumn);
}

void SurveyPage::resizeEvent(QResizeEvent* event) {
  PageWidget::resizeEvent(event);
  // The list at the left shows both.
  for (const int column : {groupColumn, traitsColumn}) m_table->setColumnHidden(column, width() < narrow);
  m_wrapping->start();
}

const SurveyRow& SurveyPage::row() const {
  return survey_rows()[static_cast<std::size_t>(std::max(0, m_table->currentRow()))];
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
  if (!shown.published.empty()) report.why += fmt::format("\n\n{} ({})", shown.published, shown.published_source);
  emit readoutShown(Readout{shown.method, std::move(report)});
}

}  // namespace vqscope
