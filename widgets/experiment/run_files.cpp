// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/experiment/run_files.h"

#include "core/io/bytes/file_source.h"
#include "widgets/parts/text.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QMenu>

namespace vqscope {

Result<RunFiles> openRunFiles(const RunPaths& paths) {
  RunFiles files;
  for (const auto& [name, path] : paths) {
    // A folder was chosen for an input that takes one.
    if (QFileInfo(textOfBytes(path)).isDir()) {
      files[name] = {path, nullptr};
      continue;
    }
    auto source = open_file(path);
    if (!source) return source.error();
    files[name] = {path, std::move(*source)};
  }
  return files;
}

RunFilesButton::RunFilesButton(QWidget* parent) : QToolButton(parent) {
  setObjectName(QStringLiteral("files"));
  setPopupMode(QToolButton::InstantPopup);
  setMenu(new QMenu(this));
  menu()->setToolTipsVisible(true);
  hide();
}

void RunFilesButton::setMethod(const Method& method) {
  if (m_method == &method) return;
  m_method = &method;
  fill();
}

RunPaths RunFilesButton::paths() const {
  const auto known = m_method ? m_paths.find(m_method->id) : m_paths.end();
  return known == m_paths.end() ? RunPaths() : known->second;
}

void RunFilesButton::choose(const std::string& input, const std::string& path) {
  RunPaths& paths = m_paths[m_method->id];
  if (path.empty())
    paths.erase(input);
  else
    paths[input] = path;
  fill();
  emit chosen(input);
}

void RunFilesButton::choosePath(const RunInput& input, PathKind kind) {
  const QString name = vqscope::text(input.name);
  const QString path = kind == PathKind::folder
                           ? QFileDialog::getExistingDirectory(window(), tr("Folder for %1").arg(name))
                           : QFileDialog::getOpenFileName(window(), tr("File for %1").arg(name));
  if (!path.isEmpty()) choose(input.name, bytesOf(path));
}

void RunFilesButton::fill() {
  menu()->clear();
  const RunRecipe* run = m_method->run();
  const RunPaths chosen = paths();
  if (run)
    for (const RunInput& input : run->inputs) {
      if (!input.file) continue;
      const auto known = chosen.find(input.name);
      const QString name = vqscope::text(input.name);
      QAction* action = menu()->addAction(
          known == chosen.end() ? tr("%1…").arg(name)
                                : tr("%1: %2…").arg(name, QFileInfo(textOfBytes(known->second)).fileName()));
      action->setToolTip(vqscope::text(input.help));
      connect(action, &QAction::triggered, this, [this, input] { choosePath(input, PathKind::file); });
      if (input.folder)
        connect(menu()->addAction(tr("%1: a folder…").arg(name)), &QAction::triggered, this,
                [this, input] { choosePath(input, PathKind::folder); });
      if (known == chosen.end()) continue;
      connect(menu()->addAction(tr("No %1").arg(name)), &QAction::triggered, this,
              [this, input] { choose(input.name, {}); });
    }
  setVisible(!menu()->isEmpty());
  setText(chosen.empty() ? tr("Files") : tr("Files (%1)").arg(chosen.size()));
  setToolTip(chosen.empty() ? tr("Files of your own for this run; none is chosen")
                            : tr("Files of your own for this run"));
}

}  // namespace vqscope
