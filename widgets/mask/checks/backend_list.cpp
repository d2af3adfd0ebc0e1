// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/mask/checks/backend_list.h"

#include "core/base/text.h"
#include "widgets/parts/parts.h"
#include "widgets/parts/text.h"
#include "widgets/theme/icons.h"

#include <QApplication>
#include <QClipboard>
#include <QFrame>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QStyle>
#include <QToolButton>
#include <QVBoxLayout>

namespace vqscope {
namespace {

void setLook(QLabel* label, const char* look) {
  if (label->property("class").toString() == QLatin1String(look)) return;
  label->setProperty("class", look);
  label->style()->unpolish(label);
  label->style()->polish(label);
}

}  // namespace

BackendList::BackendList(QWidget* parent)
    : QWidget(parent),
      m_structure(paragraph(this, "secondary")),
      m_windowsHeading(paragraph(this, "heading")),
      m_windows(makeWindows()) {
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(14, 4, 14, 12);
  layout->setSpacing(8);
  layout->addWidget(m_structure);
  for (const auto& backend : backends()) addCard(backend);
  layout->addWidget(m_windowsHeading);
  layout->addWidget(m_windows);
  layout->addStretch(1);
  setMask(std::nullopt, {});
}

void BackendList::addCard(const Backend& backend) {
  auto* frame = new QFrame(this);
  frame->setProperty("class", "card");
  auto* column = new QVBoxLayout(frame);
  column->setContentsMargins(10, 5, 6, 8);
  column->setSpacing(2);
  auto* top = new QHBoxLayout;
  auto* title = paragraph(frame, "title");
  title->setText(text(backend.title));
  top->addWidget(title, 1);
  auto* copy = new QToolButton(frame);
  copy->setIcon(icon("copy"));
  copy->setToolTip(tr("Copy the Python for %1").arg(text(backend.title)));
  copy->setAccessibleName(copy->toolTip());
  connect(copy, &QToolButton::clicked, this, [this, &backend] { this->copy(backend); });
  top->addWidget(copy, 0, Qt::AlignTop);
  column->addLayout(top);
  auto* polarity = paragraph(frame, "secondary");
  polarity->setText(text(polarity_text(backend)));
  column->addWidget(polarity);
  const Card card{&backend, paragraph(frame, "good"), paragraph(frame, "secondary"), copy};
  column->addWidget(card.coverage);
  column->addWidget(card.arguments);
  frame->setToolTip(text(backend.library + (backend.note.empty() ? "" : "\n" + backend.note)));
  layout()->addWidget(frame);
  m_cards.push_back(card);
}

/// The code may contain numbers of every token.
void BackendList::copy(const Backend& backend) {
  if (!m_freshness.isCurrent()) return emit refused(m_freshness.refusal());
  if (!m_mask) return;
  m_copying.run<Result<QString>>(
      [&backend, mask = *m_mask, layout = m_layout](const std::stop_token&) -> Result<QString> {
        return text(backend_snippet(backend, mask, layout));
      },
      [this, &backend](const Result<QString>& code) {
        if (!code) return emit refused(sentence(code.error().message));
        QApplication::clipboard()->setText(*code);
        emit copied(tr("Copied: Python for %1").arg(text(backend.title)));
      });
}

void BackendList::setMask(std::optional<MaskStructure> structure, const SequenceLayout& layout) {
  m_mask = std::move(structure);
  m_layout = layout;
  m_structure->setText(
      !m_mask ? tr("This view has no rows of a mask. Choose Mask or Blocks.")
      : m_mask->exact
          ? tr("This mask is %1.").arg(text(m_mask->text()))
          : tr("This mask matches no named pattern; only backends that accept a dense mask can express it."));
  for (const Card& card : m_cards) showCard(card);
  showWindows();
}

void BackendList::showCard(const Card& card) {
  card.copy->setEnabled(m_mask.has_value());
  card.coverage->setVisible(m_mask.has_value());
  card.arguments->hide();
  if (!m_mask) return;
  const auto coverage = backend_coverage(*card.backend, *m_mask, m_layout);
  setLook(card.coverage, coverage.is_complete() ? "good" : "warning");
  card.coverage->setText(coverage.is_complete() ? tr("✓ expresses the whole mask")
                                                : tr("▲ cannot express: %1").arg(text(join(coverage.cannot, ", "))));
  QStringList lines;
  if (const auto window = window_text(*card.backend, *m_mask); !window.empty()) lines << text(window);
  if (card.backend->alignment != CausalAlignment::none && m_layout.q_length() != m_layout.kv_length())
    lines
        << tr("causal flag: %1").arg(text(alignment_text(*card.backend, {m_layout.q_length(), m_layout.kv_length()})));
  card.arguments->setText(lines.join(QLatin1Char('\n')));
  card.arguments->setVisible(!lines.isEmpty());
}

QWidget* BackendList::makeWindows() {
  auto* made = new QWidget(this);
  auto* grid = new QGridLayout(made);
  grid->setContentsMargins(0, 0, 0, 0);
  grid->setHorizontalSpacing(12);
  grid->setVerticalSpacing(4);
  grid->setColumnStretch(0, 1);
  for (const auto& meaning : window_meanings()) {
    const int row = grid->rowCount();
    auto* title = paragraph(made, "secondary");
    title->setText(text(meaning.title));
    auto* argument = paragraph(made, "");
    argument->setAlignment(Qt::AlignRight | Qt::AlignTop);
    for (auto* label : {title, argument}) label->setToolTip(text(meaning.rule));
    grid->addWidget(title, row, 0, Qt::AlignTop);
    grid->addWidget(argument, row, 1);
    m_arguments.push_back(argument);
  }
  grid->setColumnStretch(1, 1);
  return made;
}

void BackendList::showWindows() {
  const bool shown = m_mask && m_mask->window;
  m_windowsHeading->setVisible(shown);
  m_windows->setVisible(shown);
  if (!shown) return;
  m_windowsHeading->setText(tr("A window of %1 in other libraries").arg(*m_mask->window));
  std::size_t next = 0;
  for (const auto& meaning : window_meanings())
    m_arguments[next++]->setText(text(window_argument_text(meaning, *m_mask->window)));
}

}  // namespace vqscope
