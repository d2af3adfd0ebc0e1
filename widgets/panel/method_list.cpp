// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panel/method_list.h"

#include "widgets/parts/text.h"

#include <QCompleter>
#include <QLineEdit>
#include <QStandardItemModel>

#include <algorithm>

namespace vqscope {
namespace {

constexpr int mostShown = 40;      // with headings
constexpr int leastSearched = 12;  // methods of a list that is searched
constexpr int leastCharacters = 16;

}  // namespace

MethodList::MethodList(const PageInfo& info, const QStringList& titles, QWidget* parent) : QComboBox(parent) {
  setAccessibleName(tr("Show"));
  setMaxVisibleItems(mostShown);
  // The longest title must not make the form wider than the panel.
  setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  setMinimumContentsLength(leastCharacters);
  if (info.groups.empty())
    for (int i = 0; i < titles.size(); ++i) addItem(titles[i], i);
  else
    addGroups(info, titles);
  if (titles.size() >= leastSearched) makeSearchable();
  connect(this, &QComboBox::activated, this, [this](int row) {
    if (const QVariant choice = itemData(row); choice.isValid()) emit chosen(choice.toInt());
  });
}

void MethodList::addGroups(const PageInfo& info, const QStringList& titles) {
  const auto& ids = info.choices();
  for (const MethodGroup& group : info.groups) {
    addItem(text(group.title));
    auto* item = static_cast<QStandardItemModel*>(model())->item(count() - 1);
    item->setFlags(Qt::NoItemFlags);
    QFont bold = font();
    bold.setBold(true);
    item->setFont(bold);
    for (const std::string& id : group.methods) {
      const auto at = static_cast<int>(std::ranges::find(ids, id) - ids.begin());
      addItem(QStringLiteral("   ") + titles[at], at);
    }
  }
}

/// Anything that is no title gives way to the one that is shown.
void MethodList::makeSearchable() {
  setEditable(true);
  setInsertPolicy(QComboBox::NoInsert);
  completer()->setCompletionMode(QCompleter::PopupCompletion);
  completer()->setFilterMode(Qt::MatchContains);
  completer()->setCaseSensitivity(Qt::CaseInsensitive);
  setToolTip(tr("Type a part of a title to find it"));
  connect(lineEdit(), &QLineEdit::editingFinished, this, [this] { showChoice(m_shown); });
}

void MethodList::showChoice(int choice) {
  m_shown = choice;
  setCurrentIndex(findData(choice));
  if (isEditable()) setEditText(currentText().trimmed());
}

}  // namespace vqscope
