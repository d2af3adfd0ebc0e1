// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/mask/insight/block_summary.h"

#include "core/base/text.h"
#include "widgets/parts/parts.h"
#include "widgets/parts/text.h"

#include <QFormLayout>
#include <QLabel>
#include <QVBoxLayout>

namespace vqscope {

BlockSummary::BlockSummary(QWidget* parent) : QWidget(parent) {
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 6);
  layout->setSpacing(6);
  layout->addWidget(heading(tr("All blocks"), this));
  auto* rows = new QFormLayout;
  rows->setHorizontalSpacing(12);
  rows->setVerticalSpacing(4);
  rows->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
  layout->addLayout(rows);
  std::size_t next = 0;
  for (const auto& title : {tr("full"), tr("partial"), tr("empty"), tr("sparsity")}) {
    auto* name = new QLabel(title, this);
    name->setProperty("class", "secondary");
    auto* value = factValue(this);
    value->setText(QStringLiteral("…"));
    rows->addRow(name, value);
    m_values[next++] = value;
  }
  m_failure = paragraph(this);
  m_failure->hide();
  layout->addWidget(m_failure);
  m_values.back()->setToolTip(tr("Fraction of the blocks that are skipped"));
  hide();
}

void BlockSummary::setBlocks(std::shared_ptr<const BlockView> blocks) {
  setVisible(blocks != nullptr);
  const auto same = [](const BlockView& a, const BlockView& b) {
    return &a.mask() == &b.mask() && a.size().q == b.size().q && a.size().kv == b.size().kv;
  };
  if (blocks && m_blocks && same(*blocks, *m_blocks)) return;
  m_blocks = std::move(blocks);
  m_scheduler.stop();
  if (!m_blocks) return;
  setCurrent(false);
  m_scheduler.run<Result<BlockCounts>>(
      [counted = m_blocks](std::stop_token stop) {
        return count_blocks(*counted, {.threads = FieldScheduler::threads(), .stop = std::move(stop)});
      },
      [this, counted = m_blocks](const Result<BlockCounts>& counts) {
        if (counted == m_blocks) showCounts(counts);
      });
}

void BlockSummary::setCurrent(bool current) {
  for (auto* value : m_values) value->setEnabled(current);
}

void BlockSummary::showCounts(const Result<BlockCounts>& counts) {
  setCurrent(true);
  m_failure->setVisible(!counts);
  m_failure->setText(counts ? QString() : sentence(counts.error().message));
  if (!counts) {
    for (auto* value : m_values) value->setText(QStringLiteral("–"));
    return;
  }
  const std::array numbers{counts->full, counts->partial, counts->empty};
  for (std::size_t i = 0; i < numbers.size(); ++i) m_values[i]->setText(text(grouped_count(numbers[i])));
  m_values.back()->setText(text(counts->sparsity_text()));
}

}  // namespace vqscope
