// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/room/model_actions.h"

#include "core/base/text.h"
#include "core/catalogue/parts.h"
#include "core/catalogue/registry.h"
#include "core/config/compare/compare.h"
#include "core/config/model_config.h"
#include "core/config/place/hub_cache.h"
#include "core/session/subject/subject_tensors.h"
#include "widgets/config/config_comparison.h"
#include "widgets/config/model_dialog.h"
#include "widgets/dialog/config_dialog.h"
#include "widgets/import/attention_dialog.h"
#include "widgets/page/model_page.h"
#include "widgets/parts/text.h"
#include "widgets/session/workbench.h"

#include <QApplication>
#include <QClipboard>
#include <QFileInfo>
#include <QTimer>

#include <algorithm>
#include <utility>

namespace vqscope {
ModelActions::ModelActions(Workbench& workbench, QWidget* window)
    : QObject(window), m_workbench(workbench), m_window(window) {
  connect(&m_workbench, &Workbench::changed, this, &ModelActions::watchModel);
  connect(&m_watcher, &FileWatcher::changed, this, &ModelActions::readChanged);
}

/// The file of the model, whichever way it came, also by undo.
void ModelActions::watchModel() {
  const QString path = text(m_workbench.session().subject.model_file);
  if (path == m_watcher.path()) return;
  m_watcher.setPath(path);
  setFileProblem({});
}

void ModelActions::setFileProblem(const QString& sentence) {
  if (std::exchange(m_fileProblem, sentence) != sentence) emit fileProblemChanged(sentence);
}

void ModelActions::readChanged(const QString& path) {
  m_changes.run<Result<OpenedConfig>>([path](const std::stop_token&) { return open_model(bytesOf(path)); },
                                      [this, path](const Result<OpenedConfig>& model) {
                                        if (path != m_watcher.path()) return;
                                        if (model) return takeChanged(path, *model);
                                        const QString name = QFileInfo(path).fileName();
                                        setFileProblem(m_watcher.isThere(path)
                                                           ? withoutFolder(text(model.error().message), path)
                                                           : tr("%1 was deleted or renamed").arg(name));
                                        emit notified(tr("The model is not up to date: %1").arg(m_fileProblem), true);
                                      });
}

/// The page on top stays.
void ModelActions::takeChanged(const QString& path, OpenedConfig model) {
  const Subject& subject = m_workbench.session().subject;
  const QString name = QFileInfo(path).fileName();
  setFileProblem({});
  if (model.text == subject.config) return;
  const auto before = read_model_config(subject.config);
  const auto differences = before ? compare_configs(*before, model.report, {"the former file", "the new one"})
                                  : std::vector<ConfigDifference>();
  model.place.name = subject.model;
  const std::string page = m_workbench.session().current;
  if (const auto opened = m_workbench.adoptModel(model); !opened)
    return emit notified(text(opened.error().message), true);
  m_workbench.showPage(page);
  if (differences.empty()) return emit notified(tr("%1 changed on disk: nothing differs in meaning").arg(name), false);
  const ConfigDifference& first = differences.front();
  QString change = tr("%1 changed on disk: %2 is %3, was %4").arg(name, text(first.fact), text(first.b), text(first.a));
  if (differences.size() > 1) change += tr("; the first of %1 differences").arg(differences.size());
  emit notified(change, false);
}

void ModelActions::attach(ModelPage& page) {
  connect(&page, &ModelPage::openRequested, this, &ModelActions::openRequested);
  connect(&page, &ModelPage::pasteRequested, this, &ModelActions::paste);
  connect(&page, &ModelPage::sampleRequested, this, &ModelActions::fileRequested);
  connect(&page, &ModelPage::detailsRequested, this, [this, model = &page] { showDetails(*model); });
  connect(&page, &ModelPage::compareRequested, this, [this] {
    ModelDialog dialog(tr("Compare with another model"), m_window);
    if (dialog.exec() == QDialog::Accepted) compareWith(*dialog.model());
  });
}

void ModelActions::showDetails(const ModelPage& page) {
  auto* dialog = new ConfigDialog(text(m_workbench.session().subject.model), *page.report(), m_window);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &ConfigDialog::opened, this,
          [this](const ConfigView& view) { emit viewRequested(text(view.method), view.values); });
  dialog->show();
}

