// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/mask/checks/finding_list.h"

#include "widgets/mask/checks/check_words.h"
#include "widgets/mask/checks/lint_parts.h"
#include "widgets/parts/menu/table_copies.h"
#include "widgets/parts/text.h"

#include <QAction>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <utility>

namespace vqscope {
namespace {

/// More cards of other samples than a user goes through.
constexpr int mostElsewhere = 200;

}  // namespace

FindingList::FindingList(QWidget* parent) : QWidget(parent), m_rows(new QVBoxLayout(this)) {
  m_rows->setContentsMargins(0, 0, 0, 0);
  m_rows->setSpacing(8);
  setContextMenuPolicy(Qt::ActionsContextMenu);
  addActions(tableCopyActions(this, [this] { return asTable(); }));
}

TextTable FindingList::asTable() const {
  TextTable table{{"severity", "rule", "place", "finding"}, {}};
  constexpr std::array severities{"error", "warning", "question"};
  for (const CheckCard& card : m_cards)
    table.rows.push_back({severities[static_cast<std::size_t>(card.finding.severity)], card.finding.rule,
                          card.place.toStdString(), card.finding.sentence});
  return table;
}

void FindingList::setCards(std::vector<CheckCard> cards, bool canSet, const std::optional<TextFix>& fix) {
  while (auto* item = m_rows->takeAt(0)) {
    item->widget()->deleteLater();
    delete item;
  }
  std::ranges::stable_sort(cards, {}, [](const CheckCard& card) { return card.finding.severity; });
  m_cards = std::move(cards);
  int elsewhere = 0;
  for (const CheckCard& card : m_cards)
    if (!card.isElsewhere || elsewhere++ < mostElsewhere) add(card, canSet, fix);
}

void FindingList::add(const CheckCard& card, bool canSet, const std::optional<TextFix>& fix) {
  const Finding& finding = card.finding;
  auto* row = new FindingRow(finding, titleOfRule(finding.rule), this, card.place, card.isElsewhere);
  connect(row, &FindingRow::picked, this, &FindingList::cellPicked);
  connect(row, &FindingRow::placePicked, this,
          [this, finding, cell = row->cell()] { emit elsewherePicked(finding, cell); });
  if (fix && fix->mends(finding) && !card.isElsewhere)
    row->addButton(tr("Fix: %1").arg(text(fix->fix)), sentence(fix->words()), [this] { emit fixChosen(); });
  if (canSet)
    for (const Suggestion& suggestion : finding.suggestions) addSuggestion(*row, suggestion);
  m_rows->addWidget(row);
}

void FindingList::addSuggestion(FindingRow& row, const Suggestion& suggestion) {
  const QString name = text(suggestion.settings.front().name);
  const QString target = tr("Go to the field %1").arg(name);
  const auto jump = [this, name] { emit fieldRequested(name); };
  if (suggestion.is_complete())
    row.addButton(tr("Set %1").arg(text(suggestion.text())),
                  tr("Set %1, as one step that can be undone").arg(text(suggestion.text())),
                  [this, suggestion] { emit suggestionChosen(suggestion); });
  else
    row.addButton(tr("Set %1…").arg(name), target, jump);
  row.setJump(target, jump);
}

}  // namespace vqscope
