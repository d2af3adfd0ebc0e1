// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/form/parameter_row.h"

#include "core/base/text.h"
#include "widgets/form/control/row_parts.h"
#include "widgets/form/control/value_text.h"
#include "widgets/form/editor/value_editor.h"
#include "widgets/form/parameter_model.h"
#include "widgets/parts/text.h"

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QMenu>
#include <QVBoxLayout>

#include <utility>

namespace vqscope {
namespace {

/// The default, as named by "Reset to".
QString defaultText(const ParameterSpec& spec) {
  const bool number = spec.kind == ParameterKind::integer || spec.kind == ParameterKind::real;
  if ((number || is_number_list(spec.kind)) && isAutomatic(spec, spec.default_value))
    return "auto: " + QString::fromStdString(spec.automatic);
  const QString text = QString::fromStdString(format_value(spec.default_value));
  return text.isEmpty() ? "none" : text;
}

QString escaped(const std::string& text) { return QString::fromStdString(text).toHtmlEscaped(); }

}  // namespace

QString parameterToolTip(const ParameterSpec& spec, const Citation& citation) {
  QString tip = "<p><b>" + escaped(spec.title()) + "</b>";
  if (spec.title() != spec.name) tip += " " + escaped(spec.name);
  tip += "<br>" + escaped(spec.help) + "</p><p>";
  QString range = escaped(allowed(spec));
  range[0] = range[0].toUpper();
  tip += range;
  if (!spec.unit.empty()) tip += " (" + escaped(spec.unit) + ")";
  tip += ". Default: " + defaultText(spec).toHtmlEscaped() + ".";
  if (!spec.automatic.empty() && !is_number_list(spec.kind))
    tip += " The minimum, or an empty field, means " + escaped(spec.automatic) + ".";
  tip += "</p>";
  if (spec.role == ParameterRole::method && !citation.paper.empty())
    tip += "<p><i>" + escaped(citation.paper) + "</i></p>";
  return tip;
}

ParameterRow::ParameterRow(ParameterSpec spec, ParameterModel& model, QWidget* parent)
    : QWidget(parent),
      m_spec(std::move(spec)),
      m_model(model),
      m_dot(new ResetDot(this)),
      m_label(new RowLabel(m_spec, this)),
      m_chain(new ChainButton(this)),
      m_editor(makeValueEditor(m_spec, this)),
      m_sentence(new ErrorLine(this)) {
  const QString name = QString::fromStdString(m_spec.name);
  const QString title = QString::fromStdString(m_spec.title());
  m_editor->field()->setObjectName(name);
  m_editor->field()->setAccessibleName(title);
  m_editor->field()->setAccessibleDescription(QString::fromStdString(m_spec.help));
  m_dot->setObjectName(name + ".reset");
  m_dot->setToolTip("Reset to " + defaultText(m_spec));
  m_dot->setAccessibleName("Reset " + title);
  m_sentence->setObjectName(name + ".error");
  // The row shows the menu of its text field, with entries of its own.
  if (auto* line = qobject_cast<QLineEdit*>(m_editor->field())) line->setContextMenuPolicy(Qt::NoContextMenu);
  build();
  setCitation({});
  showValue();
  connect(&m_model, &ParameterModel::valueSet, this, [this](const std::string& set) {
    if (set == m_spec.name) showValue();
  });
  connect(m_editor, &ValueEditor::edited, &m_model,
          [this](const ParameterValue& value, bool finished) { m_model.enter(m_spec.name, value, finished); });
  m_editor->setLimits({[this] { return m_model.hasDraft(); },
                       [this](const ParameterValue& value) { return m_model.refusal(m_spec.name, value); }});
  connect(m_editor, &ValueEditor::editedTogether, &m_model, &ParameterModel::enterTogether);
  connect(m_editor, &ValueEditor::refused, this, [this](const QString& sentence) {
    if (sentence == m_refusal) return;
    m_refusal = sentence;
    showError();
    emit refusalChanged();
  });
  m_chain->setObjectName(name + ".link");
  connect(m_dot, &QAbstractButton::clicked, this, &ParameterRow::reset);
  connect(m_chain, &QAbstractButton::clicked, this,
          [this] { emit linkRequested(m_chain->state() == ChainButton::State::own); });
}

ParameterRow::~ParameterRow() { delete m_sentence; }

void ParameterRow::build() {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(2);
  auto* line = new QHBoxLayout;
  line->setSpacing(0);
  line->addWidget(m_dot);
  if (QWidget* own = m_editor->inLabelsPlace()) {
    line->addWidget(own);
    line->addSpacing(5);
    m_label->hideTitle();
  }
  line->addWidget(m_label, 1);
  if (QWidget* beside = m_editor->beside()) {
    line->addSpacing(8);
    line->addWidget(beside);
  }
  line->addWidget(m_chain);  // in the right margin
  column->addLayout(line);
  if (QWidget* below = m_editor->beneath()) {
    auto* indented = new QHBoxLayout;
    indented->setContentsMargins(ResetDot::room, 0, ResetDot::room, 0);
    indented->addWidget(below);
    column->addLayout(indented);
  }
}

void ParameterRow::setCitation(const Citation& citation) {
  m_tip = parameterToolTip(m_spec, citation);
  showError();
}

void ParameterRow::unbind() {
  m_model.disconnect(this);
  m_editor->disconnect(&m_model);
}

void ParameterRow::showValue() {
  const ParameterValue value = *m_model.values().find(m_spec.name);
  m_editor->setValue(value);
  m_dot->setVisible(value != m_spec.default_value);
}

void ParameterRow::setError(const QString& sentence) {
  m_error = sentence;
  showError();
}

void ParameterRow::setWarning(const QString& sentence) {
  if (std::exchange(m_warning, sentence) != sentence) showError();
}

void ParameterRow::setInForce(const ParameterValue* used) {
  m_editor->setInForce(used ? shownText(m_spec, *used) : QString());
}

void ParameterRow::setLinked(std::optional<bool> linked) {
  using State = ChainButton::State;
  m_chain->setState(!linked ? State::none : *linked ? State::linked : State::own);
}

void ParameterRow::stop() { m_editor->stop(); }

void ParameterRow::reset() {
  // The dot disappears, so its field takes the focus.
  if (m_dot->hasFocus()) m_editor->field()->setFocus(Qt::OtherFocusReason);
  m_model.reset(m_spec.name, m_spec.default_value);
}

/// The line may have space for a part only; the tooltip has the whole sentence.
void ParameterRow::showError() {
  const QString& error = m_refusal.isEmpty() ? m_error : m_refusal;
  const QString& sentence = error.isEmpty() ? m_warning : error;
  m_sentence->showSentence(sentence, error.isEmpty());
  setToolTip(sentence.isEmpty() ? m_tip : "<p><b>" + sentence.toHtmlEscaped() + "</b></p>" + m_tip);
}

QMenu* ParameterRow::makeMenu(QWidget* field) {
  auto* line = qobject_cast<QLineEdit*>(field);
  QMenu* menu = line ? line->createStandardContextMenu() : new QMenu(this);
  if (line) menu->addSeparator();
  const std::string value = format_value(*m_model.values().find(m_spec.name));
  const auto copy = [](const QString& text) { QApplication::clipboard()->setText(text); };
  menu->addAction(tr("Copy value"), this, [copy, value] { copy(text(value)); });
  addPaste(*menu);
  menu->addAction(tr("Copy as --set"), this,
                  [this, copy, value] { copy(text("--set " + m_spec.name + "=" + shell_word(value))); });
  menu->addSeparator();
  QAction* reset = menu->addAction(m_dot->toolTip(), m_dot, &QAbstractButton::click);
  reset->setEnabled(!m_dot->isHidden());
  return menu;
}

/// If the clipboard has no value of the parameter, the entry states why.
void ParameterRow::addPaste(QMenu& menu) {
  const QString text = QApplication::clipboard()->text().trimmed();
  QAction* paste = menu.addAction(tr("Paste value"));
  paste->setEnabled(false);
  if (text.isEmpty()) return;
  const auto value = readValue(m_spec, text);
  const auto checked = value ? check_value(m_spec, *value) : Result<void>(value.error());
  paste->setEnabled(checked.has_value());
  menu.setToolTipsVisible(true);
  if (!checked) return paste->setToolTip(tr("Clipboard: %1").arg(QString::fromStdString(checked.error().message)));
  connect(paste, &QAction::triggered, this, [this, pasted = *value] { m_model.enter(m_spec.name, pasted, true); });
}

void ParameterRow::enterEvent(QEnterEvent* event) {
  QWidget::enterEvent(event);
  m_label->setHovered(true);
}

void ParameterRow::leaveEvent(QEvent* event) {
  QWidget::leaveEvent(event);
  m_label->setHovered(false);
}

void ParameterRow::contextMenuEvent(QContextMenuEvent* event) {
  QWidget* at = event->reason() == QContextMenuEvent::Mouse ? childAt(event->pos()) : QApplication::focusWidget();
  QMenu* menu = makeMenu(at && isAncestorOf(at) ? at : nullptr);
  menu->setAttribute(Qt::WA_DeleteOnClose);
  menu->popup(event->globalPos());
}

}  // namespace vqscope