bool ModelActions::open(const OpenedConfig& model) {
  const auto opened = m_workbench.adoptModel(model);
  if (opened)
    m_workbench.showPage("model");
  else
    emit notified(text(opened.error().message), true);
  return opened.has_value();
}

void ModelActions::choose() {
  ModelDialog dialog(tr("Open model"), m_window);
  if (dialog.exec() != QDialog::Accepted) return;
  if (open(*dialog.model()) && is_model_path(bytesOf(dialog.place()))) emit chosen(dialog.place());
}

void ModelActions::paste() {
  const std::string pasted = QApplication::clipboard()->text().toStdString();
  const std::string id(trimmed(pasted));
  if (id.find('/') != std::string::npos && parse_model_id(id)) return emit idRequested(text(id));
  const auto report = read_model_config(pasted);
  if (report) return void(open({pasted, *report, {.name = tr("pasted config").toStdString()}}));
  emit notified(tr("The clipboard does not contain a model config: %1").arg(text(report.error().message)), true);
}

void ModelActions::compareWith(const OpenedConfig& other) {
  const Subject& subject = m_workbench.session().subject;
  m_compared.run<Result<OpenedConfig>>(
      [config = subject.config, file = subject.model_file, name = subject.model](const std::stop_token&) {
        const Checkpoint weights = checkpoint_beside(file);
        const auto report = read_model_config(config, weights.is_empty() ? nullptr : &weights);
        return report ? Result<OpenedConfig>({config, *report, {.file = file, .name = name}}) : report.error();
      },
      [this, other](const Result<OpenedConfig>& current) {
        current ? showComparison(*current, other) : emit notified(text(current.error().message), true);
      });
}

void ModelActions::compare(const OpenedConfig& first, const OpenedConfig& second) {
  if (open(first)) showComparison(first, second);
}

void ModelActions::showComparison(const OpenedConfig& first, const OpenedConfig& second) {
  const auto [a, b] = told_apart(first.place, second.place);
  auto* dialog = new ConfigComparisonDialog(text(a), first.report, text(b), second.report, m_window);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  QTimer::singleShot(0, dialog, &QDialog::show);
}

TensorActions::TensorActions(Workbench& workbench, QWidget* window)
    : QObject(window), m_workbench(workbench), m_window(window) {}

std::optional<QkvChoice> TensorActions::open(const std::vector<FileTensor>& tensors, const TokenTexts& tokens) {
  if (tensor_view().empty()) {
    emit notified(tr("Views of queries, keys and values are part of the lab, which this build leaves out"), true);
    return std::nullopt;
  }
  AttentionDialog dialog(m_window);
  dialog.addTensors(tensors);
  if (!dialog.isComplete() && dialog.exec() != QDialog::Accepted) return std::nullopt;
  const QkvChoice choice = dialog.choice();
  const bool isFirst = std::ranges::all_of(choice.samples, [](Index sample) { return sample == 0; });
  const bool taken = take(dialog, *find_method(tensor_view()), isFirst ? tokens : TokenTexts());
  return taken ? std::optional(choice) : std::nullopt;
}

bool TensorActions::take(const AttentionDialog& dialog, const Method& view, const TokenTexts& tokens) {
  const auto values = dialog.values();
  const auto opened = values ? m_workbench.openTensors(page_of(view)->id, view, *values, tokens) : values.error();
  if (!opened) emit notified(text(opened.error().message), true);
  return opened.has_value();
}

void TensorActions::edit() {
  const Subject& subject = m_workbench.session().subject;
  if (!has_tensors(subject)) return void(open({}));
  AttentionDialog dialog(m_window);
  dialog.select(subject.values);
  const int result = dialog.exec();
  if (result == AttentionDialog::removed) {
    const auto removed = m_workbench.editSubject(tr("Remove q, k and v"), with_tensors(subject, {}));
    if (!removed) emit notified(text(removed.error().message), true);
  }
  if (result != QDialog::Accepted) return;
  const Method* shown = find_method(m_workbench.current().method);
  take(dialog, shown && find_spec(shown->parameters, "k_tensor") ? *shown : *find_method(tensor_view()));
}

}  // namespace vqscope
