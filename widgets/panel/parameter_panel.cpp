// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panel/parameter_panel.h"

#include "core/catalogue/registry.h"
#include "core/mask/batch/text_sizes.h"
#include "core/session/resolve.h"
#include "widgets/form/control/row_parts.h"
#include "widgets/form/parameter_form.h"
#include "widgets/mask/source/mask_source.h"
#include "widgets/panel/method_list.h"
#include "widgets/panel/view_options.h"
#include "widgets/parts/parts.h"
#include "widgets/parts/text.h"

#include <QButtonGroup>
#include <QHBoxLayout>
#include <QLabel>
#include <QScrollArea>
#include <QVBoxLayout>

#include <utility>

namespace vqscope {
namespace {

/// A column with the form's margins.
QVBoxLayout* section(QBoxLayout* layout) {
  auto* column = new QVBoxLayout;
  column->setContentsMargins(ResetDot::room, 0, ResetDot::room, 0);
  column->setSpacing(8);
  layout->addLayout(column);
  return column;
}

/// Whether buttons fit into the panel at its initial width.
bool fitBesideEachOther(const QStringList& titles, const QFontMetrics& metrics) {
  constexpr int room = 262;
  constexpr int padding = 24;
  int width = 0;
  for (const QString& title : titles) width += metrics.horizontalAdvance(title) + padding;
  return width <= room;
}

/// The parameter of an error: the first word of its sentence, else the edited parameter.
QString subjectOf(const Error& error, const std::vector<ParameterSpec>& specs, const QString& editedName) {
  const auto first = text(error.message).section(QLatin1Char(' '), 0, 0);
  return find_spec(specs, first.toStdString()) ? first : editedName;
}

ParameterValues oneValue(const QString& name, const ParameterValue& value) {
  ParameterValues values;
  values.set(name.toStdString(), value);
  return values;
}

/// Whether all visible maps with this parameter have values of their own for it.
bool isSetByMaps(const ShownPage& state, const std::string& name) {
  const Method* method = find_method(state.method);
  const FieldRecipe* recipe = method ? method->field() : nullptr;
  if (!recipe || state.compare != CompareMode::none) return false;
  const auto sets = [&](const LinkedMap& map) { return map.with.find(name) != nullptr; };
  const auto takes = [&](const LinkedMap& map) {
    return !sets(map) && find_spec(find_method(map.method)->parameters, name);
  };
  return std::ranges::any_of(recipe->linked, sets) && std::ranges::none_of(recipe->linked, takes);
}

}  // namespace

ParameterPanel::ParameterPanel(Workbench& workbench, const PageInfo& info, QWidget* parent)
    : QWidget(parent), m_workbench(workbench), m_info(info) {
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 12, 0, 12);
  layout->setSpacing(0);
  auto* above = section(layout);
  addMethods(above);
  addSides(above);
  addMaskSource(above);
  m_formPlace = new QVBoxLayout;
  layout->addLayout(m_formPlace);
  if (info.choices().empty()) addAbout(above);
  if (!info.fields.empty()) {
    m_viewOptions = new ViewOptions(this);
    section(layout)->addWidget(m_viewOptions);
    connect(m_viewOptions, &ViewOptions::chosen, this,
            [this](const QString& what, const std::function<void(ShownPage&)>& change) {
              ShownPage next = state();
              change(next);
              edit(what, next);
            });
  }
  layout->addStretch(1);
  sync();
}

const ShownPage& ParameterPanel::state() const { return m_workbench.page(m_info.id); }

bool ParameterPanel::showsOther() const {
  return state().compare != CompareMode::none && m_sides && m_sides->checkedId() == 1;
}

const ParameterValues& ParameterPanel::shownValues() const { return showsOther() ? state().other : state().values; }

void ParameterPanel::makeForm() {
  const PageSides& sides = m_workbench.sidesOf(m_info.id);
  const auto shown = (showsOther() ? sides.other : sides.values)->of_shown();
  std::vector<ParameterSpec> specs(shown.begin(), shown.end());
  std::erase_if(specs, [this](const ParameterSpec& spec) { return isSetByMaps(state(), spec.name); });
  if (m_form && specs == m_specs) return;
  m_specs = std::move(specs);
  if (!m_form) {
    m_form = new ParameterForm({}, this);
    m_formPlace->addWidget(m_form);
    connect(m_form, &ParameterForm::valueEdited, this,
            [this](const QString& name, const ParameterValue& value, bool finished) {
              onEdited(name, oneValue(name, value), finished);
            });
    connect(m_form, &ParameterForm::valueReset, this, &ParameterPanel::onReset);
    connect(m_form, &ParameterForm::linkRequested, this, [this](const QString& name, bool linked) {
      if (const auto done = m_workbench.setLinked(m_info.id, name.toStdString(), linked); !done)
        emit notified(text(done.error().message), true);
    });
    connect(m_form, &ParameterForm::valuesEdited, this,
            [this](const ParameterValues& edited) { onEdited(text(edited.map().begin()->first), edited, true); });
    connect(m_form, &ParameterForm::refusalChanged, this, &ParameterPanel::showProblem);
    m_form->model().setCheck([this](const ParameterValues& entered) { return refusalOf(entered); });
  }
  m_form->setSpecs(m_specs, shownValues());
  if (const Method* method = find_method(state().method)) m_form->setCitation(method->citation);
}

