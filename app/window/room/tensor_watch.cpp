// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/room/tensor_watch.h"

#include "app/window/page_stack.h"
#include "core/session/subject/subject_tensors.h"
#include "widgets/parts/text.h"
#include "widgets/session/workbench.h"

#include <QFileInfo>

#include <algorithm>
#include <utility>

namespace vqscope {

/// A file after its change.
struct TensorWatch::Checked {
  QString path = {};
  QString problem = {};  ///< empty: its tensors can be read
  Subject before = {};
  Subject subject = {};  ///< with the present records of its files
};

TensorWatch::TensorWatch(Workbench& workbench, PageStack& pages)
    : QObject(&pages), m_workbench(workbench), m_pages(pages) {
  connect(&m_workbench, &Workbench::changed, this, &TensorWatch::watch);
  connect(&m_watcher, &FileWatcher::changed, this, &TensorWatch::read);
}

void TensorWatch::watch() {
  QStringList paths;
  for (const auto& page : m_workbench.session().pages)
    for (const auto& file : tensor_files(m_workbench.page(page.id).values)) paths << textOfBytes(file);
  paths.removeDuplicates();
  m_watcher.setPaths(paths);
  std::erase_if(m_problems, [&](const auto& each) { return !paths.contains(each.first); });
  showProblems();
}

std::vector<std::string> TensorWatch::pagesWith(const QString& path) const {
  std::vector<std::string> pages;
  for (const auto& page : m_workbench.session().pages)
    if (std::ranges::count(tensor_files(m_workbench.page(page.id).values), bytesOf(path)) > 0) pages.push_back(page.id);
  return pages;
}

void TensorWatch::read(const QString& path) {
  if (m_reading.isBusy()) {
    if (!m_waiting.contains(path)) m_waiting << path;
    return;
  }
  std::vector<ParameterValues> values;
  for (const auto& page : pagesWith(path)) values.push_back(m_workbench.page(page).values);
  m_reading.run<Checked>(
      [path, values, subject = m_workbench.session().subject](const std::stop_token&) {
        Checked checked{path, {}, subject, subject};
        for (const auto& each : values)
          if (const auto read = check_tensor_file(each, bytesOf(path)); !read && checked.problem.isEmpty())
            checked.problem = withoutFolder(text(read.error().message), path);
        Notes changes;
        if (checked.problem.isEmpty()) check_records(checked.subject, changes);
        return checked;
      },
      [this](const Checked& checked) {
        take(checked);
        if (!m_waiting.isEmpty()) read(m_waiting.takeFirst());
      });
}

void TensorWatch::take(const Checked& checked) {
  if (checked.path.isEmpty()) return;  // memory failed
  const QString name = QFileInfo(checked.path).fileName();
  if (!checked.problem.isEmpty()) {
    const QString why = m_watcher.isThere(checked.path) ? checked.problem : tr("%1 was deleted or renamed").arg(name);
    m_problems[checked.path] = why;
    showProblems();
    return emit notified(tr("Views of %1 are not up to date: %2").arg(name, why), true);
  }
  m_problems.erase(checked.path);
  m_pages.makeAnew(pagesWith(checked.path));
  // The session describes the files as they are now, so that it can say later whether they changed.
  if (checked.before == m_workbench.session().subject && checked.subject != checked.before)
    if (const auto done = m_workbench.editSubject(tr("Read %1 anew").arg(name), checked.subject); !done)
      return emit notified(text(done.error().message), true);
  showProblems();
  emit notified(tr("%1 changed on disk and is read anew").arg(name), false);
}

void TensorWatch::showProblems() {
  std::vector<std::string> marked;
  for (const auto& [path, why] : m_problems)
    for (const auto& page : pagesWith(path)) {
      if (std::ranges::count(marked, page) > 0) continue;
      m_pages.setFileProblem(page, why);
      marked.push_back(page);
    }
  for (const auto& page : std::exchange(m_marked, marked))
    if (std::ranges::count(marked, page) == 0) m_pages.setFileProblem(page, {});
}

}  // namespace vqscope
