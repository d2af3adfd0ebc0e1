// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/page/survey_page.h"

#include "core/catalogue/registry.h"
#include "widgets/parts/parts.h"
#include "widgets/parts/text.h"

#include <QHeaderView>
#include <QTableWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace vqscope {
namespace {

enum SurveyColumn { titleColumn, pageColumn, relativeColumn, trainableColumn, eachLayerColumn, extrapolationColumn };

QString yesNo(bool yes) { return yes ? SurveyPage::tr("yes") : QStringLiteral("–"); }

}  // namespace

SurveyPage::SurveyPage(Workbench& workbench, const WorkspaceInfo& info, QWidget* parent)
    : WorkspacePage(workbench, info, parent),
      m_table(plainTable({tr("Encoding"), tr("Page"), tr("Relative"), tr("Trainable"), tr("Each layer"),
                          tr("Beyond the training length")},
                         this)) {
  m_table->setAccessibleName(text(info.help));
  fill();
  connect(m_table, &QTableWidget::currentCellChanged, this, &SurveyPage::announce);
  connect(m_table, &QTableWidget::cellActivated, this,
          [this](int row) { emit methodAsked(text(m_methods[static_cast<std::size_t>(row)]->id)); });
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(12, 12, 12, 12);
  layout->addWidget(m_table);
}

void SurveyPage::fill() {
  for (const auto& method : methods()) {
    if (!method.traits || !method.field()) continue;
    const EncodingTraits& traits = *method.traits;
    const int row = m_table->rowCount();
    m_methods.push_back(&method);
    m_table->insertRow(row);
    m_table->setItem(row, titleColumn, tableItem(text(method.title)));
    m_table->setItem(row, pageColumn, tableItem(text(workspace_of(method)->title)));
    m_table->setItem(row, relativeColumn, tableItem(yesNo(traits.relative), Qt::AlignHCenter));
    m_table->setItem(row, trainableColumn, tableItem(yesNo(traits.trainable), Qt::AlignHCenter));
    m_table->setItem(row, eachLayerColumn, tableItem(yesNo(traits.each_layer), Qt::AlignHCenter));
    m_table->setItem(row, extrapolationColumn, tableItem(text(traits.extrapolation)));
  }
  fitRows(*m_table);
  // The text wraps at any width of the window.
  m_table->horizontalHeader()->setSectionResizeMode(extrapolationColumn, QHeaderView::Stretch);
  m_table->verticalHeader()->setMinimumSectionSize(36);
  m_table->verticalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
  m_table->setCurrentCell(0, titleColumn);
}

const Method* SurveyPage::mainMethod() const {
  return m_methods[static_cast<std::size_t>(std::max(0, m_table->currentRow()))];
}

void SurveyPage::announce() {
  const Method* method = mainMethod();
  const auto word = [](bool yes) { return std::string(yes ? "yes" : "no"); };
  const EncodingTraits& traits = *method->traits;
  emit readoutShown(Readout{method,
                            {{{"encoding", method->title},
                              {"relative", word(traits.relative)},
                              {"trainable", word(traits.trainable)},
                              {"each layer", word(traits.each_layer)}},
                             traits.extrapolation}});
}

}  // namespace vqscope