/// Of values of the form, by the method that is shown.
QString ParameterPanel::refusalOf(const ParameterValues& entered) const {
  const Method* method = find_method(state().method);
  if (!method) return {};
  ParameterValues values = shownValues();
  for (const auto& [name, value] : entered.map()) values.set(name, value);
  const auto checked = check_method_values(*method, carried_values(*method, values));
  return checked ? QString() : text(checked.error().message);
}

/// Panel of the survey, which has no parameters.
void ParameterPanel::addAbout(QVBoxLayout* layout) {
  layout->addWidget(heading(text(m_info.title), this));
  auto* about = paragraph(this);
  about->setText(
      tr("Relative: the score depends only on key position minus query position. Trainable: it has learned parameters. "
         "Each layer: applied to the scores or to q and k in every layer, not once to the token embeddings. Press "
         "Enter or double-click a row to open it."));
  layout->addWidget(about);
}

void ParameterPanel::addMethods(QVBoxLayout* layout) {
  // In a room with several pages, the list of the room has all their methods.
  if (m_info.choices().size() < 2 || room_of(m_info.id).pages.size() > 1) return;
  layout->addWidget(heading(tr("Show"), this));
  QStringList titles;
  for (const auto& id : m_info.choices()) titles << text(find_method(id)->title);
  // The prefix of all titles is already in the page's title.
  const QString common = QStringLiteral("RoPE ");
  if (std::ranges::all_of(titles, [&](const QString& title) { return title.startsWith(common); }))
    titles.replaceInStrings(common, QString());
  if (fitBesideEachOther(titles, fontMetrics())) {
    const Segments segments = segmented(titles, this);
    layout->addWidget(segments.frame);
    m_methods = segments.group;
    connect(m_methods, &QButtonGroup::idClicked, this, &ParameterPanel::showMethod);
  } else {
    m_methodList = new MethodList(m_info, titles, this);
    layout->addWidget(m_methodList);
    connect(m_methodList, &MethodList::chosen, this, &ParameterPanel::showMethod);
  }
}

void ParameterPanel::showMethod(int index) {
  ShownPage next = state();
  next.method = m_info.choices()[static_cast<std::size_t>(index)];
  next.colour_map.clear();
  edit(tr("Show %1").arg(text(next.method)), next);
}

void ParameterPanel::addSides(QVBoxLayout* layout) {
  if (m_info.fields.empty()) return;
  m_sideRow = new QWidget(this);
  auto* rows = new QVBoxLayout(m_sideRow);
  rows->setContentsMargins(0, 0, 0, 0);
  rows->addWidget(heading(tr("Parameters of"), m_sideRow));
  const Segments sides = segmented({QStringLiteral("A"), QStringLiteral("B")}, m_sideRow);
  rows->addWidget(sides.frame);
  m_sides = sides.group;
  m_sides->button(0)->setChecked(true);
  connect(m_sides, &QButtonGroup::idClicked, this, [this] {
    discardDraft();
    emit sideTurned();
  });
  layout->addWidget(m_sideRow);
}

void ParameterPanel::addMaskSource(QVBoxLayout* layout) {
  if (!find_spec(specs_of_page(m_info), "mask_text")) return;
  m_maskSource = new MaskSource(m_workbench, m_info.id, this);
  layout->addWidget(m_maskSource);
  connect(m_maskSource, &MaskSource::notified, this, &ParameterPanel::notified);
  connect(m_maskSource, &MaskSource::replaced, this, &ParameterPanel::discardDraft);
  connect(m_maskSource, &MaskSource::textOpened, this, [this] { focusOn(QStringLiteral("mask_text")); });
}

bool ParameterPanel::isBusy() const { return m_maskSource && m_maskSource->isBusy(); }

void ParameterPanel::edit(const QString& what, const ShownPage& next) {
  if (m_syncing) return;
  if (const auto done = m_workbench.edit(what, next); !done) {
    sync();  // restores the choice that is shown
    emit notified(text(done.error().message), true);
  }
}

