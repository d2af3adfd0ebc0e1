// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panel/subject_bar.h"

#include "core/catalogue/parts.h"
#include "core/mask/batch/text_sizes.h"
#include "core/session/resolve.h"
#include "core/session/subject/batch_tokens.h"
#include "widgets/form/control/value_text.h"
#include "widgets/form/parameter_form.h"
#include "widgets/panel/token_form.h"
#include "widgets/parts/parts.h"
#include "widgets/parts/text.h"
#include "widgets/theme/icons.h"

#include <QDir>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QScreen>
#include <QScrollArea>
#include <QStyle>
#include <QToolButton>
#include <QWidgetAction>

#include <algorithm>
#include <utility>

namespace vqscope {
namespace {

constexpr int formWidth = 300;
constexpr int gap = 6;

std::vector<ParameterSpec> specsOf(const std::vector<std::string>& names) {
  std::vector<ParameterSpec> specs;
  for (const auto& name : names)
    if (const auto* known = find_subject_parameter(name)) specs.push_back(known->spec);
  return specs;
}

void setLook(QWidget* chip, const char* look) {
  if (chip->property("look").toString() == QLatin1String(look)) return;
  chip->setProperty("look", QString::fromLatin1(look));
  chip->style()->unpolish(chip);
  chip->style()->polish(chip);
}

}  // namespace

SubjectBar::SubjectBar(Workbench& workbench, QWidget* parent)
    : QFrame(parent),
      m_workbench(workbench),
      m_model(new QToolButton(this)),
      m_more(new QToolButton(this)),
      m_moreMenu(new QMenu(m_more)) {
  setProperty("class", "subject");
  setAccessibleName(tr("Model and sequence of all pages"));
  auto* row = new QHBoxLayout(this);
  row->setSizeConstraint(QLayout::SetNoConstraint);  // chips without room are in a menu
  row->setContentsMargins(12, 4, 12, 4);
  row->setSpacing(gap);
  addCaption(tr("Model"));
  addModel();
  addChip(tr("heads"), {"num_heads", "num_key_value_heads"});
  addChip(tr("head dim"), {"head_dim", "rotary_dim", "pair_layout"});
  addChip(tr("trained"), {"original_max_position_embeddings", "seq_len"});
  addChip(tr("RoPE"),
          {"rope_type", "rope_theta", "factor", "beta_fast", "beta_slow", "truncate", "attention_factor", "mscale",
           "mscale_all_dim", "low_freq_factor", "high_freq_factor", "short_factor", "long_factor"});
  addChip(tr("window"), {"sliding_window"});
  addChip(tr("buckets"), {"num_buckets", "max_distance", "bidirectional"});
  addCaption(tr("Sequence"));
  addChip(QStringLiteral("T"), {"q_length", "kv_length"});
  addChip(tr("cache"), {"past_len"});
  addChip(tr("documents"), {"document_lengths"});
  addChip(tr("padding"), {"padding", "padding_side"});
  addChip(tr("tokens"), {});
  if (!tensor_view().empty()) addTensors();
  for (auto* widget : m_row) row->addWidget(widget);
  m_more->setText(QStringLiteral("…"));
  m_more->setToolTip(tr("More parameters of the model and the sequence"));
  m_more->setAccessibleName(tr("More"));
  setPopup(m_more, m_moreMenu);
  m_more->setProperty("class", "subject-chip");
  row->addWidget(m_more);
  row->addStretch(1);
}

void SubjectBar::addCaption(const QString& title) {
  auto* caption = new QLabel(title, this);
  caption->setProperty("class", "secondary");
  if (!m_row.empty()) caption->setContentsMargins(10, 0, 0, 0);
  m_row.push_back(caption);
}

void SubjectBar::addModel() {
  m_model->setProperty("class", "subject-chip");
  m_model->setFocusPolicy(Qt::TabFocus);
  m_model->setAccessibleName(tr("Model"));
  auto* menu = new QMenu(m_model);
  menu->addAction(tr("Open a config…"), this, &SubjectBar::modelRequested);
  menu->addAction(tr("Paste a config"), this, &SubjectBar::pasteRequested);
  menu->addSection(tr("Examples"));
  for (const QString& preset : QDir(QStringLiteral(":/configs")).entryList())
    menu->addAction(QFileInfo(preset).completeBaseName(), this,
                    [this, path = QStringLiteral(":/configs/") + preset] { emit presetRequested(path); });
  menu->addSeparator();
  menu->addAction(tr("No model: defaults of each view"), this, &SubjectBar::clearModel);
  setPopup(m_model, menu);
  m_row.push_back(m_model);
}

void SubjectBar::addChip(const QString& title, const std::vector<std::string>& names) {
  Chip chip{.title = title, .names = {}, .button = new QToolButton(this)};
  for (const auto& name : names)
    if (find_subject_parameter(name)) chip.names.push_back(name);
  chip.button->setProperty("class", "subject-chip");
  chip.button->setFocusPolicy(Qt::TabFocus);
  chip.button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  m_row.push_back(chip.button);
  m_chips.push_back(chip);
  connect(chip.button, &QToolButton::clicked, this, [this, index = m_chips.size() - 1] { popUp(m_chips[index]); });
}

void SubjectBar::addTensors() {
  addChip(tr("q, k, v"), {"q_tensor", "k_tensor", "v_tensor", "head", "tensor_layout"});
  m_chips.back().isTensors = true;
}

const ParameterValue* SubjectBar::valueOf(const std::string& name) const {
  const Session& session = m_workbench.session();
  if (const auto* set = session.subject.values.find(name)) return set;
  const ShownPage& page = m_workbench.current();
  return find_page_info(page.id)->shares ? page.values.find(name) : nullptr;
}

bool SubjectBar::isOwn(const Chip& chip) const {
  const ShownPage& page = m_workbench.current();
  if (!find_page_info(page.id)->shares) return false;
  return std::ranges::any_of(chip.names, [&](const std::string& name) { return page.own.find(name) != nullptr; });
}

QString SubjectBar::textOf(const Chip& chip) const {
  if (chip.names.empty()) {
    const auto& tokens = m_workbench.session().subject.tokens;
    return tokens.empty() ? tr("none") : QString::number(tokens.size());
  }
  const auto& specs = m_workbench.sidesOf(m_workbench.current().id).values->specs;
  const auto shown = [&](const std::string& name) {
    const auto* value = valueOf(name);
    if (!value) return QStringLiteral("–");
    const ParameterSpec* ofPage = find_spec(specs, name);  // what is automatic there
    const bool fits = ofPage && ofPage->default_value.index() == value->index();
    const ParameterSpec& spec = fits ? *ofPage : find_subject_parameter(name)->spec;
    return isAutomatic(spec, *value) ? tr("auto") : shownText(spec, *value);
  };
  QString value = shown(chip.names.front());
  if (value.isEmpty()) value = tr("none");
  const auto& subject = m_workbench.session().subject.values;
  if (chip.names.front() == "rope_type" && valueOf("rope_theta")) {
    value += QStringLiteral(" · θ ") + shown("rope_theta");
    const auto* type = valueOf("rope_type");
    if (type && *type != ParameterValue(std::string("default")) && subject.find("factor"))
      value += QStringLiteral(" · ×") + shown("factor");
  }
  if (chip.names.front() == "num_heads" && subject.find("num_key_value_heads"))
    value += QStringLiteral(" / ") + shown("num_key_value_heads");
  constexpr int longest = 28;
  return value.size() > longest ? value.left(longest - 1) + QStringLiteral("…") : value;
}

const ShownTensors& SubjectBar::shownTensors() {
  const Subject& subject = m_workbench.session().subject;
  Subject now;
  for (const char* name : {"q_tensor", "k_tensor", "v_tensor", "head"})
    if (const auto* value = subject.values.find(name)) now.values.set(name, *value);
  now.tensors = subject.tensors;
  if (now == m_tensorsOf && !m_tensors.is_lost && are_tensors_there(now)) return m_tensors;
  m_tensors = shown_tensors(now);
  m_tensorsOf = std::move(now);
  return m_tensors;
}

void SubjectBar::showTensors(const Chip& chip) {
  const ShownTensors& shown = shownTensors();
  const bool none = shown.text.empty();
  const QString value = none ? tr("none") : text(shown.text);
  chip.button->setText(chip.title + QStringLiteral("  ") + value);
  setLook(chip.button, none ? "unset" : shown.is_lost ? "lost" : "set");
  chip.button->setToolTip(none ? tr("No queries, keys and values of your own: views show synthetic data")
                               : text(shown.lines) + tr("\nClick to choose others"));
  chip.button->setAccessibleName(chip.title + QLatin1Char(' ') + value);
}

/// Of the page that is shown.
QString SubjectBar::warningOf(const Chip& chip) const {
  for (const auto& [name, sentence] : m_warnings)
    if (std::ranges::count(chip.names, name) > 0) return text(sentence);
  return {};
}

void SubjectBar::showChip(const Chip& chip) {
  if (chip.isTensors) return showTensors(chip);
  const auto& subject = m_workbench.session().subject.values;
  const bool tokens = chip.names.empty();
  const auto isSet = [&](const std::string& name) {
    const auto* value = subject.find(name);
    return value && !isAutomatic(find_subject_parameter(name)->spec, *value);
  };
  const bool set = tokens ? !m_workbench.session().subject.tokens.empty() : std::ranges::any_of(chip.names, isSet);
  const bool own = isOwn(chip);
  const QString value = textOf(chip);
  chip.button->setText(chip.title + QStringLiteral("  ") + value);
  chip.button->setIcon(own ? icon("unlink") : QIcon());
  const QString warning = warningOf(chip);
  setLook(chip.button, !warning.isEmpty() ? "warned" : set ? "set" : "unset");
  QString tip = set ? tr("%1 of all pages: %2").arg(chip.title, value)
                    : tr("%1 is not set: each view has its own default, this page %2").arg(chip.title, value);
  if (own) tip += tr(". This page has a value of its own");
  if (tokens) tip = tr("Texts of the sequence's tokens, shown beside their numbers: %1").arg(value);
  if (!warning.isEmpty()) tip = warning + QStringLiteral("\n\n") + tip;
  chip.button->setToolTip(tip);
  chip.button->setAccessibleName(chip.title + QStringLiteral(" ") + value);
}

void SubjectBar::setModelProblem(const QString& sentence) {
  m_modelProblem = sentence;
  sync();
}

void SubjectBar::sync() {
  const Subject& subject = m_workbench.session().subject;
  m_model->setText(subject.model.empty() ? tr("none") : text(subject.model));
  setLook(m_model, subject.model.empty() ? "unset" : m_modelProblem.isEmpty() ? "set" : "lost");
  m_model->setToolTip(m_modelProblem.isEmpty() ? QString() : tr("Not up to date: %1").arg(m_modelProblem));
  m_warnings = length_warnings(m_workbench.current().values);
  for (const Chip& chip : m_chips) showChip(chip);
  if (m_form) {
    ParameterValues values = m_form->values();
    const ParameterValues shown = values;
    for (const auto& [name, value] : shown.map())
      if (const auto* now = valueOf(name)) values.set(name, *now);
    m_form->setValues(values);
    m_form->setWarnings(m_warnings);
  }
  arrange();
}

QWidget* SubjectBar::parameterForm(const Chip& chip) {
  const auto specs = specsOf(chip.names);
  m_form = new ParameterForm({}, nullptr);
  ParameterValues values;
  for (const auto& spec : specs)
    if (const auto* value = valueOf(spec.name); value && check_value(spec, *value)) values.set(spec.name, *value);
  m_form->setSpecs(specs, values);
  m_form->setWarnings(m_warnings);
  m_form->setFixedWidth(formWidth);
  connect(m_form, &ParameterForm::valueEdited, this, &SubjectBar::enter);
  connect(m_form, &ParameterForm::valueReset, this, &SubjectBar::forget);
  const int most = screen()->availableGeometry().height() * 2 / 3;
  if (m_form->sizeHint().height() <= most) return m_form;
  QWidget* content = scrolled(m_form);
  content->setFixedSize(formWidth + 16, most);
  return content;
}

QWidget* SubjectBar::tokenForm() {
  const Subject& subject = m_workbench.session().subject;
  m_tokenForm = new TokenForm(subject.tokens, tokenizer_of({}, subject.model_file));
  connect(m_tokenForm, &TokenForm::entered, this, &SubjectBar::enterTokens);
  return m_tokenForm;
}

void SubjectBar::popUp(const Chip& chip, const QString& parameter) {
  if (chip.isTensors) return emit tensorsRequested();
  auto* menu = new QMenu(this);
  menu->setAttribute(Qt::WA_DeleteOnClose);
  auto* action = new QWidgetAction(menu);
  action->setDefaultWidget(chip.names.empty() ? tokenForm() : parameterForm(chip));
  menu->addAction(action);
  connect(menu, &QMenu::aboutToHide, this, [this] {
    if (m_form && m_form->focusWidget()) m_form->focusWidget()->clearFocus();  // commits what is typed
    if (m_tokenForm) m_tokenForm->commit();
    m_form = nullptr;
    m_tokenForm = nullptr;
  });
  QWidget* below = chip.button->isVisible() ? chip.button : m_more;
  menu->popup(below->mapToGlobal(QPoint(0, below->height() + 2)));
  if (m_tokenForm) return m_tokenForm->setFocus(Qt::PopupFocusReason);
  const QString first = parameter.isEmpty() ? text(chip.names.front()) : parameter;
  if (auto* field = m_form->findChild<QWidget*>(first)) field->setFocus(Qt::PopupFocusReason);
}

bool SubjectBar::open(const QString& parameter) {
  const auto has = [&](const Chip& chip) { return std::ranges::count(chip.names, parameter.toStdString()) > 0; };
  const auto found = std::ranges::find_if(m_chips, has);
  if (found == m_chips.end()) return false;
  popUp(*found, parameter);
  return true;
}

void SubjectBar::enter(const QString& name, const ParameterValue& value, bool finished) {
  Subject next = m_workbench.session().subject;
  next.values.set(name.toStdString(), value);
  const auto done = m_workbench.editSubject(tr("Change %1").arg(name), std::move(next), phaseOf(finished));
  if (m_form) m_form->setError(name, done ? QString() : text(done.error().message));
}

/// The sequence becomes as long as its texts.
void SubjectBar::enterTokens(const TokenTexts& texts) {
  Subject next = m_workbench.session().subject;
  const auto* past = next.values.find("past_len");
  const Index cached = past ? std::get<Index>(*past) : 0;
  next.tokens = texts;
  if (const Index queries = std::ssize(texts) - cached; queries > 0) next.values.set("q_length", queries);
  const auto done = m_workbench.editSubject(texts.empty() ? tr("Clear token texts") : tr("Set token texts"), next);
  if (!done && m_tokenForm) m_tokenForm->showError(text(done.error().message));
  if (!done && !m_tokenForm) emit notified(text(done.error().message), true);
}

void SubjectBar::forget(const QString& name) {
  Subject next = m_workbench.session().subject;
  next.values = without(next.values, name.toStdString());
  if (const auto done = m_workbench.editSubject(tr("Reset %1").arg(name), std::move(next)); !done)
    emit notified(text(done.error().message), true);
}

void SubjectBar::clearModel() {
  Subject next = m_workbench.session().subject;
  next.model.clear();
  next.config.clear();
  for (const auto& each : subject_parameters())
    if (each.part == SubjectPart::model) next.values = without(next.values, each.spec.name);
  if (const auto done = m_workbench.editSubject(tr("Remove the model"), std::move(next)); !done)
    emit notified(text(done.error().message), true);
}

QSize SubjectBar::sizeHint() const { return {600, m_model->sizeHint().height() + 10}; }

void SubjectBar::resizeEvent(QResizeEvent* event) {
  QFrame::resizeEvent(event);
  arrange();
}

void SubjectBar::arrange() {
  const int room = width() - 24;
  std::vector<int> widths;
  int all = 0;
  for (const QWidget* widget : m_row) {
    widths.push_back(widget->sizeHint().width() + gap);
    all += widths.back();
  }
  m_moreMenu->clear();
  const bool fits = all <= room;
  m_more->setVisible(!fits);
  int left = room - all - (fits ? 0 : m_more->sizeHint().width() + gap);
  // The sequence at the end matters more than details of the model: the last chips of the model go
  // first.
  std::vector<QString> order{tr("buckets"), tr("window"),  tr("head dim"), tr("heads"),     tr("trained"),
                             tr("RoPE"),    tr("padding"), tr("tokens"),   tr("documents"), tr("cache")};
  // The chip of q, k and v goes first while there are none, else last.
  order.insert(m_tensors.text.empty() ? order.begin() : order.end(), tr("q, k, v"));
  for (auto* widget : m_row) widget->setVisible(true);
  for (const QString& title : order) {
    if (left >= 0) break;
    const auto chip = std::ranges::find(m_chips, title, &Chip::title);
    if (chip == m_chips.end()) continue;  // a build without the lab has none for q, k and v
    const auto place = static_cast<std::size_t>(std::ranges::find(m_row, chip->button) - m_row.begin());
    left += widths[place];
    chip->button->setVisible(false);
    const auto index = static_cast<std::size_t>(chip - m_chips.begin());
    m_moreMenu->addAction(chip->button->text(), this, [this, index] { popUp(m_chips[index]); });
  }
}

}  // namespace vqscope
