// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/room/model_actions.h"

#include "core/catalogue/parts.h"
#include "core/config/model_config.h"
#include "widgets/config/config_comparison.h"
#include "widgets/dialog/config_dialog.h"
#include "widgets/import/attention_dialog.h"
#include "widgets/page/model_page.h"
#include "widgets/parts/text.h"
#include "widgets/session/workbench.h"

#include <QApplication>
#include <QClipboard>
#include <QDir>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QTimer>

namespace vqscope {
namespace {

/// The file's name, or its folder's where the file has the usual name.
QString modelName(const QString& path) {
  const QFileInfo file(path);
  const QString name = file.completeBaseName(), folder = file.absoluteDir().dirName();
  return (name == QLatin1String("config") || name == QLatin1String("params")) && !folder.isEmpty() ? folder : name;
}

/// The model of a file, or of one compiled into the program: ":/configs/t5-base.json".
Result<OpenedConfig> openModel(const QString& path) {
  if (!path.startsWith(QLatin1String(":/"))) return open_config_file(bytesOf(path));
  QFile file(path);
  if (!file.open(QIODevice::ReadOnly))
    return Error{Errc::io, path.toStdString() + ": " + file.errorString().toStdString()};
  return open_config_text(path.toStdString(), file.readAll().toStdString());
}

}  // namespace

ModelActions::ModelActions(Workbench& workbench, QWidget* window)
    : QObject(window), m_workbench(workbench), m_window(window) {}

void ModelActions::attach(ModelPage& page) {
  connect(&page, &ModelPage::openRequested, this, &ModelActions::openRequested);
  connect(&page, &ModelPage::pasteRequested, this, &ModelActions::paste);
  connect(&page, &ModelPage::sampleRequested, this, &ModelActions::fileRequested);
  connect(&page, &ModelPage::detailsRequested, this, [this, model = &page] { showDetails(*model); });
  connect(&page, &ModelPage::compareRequested, this, [this] {
    const QString path = QFileDialog::getOpenFileName(m_window, tr("Compare with a config"), {},
                                                      tr("Model configs (*.json *.gguf);;All files (*)"));
    if (!path.isEmpty()) compareWith(path);
  });
}

void ModelActions::showDetails(const ModelPage& page) {
  auto* dialog = new ConfigDialog(text(m_workbench.session().subject.model), *page.report(), m_window);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &ConfigDialog::opened, this,
          [this](const ConfigView& view) { emit viewRequested(text(view.method), view.values); });
  dialog->show();
}

void ModelActions::open(const QString& path) {
  const auto config = openModel(path);
  if (!config) return emit notified(text(config.error().message), true);
  adopt(modelName(path), *config);
}

void ModelActions::adopt(const QString& name, const OpenedConfig& config) {
  const auto opened = m_workbench.adoptModel(name, config.text, config.report);
  if (!opened) return emit notified(text(opened.error().message), true);
  m_workbench.showPage("model");
}

void ModelActions::paste() {
  const std::string pasted = QApplication::clipboard()->text().toStdString();
  const auto report = read_model_config(pasted);
  if (report) return adopt(tr("pasted config"), {pasted, *report});
  emit notified(tr("The clipboard does not contain a model config: %1").arg(text(report.error().message)), true);
}

/// The model of the window with that of a file.
void ModelActions::compareWith(const QString& path) {
  const Subject& subject = m_workbench.session().subject;
  const auto current = read_model_config(subject.config);
  const auto other = read_config_file(bytesOf(path));
  if (!current || !other) return emit notified(text((current ? other.error() : current.error()).message), true);
  showComparison(text(subject.model), *current, modelName(path), *other);
}

void ModelActions::compare(const QString& first, const QString& second) {
  const auto a = openModel(first);
  const auto b = openModel(second);
  if (!a || !b) return emit notified(text((a ? b.error() : a.error()).message), true);
  adopt(modelName(first), *a);
  showComparison(modelName(first), a->report, modelName(second), b->report);
}

void ModelActions::showComparison(const QString& a, const ConfigReport& first, const QString& b,
                                  const ConfigReport& second) {
  auto* dialog = new ConfigComparisonDialog(a, first, b, second, m_window);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  QTimer::singleShot(0, dialog, &QDialog::show);
}

TensorActions::TensorActions(QWidget* window) : QObject(window), m_window(window) {}

void TensorActions::open(const QStringList& paths) {
  if (tensor_view().empty())
    return emit notified(tr("Views of queries, keys and values are part of the lab, which this build leaves out"),
                         true);
  AttentionDialog dialog(m_window);
  dialog.addFiles(paths);
  if (!dialog.isComplete() && dialog.exec() != QDialog::Accepted) return;
  if (const auto values = dialog.values()) emit viewRequested(text(std::string(tensor_view())), *values);
}

}  // namespace vqscope