void ParameterPanel::onEdited(const QString& name, const ParameterValues& edited, bool finished) {
  ShownPage next = state();
  const bool other = showsOther();
  ParameterValues values = shownValues();
  for (const auto* entered : {&m_form->values(), &edited})
    for (const auto& [key, value] : entered->map()) values.set(key, value);
  (other ? next.other : next.values) = values;
  // Both sides must have the same shape to compare cells.
  if (next.compare != CompareMode::none)
    for (const auto& spec : m_specs)
      if (spec.role == ParameterRole::shape) (other ? next.values : next.other).set(spec.name, *values.find(spec.name));
  const auto done = m_workbench.edit(tr("Change %1").arg(name), next, phaseOf(finished));
  if (!done) {
    m_form->model().keepDraft(shownValues());
    showError(done.error(), name);
    m_draftProblem = text(done.error().message);
    showProblem();
    return;
  }
  if (m_form->model().hasDraft()) return discardDraft();
  // An edit that the workbench ignores, as during an undo, must not return with the next edit.
  const auto passedOver = [this](const auto& entry) {
    const auto* now = shownValues().find(entry.first);
    return now && *now != entry.second;
  };
  if (std::ranges::any_of(edited.map(), passedOver)) m_form->setValues(shownValues());
}

void ParameterPanel::setValues(const ParameterValues& values) {
  onEdited(text(values.map().begin()->first), values, true);
}

/// Takes the value back. What the page or the form would then show another value for is set to the
/// default.
void ParameterPanel::onReset(const QString& name) {
  // Copied: without the value the page may have other parameters, and m_specs is theirs then.
  const ParameterSpec spec = *find_spec(m_specs, name.toStdString());
  const ParameterValues edited = oneValue(name, spec.default_value);
  if (showsOther() || m_form->model().hasDraft()) return onEdited(name, edited, true);
  const auto done = m_workbench.reset(m_info.id, spec.name);
  const auto* now = shownValues().find(spec.name);
  if (!done || !now || *now != spec.default_value) onEdited(name, edited, true);
}

void ParameterPanel::discardDraft() {
  dropDraft();
  sync();
}

/// A form of its own: a field keeps a text that is no value while its value stays the same.
void ParameterPanel::forget() {
  delete std::exchange(m_form, nullptr);
  m_specs.clear();
  makeForm();
  dropDraft();
}

void ParameterPanel::dropDraft() {
  m_form->model().dropDraft();
  m_draftProblem.clear();
  showProblem();
}

/// A typed value may be invalid by itself or together with other values.
void ParameterPanel::showProblem() {
  const QString refusal = m_form->refusal();
  const QString problem = refusal.isEmpty() ? m_draftProblem : refusal;
  if (problem == m_problem) return;
  m_problem = problem;
  emit draftChanged(problem);
}

bool ParameterPanel::focusOn(const QString& name) {
  auto* field = m_form->findChild<QWidget*>(name);
  if (!field || !field->isVisibleTo(this)) return false;
  for (QWidget* above = this; above; above = above->parentWidget())
    if (auto* area = qobject_cast<QScrollArea*>(above)) area->ensureWidgetVisible(field);
  field->setFocus(Qt::ShortcutFocusReason);
  return true;
}

void ParameterPanel::showError(const Error& error, const QString& editedName) {
  for (const auto& spec : m_specs) m_form->setError(text(spec.name), {});
  m_form->setError(subjectOf(error, m_specs, editedName), text(error.message));
}

/// As a comparison begins with a copy of A, B is the side to edit.
void ParameterPanel::followComparison() {
  const bool compares = state().compare != CompareMode::none;
  if (!m_sides || compares == std::exchange(m_compares, compares)) return;
  m_sides->button(compares && state().other == state().values ? 1 : 0)->setChecked(true);
}

/// Side B of a comparison has values of its own by nature.
void ParameterPanel::showLinks() {
  std::map<std::string, bool> linked;
  const bool shares = m_info.shares && !showsOther();
  for (const auto& spec : m_specs)
    if (shares && find_subject_parameter(spec.name)) linked[spec.name] = is_linked(state(), spec.name);
  m_form->setLinks(linked);
}

void ParameterPanel::sync() {
  m_syncing = true;
  const ShownPage& now = state();
  followComparison();
  makeForm();
  const auto shown = static_cast<int>(std::ranges::find(m_info.choices(), now.method) - m_info.choices().begin());
  if (m_methods) m_methods->button(shown)->setChecked(true);
  if (m_methodList) m_methodList->showChoice(shown);
  if (m_viewOptions) {
    m_sideRow->setVisible(now.compare != CompareMode::none);
    m_viewOptions->setPage(now);
  }
  if (m_maskSource) {
    // Methods beside those of masks have a text of that name.
    const auto* mask = find_spec(m_specs, "mask");
    const bool chosen = mask && mask->kind == ParameterKind::choice;
    if (chosen) m_maskSource->sync(showsOther());
    m_maskSource->setVisible(chosen);
  }
  m_syncing = false;
  showLinks();
  const Method* method = find_method(now.method);
  m_form->setInForce(method && method->in_force ? method->in_force(shownValues()) : ParameterValues());
  m_form->setWarnings(length_warnings(shownValues()));
  // A typed value that is not valid yet stays until the session's values change.
  if (m_form->model().isDraftOf(shownValues())) return showProblem();
  for (const auto& spec : m_specs) m_form->setError(text(spec.name), {});
  m_form->setValues(shownValues());
  dropDraft();
}

}  // namespace vqscope
