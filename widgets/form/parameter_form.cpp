// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/form/parameter_form.h"

#include "widgets/form/control/row_parts.h"
#include "widgets/form/parameter_row.h"

#include <QLabel>
#include <QVBoxLayout>

#include <algorithm>

namespace vqscope {
namespace {

constexpr int row_gap = 10;  // an error has space in it
constexpr int group_gap = 18;

}  // namespace

ParameterForm::ParameterForm(const std::vector<ParameterSpec>& specs, QWidget* parent) : QWidget(parent) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 12, 0, 12);
  column->setSpacing(group_gap);
  connect(&m_model, &ParameterModel::settled, this, &ParameterForm::showRelevant);
  connect(&m_model, &ParameterModel::entered, this,
          [this](const std::string& name, const ParameterValue& value, bool finished) {
            emit valueEdited(QString::fromStdString(name), value, finished);
          });
  connect(&m_model, &ParameterModel::wasReset, this,
          [this](const std::string& name) { emit valueReset(QString::fromStdString(name)); });
  connect(&m_model, &ParameterModel::enteredTogether, this, &ParameterForm::valuesEdited);
  setSpecs(specs);
}

void ParameterForm::setSpecs(const std::vector<ParameterSpec>& specs, const ParameterValues& given) {
  m_model.setSpecs(specs, given);
  std::vector<ParameterRow*> old;
  for (auto& group : m_groups) {
    old.insert(old.end(), group.rows.begin(), group.rows.end());
    // Deleted later, because the change may come from an event that Qt still delivers to the row.
    group.heading->hide();
    group.heading->deleteLater();
    delete group.column;
  }
  m_groups.clear();
  for (const auto& spec : specs) {
    const auto same = std::ranges::find_if(old, [&](const ParameterRow* row) { return row->spec() == spec; });
    Group& group = groupOf(spec.group);
    ParameterRow* row = same == old.end() ? makeRow(spec) : *same;
    if (same != old.end()) old.erase(same);
    group.column->addWidget(row);
    group.rows.push_back(row);
  }
  for (auto* row : old) {
    row->unbind();
    row->disconnect(this);
    row->hide();
    row->deleteLater();
  }
  showRelevant();
}

ParameterForm::~ParameterForm() {
  // A box that loses its focus during destruction commits its text: disconnect it, because the
  // receivers are gone.
  for (const auto& group : m_groups)
    for (auto* row : group.rows) {
      row->unbind();
      row->disconnect(this);
    }
}

ParameterForm::Group& ParameterForm::groupOf(const std::string& title) {
  const auto known = std::ranges::find(m_groups, title, &Group::title);
  if (known != m_groups.end()) return *known;
  Group group{.title = title, .heading = new QLabel(QString::fromStdString(title), this), .column = new QVBoxLayout};
  group.heading->setProperty("class", "heading");
  group.heading->setContentsMargins(ResetDot::room, 0, ResetDot::room, 0);
  group.column->setSpacing(row_gap);
  group.column->addWidget(group.heading);
  static_cast<QVBoxLayout*>(layout())->addLayout(group.column);
  m_groups.push_back(std::move(group));
  return m_groups.back();
}

ParameterRow* ParameterForm::makeRow(const ParameterSpec& spec) {
  auto* row = new ParameterRow(spec, m_model, this);
  row->setCitation(m_citation);
  connect(row, &ParameterRow::refusalChanged, this, &ParameterForm::refusalChanged);
  connect(row, &ParameterRow::linkRequested, this,
          [this, row](bool linked) { emit linkRequested(QString::fromStdString(row->spec().name), linked); });
  return row;
}

QString ParameterForm::refusal() const {
  for (const auto& group : m_groups)
    for (const auto* row : group.rows) {
      if (row->refusal().isEmpty() || !is_relevant(row->spec(), values())) continue;
      const QString name = QString::fromStdString(row->spec().name);
      return row->refusal().startsWith(name) ? row->refusal() : name + QStringLiteral(", ") + row->refusal();
    }
  return {};
}

void ParameterForm::setInForce(const ParameterValues& used) {
  for (const auto& group : m_groups)
    for (auto* row : group.rows) row->setInForce(used.find(row->spec().name));
}

void ParameterForm::setLinks(const std::map<std::string, bool>& linked) {
  for (const auto& group : m_groups)
    for (auto* row : group.rows) {
      const auto found = linked.find(row->spec().name);
      row->setLinked(found == linked.end() ? std::nullopt : std::optional(found->second));
    }
}

void ParameterForm::setCitation(const Citation& citation) {
  m_citation = citation;
  for (const auto& group : m_groups)
    for (auto* row : group.rows) row->setCitation(citation);
}

void ParameterForm::setError(const QString& name, const QString& sentence) {
  for (const auto& group : m_groups)
    for (auto* row : group.rows) {
      if (row->spec().name == name.toStdString()) row->setError(sentence);
      if (!sentence.isEmpty()) row->stop();  // whichever row caused the values
    }
}

void ParameterForm::setWarnings(const std::map<std::string, std::string>& warnings) {
  for (const auto& group : m_groups)
    for (auto* row : group.rows) {
      const auto found = warnings.find(row->spec().name);
      row->setWarning(found == warnings.end() ? QString() : QString::fromStdString(found->second));
    }
}

void ParameterForm::showRelevant() {
  for (const auto& group : m_groups) {
    bool any = false;
    for (auto* row : group.rows) {
      const bool relevant = is_relevant(row->spec(), values());
      row->setVisible(relevant);
      any = any || relevant;
    }
    group.heading->setVisible(any && !group.title.empty());
  }
}

}  // namespace vqscope
