// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/page/model_page.h"

#include "core/catalogue/registry.h"
#include "core/config/model_config.h"
#include "core/schedule/setting/schedule_parameters.h"
#include "core/session/layer_views.h"
#include "widgets/model/model_view.h"
#include "widgets/parts/text.h"
#include "widgets/view/overlay.h"

#include <QHBoxLayout>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace vqscope {

ModelPage::ModelPage(Workbench& workbench, const PageInfo& info, QWidget* parent)
    : PageWidget(workbench, info, parent),
      m_view(new ModelView(this)),
      m_overlay(new Overlay(m_view, Overlay::Banner::top)),
      m_bar(new QWidget(this)) {
  auto* bar = new QHBoxLayout(m_bar);
  bar->setContentsMargins(12, 6, 12, 6);
  const auto button = [&](const QString& title, const QString& tip, void (ModelPage::*slot)()) {
    auto* made = new QPushButton(title, m_bar);
    made->setToolTip(tip);
    bar->addWidget(made);
    connect(made, &QPushButton::clicked, this, slot);
  };
  button(tr("Config details…"), tr("Frequencies of all pairs, readers of the config, and its keys"),
         &ModelPage::detailsRequested);
  button(tr("Compare with another config…"), tr("What differs between this model and another, and what that means"),
         &ModelPage::compareRequested);
  bar->addStretch(1);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addWidget(m_bar);
  layout->addWidget(m_view, 1);
  connect(m_view, &ModelView::openRequested, this, &ModelPage::openRequested);
  connect(m_view, &ModelView::pasteRequested, this, &ModelPage::pasteRequested);
  connect(m_view, &ModelView::sampleRequested, this, &ModelPage::sampleRequested);
  connect(m_view, &ModelView::maskRequested, this, &ModelPage::openMask);
  connect(m_view, &ModelView::phasesRequested, this, &ModelPage::openPhases);
  connect(m_view, &ModelView::queryMoved, this, &ModelPage::moveQuery);
  connect(m_view, &ModelView::documentRuleChanged, this, &ModelPage::setRule);
}

const Method* ModelPage::mainMethod() const { return find_method(state().method); }

void ModelPage::readConfig() {
  const Subject& subject = m_workbench.session().subject;
  if (subject.config == m_config && subject.model_file == m_file) return;
  m_config = subject.config;
  m_file = subject.model_file;
  m_report.reset();
  m_weights.stop();
  if (m_config.empty()) return;
  if (auto report = read_model_config(m_config)) m_report = std::move(*report);
  if (m_report && !m_file.empty()) readWeights();
}

/// The heads of hundreds of files take long: until then, the report is that of the config alone.
void ModelPage::readWeights() {
  m_weights.run<std::optional<ConfigReport>>(
      [config = m_config, file = m_file](const std::stop_token&) -> std::optional<ConfigReport> {
        const Checkpoint weights = checkpoint_beside(file);
        if (weights.is_empty()) return std::nullopt;
        auto report = read_model_config(config, &weights);
        return report ? std::optional(std::move(*report)) : std::nullopt;
      },
      [this](std::optional<ConfigReport> report) {
        if (!report) return;
        m_report = std::move(report);
        if (m_shown) showLayers();
      });
}

void ModelPage::sync() {
  const std::string& name = m_workbench.session().subject.model;
  const ParameterValues values = carried_values(*mainMethod(), state().values);
  const std::pair before(m_config, m_file);
  readConfig();
  m_bar->setVisible(m_report.has_value());
  if (m_shown == values && m_name == name && before == std::pair(m_config, m_file)) return;
  m_shown = values;
  m_name = name;
  showLayers();
}

void ModelPage::showLayers() {
  const auto sight = sight_from(*m_shown);
  const QString name = text(m_name);
  if (m_report)
    m_view->setModel(&*m_report, name);
  else if (sight && (!m_name.empty() || state().own.find("layers")))
    m_view->setSchedule(sight->schedule(), name.isEmpty() ? tr("layers of the form") : name);
  else
    m_view->setModel(nullptr, {});
  if (!sight) return emit notified(text(sight.error().message), true);
  m_view->setSequence(sight->sequence());
  if (const auto query = query_token(*sight, *m_shown)) m_view->setQuery(*query);
}

void ModelPage::showFreshness() {
  m_overlay->setFreshness(freshness());
  PageWidget::showFreshness();
}

void ModelPage::fit() {}

Result<void> ModelPage::goTo(Cell cell) {
  moveQuery(cell.row, true);
  return {};
}

std::vector<ExportTarget> ModelPage::exportTargets() const {
  std::vector<ExportTarget> targets;
  for (const auto& method : methods())
    if (method.category == info().id && (method.field() || method.curves()))
      targets.push_back({&method, carried_values(method, state().values), std::nullopt});
  return targets;
}

/// As a form edits: what the held slider goes through is one step.
void ModelPage::moveQuery(Index query, bool finished) {
  ShownPage next = state();
  const Index past = next.values.find("past_len") ? next.values.integer("past_len") : 0;
  next.values.set("query", std::max<Index>(query - past, 0));
  if (const auto done = m_workbench.edit(tr("Change query"), std::move(next), phaseOf(finished)); !done)
    emit notified(text(done.error().message), true);
}

/// Kinds of layers that keep to documents.
void ModelPage::setRule(const LayerKindFlags& keeps) {
  const auto* spec = find_spec(mainMethod()->parameters, "document_rule");
  std::vector<std::string> kinds;
  for (std::size_t i = 0; i < keeps.size(); ++i) {
    const std::string kind = name_of(static_cast<LayerAttention>(i));
    if (keeps[i] && std::ranges::count(spec->choices, kind, &Choice::id) > 0) kinds.push_back(kind);
  }
  ShownPage next = state();
  next.values.set("document_rule", std::move(kinds));
  if (const auto done = m_workbench.edit(tr("Change document_rule"), std::move(next)); !done)
    emit notified(text(done.error().message), true);
}

void ModelPage::openMask(int layer) {
  const auto& layers = m_view->schedule().layers;
  if (layer < 0 || layer >= static_cast<int>(layers.size())) return;
  const auto values = mask_of_layer(layers[static_cast<std::size_t>(layer)]);
  if (!values) return emit notified(text(values.error().message), true);
  emit viewRequested(QStringLiteral("visibility"), *values);
}

void ModelPage::openPhases(int layer) {
  const auto& layers = m_view->schedule().layers;
  if (layer < 0 || layer >= static_cast<int>(layers.size())) return;
  const auto view = positions_of_layer(m_view->schedule(), layer);
  if (!view) return emit notified(text(view.error().message), true);
  emit viewRequested(text(view->method), view->values);
}

}  // namespace vqscope
