// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/sweep/vary_list.h"

#include "core/base/text.h"
#include "widgets/parts/text.h"
#include "widgets/theme/icons.h"

#include <QAbstractItemView>
#include <QComboBox>
#include <QCompleter>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalBlocker>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace vqscope {
namespace {

/// An example of values, by the kind of the parameter.
QString exampleOf(const ParameterSpec* spec) {
  if (!spec) return VaryList::tr("values");
  switch (spec->kind) {
    case ParameterKind::integer:
    case ParameterKind::real: return VaryList::tr("a,b,c or lo:hi:step or lo:hi:*2");
    case ParameterKind::boolean: return QStringLiteral("true,false");
    case ParameterKind::choice: {
      QStringList ids;
      for (const auto& choice : spec->choices) ids << text(choice.id);
      return ids.mid(0, 4).join(QLatin1Char(','));
    }
    default: return VaryList::tr("values, separated by semicolons");
  }
}

}  // namespace

VaryList::VaryList(QWidget* parent) : QWidget(parent), m_column(new QVBoxLayout(this)), m_add(new QPushButton(this)) {
  m_column->setContentsMargins(0, 0, 0, 0);
  m_column->setSpacing(6);
  m_add->setObjectName(QStringLiteral("addParameter"));
  m_add->setText(tr("Add parameter"));
  m_add->setToolTip(tr("Vary one more parameter: every combination of values is a point"));
  m_add->setAutoDefault(false);
  m_column->addWidget(m_add, 0, Qt::AlignLeft);
  connect(m_add, &QPushButton::clicked, this, [this] {
    addLine({});
    m_lines.back().name->setFocus();
  });
  addLine({});
}

void VaryList::setMethod(const Method& method, const ParameterValues& values) {
  m_method = &method;
  m_values = values;
  for (const auto& line : m_lines) offer(line);
}

std::vector<VaryText> VaryList::texts() const {
  std::vector<VaryText> texts;
  for (const auto& line : m_lines) {
    const QString name = line.name->currentText().trimmed(), values = line.values->text().trimmed();
    if (!name.isEmpty() || !values.isEmpty()) texts.push_back({name.toStdString(), values.toStdString()});
  }
  return texts;
}

void VaryList::setTexts(const std::vector<VaryText>& texts) {
  while (!m_lines.empty()) {
    delete m_lines.back().widget;
    m_lines.pop_back();
  }
  for (const auto& each : texts) addLine(each);
  if (texts.empty()) addLine({});
  emit changed();
}

void VaryList::addLine(const VaryText& given) {
  auto* widget = new QWidget(this);
  auto* row = new QHBoxLayout(widget);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(6);
  const Line line{widget, new QComboBox(widget), new QLineEdit(widget)};
  line.name->setObjectName(QStringLiteral("varyName"));
  line.name->setEditable(true);
  line.name->setInsertPolicy(QComboBox::NoInsert);
  line.name->setAccessibleName(tr("Parameter that varies"));
  line.name->lineEdit()->setPlaceholderText(tr("parameter"));
  line.name->completer()->setFilterMode(Qt::MatchContains);
  line.name->completer()->setCompletionMode(QCompleter::PopupCompletion);
  line.name->completer()->popup()->setProperty("class", "popup");
  line.name->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  line.name->setMinimumContentsLength(8);
  line.name->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  line.values->setObjectName(QStringLiteral("varyValues"));
  line.values->setAccessibleName(tr("Its values"));
  auto* remove = new QToolButton(widget);
  remove->setObjectName(QStringLiteral("removeParameter"));
  remove->setIcon(icon("close"));
  remove->setToolTip(tr("Do not vary this parameter"));
  row->addWidget(line.name, 2);
  row->addWidget(line.values, 3);
  row->addWidget(remove);
  m_lines.push_back(line);
  m_column->insertWidget(m_column->count() - 1, widget);
  offer(line);
  line.name->setCurrentText(text(given.name));
  line.values->setText(text(given.values));
  showHelp(line);
  connect(line.name, &QComboBox::currentTextChanged, this, [this, line] {
    showHelp(line);
    emit changed();
  });
  connect(line.values, &QLineEdit::textChanged, this, &VaryList::changed);
  connect(remove, &QToolButton::clicked, this, [this, widget] { removeLine(widget); });
}

void VaryList::removeLine(QWidget* widget) {
  std::erase_if(m_lines, [&](const Line& line) { return line.widget == widget; });
  widget->hide();
  widget->deleteLater();
  if (m_lines.empty()) addLine({});
  emit changed();
}

/// The names of parameters that can vary, with their help.
void VaryList::offer(const Line& line) {
  if (!m_method) return;
  const QSignalBlocker blocker(line.name);
  const QString typed = line.name->currentText();
  line.name->clear();
  for (const auto& spec : m_method->parameters) {
    if (!is_relevant(spec, m_values)) continue;
    line.name->addItem(text(spec.name));
    line.name->setItemData(line.name->count() - 1, text(spec.title() + ": " + spec.help), Qt::ToolTipRole);
  }
  line.name->setCurrentIndex(-1);
  line.name->setCurrentText(typed);
  showHelp(line);
}

void VaryList::showHelp(const Line& line) {
  const auto* spec =
      m_method ? find_spec(m_method->parameters, line.name->currentText().trimmed().toStdString()) : nullptr;
  line.name->setToolTip(spec ? text(spec->help) : tr("Name of the parameter"));
  line.values->setPlaceholderText(exampleOf(spec));
  line.values->setToolTip(spec ? tr("Values of %1: %2").arg(text(spec->name), text(allowed(*spec))) : QString());
}

}  // namespace vqscope
