// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/session_files.h"

#include "app/window/recovery_bar.h"
#include "core/session/session_json.h"
#include "widgets/parts/parts.h"
#include "widgets/parts/text.h"

#include <QFileInfo>
#include <QMessageBox>
#include <QPointer>

namespace vqscope {
namespace {

constexpr int lookMilliseconds = 200;

}  // namespace

SessionFiles::SessionFiles(Workbench& workbench, QWidget* window)
    : m_workbench(workbench), m_window(window), m_keeper(workbench), m_recovery(new RecoveryBar(window)) {
  m_window->setWindowTitle(QStringLiteral("VQScope[*]"));
  connect(&m_keeper, &SessionKeeper::offerChanged, this, [this] {
    const auto offer = m_keeper.offer();
    m_recovery->show(offer);
    emit offerChanged(offer.has_value());
  });
  connect(&m_keeper, &SessionKeeper::failed, this, [this](const QString& sentence) { emit notified(sentence, true); });
  connect(m_recovery, &RecoveryBar::discarded, &m_keeper, &SessionKeeper::discard);
  connect(m_recovery, &RecoveryBar::restored, this, &SessionFiles::restoreOffered);
  QUndoStack& steps = m_workbench.undoStack();
  connect(&steps, &QUndoStack::cleanChanged, this, [this](bool clean) { m_window->setWindowModified(!clean); });
  // The opened session counts as shown once no work is in progress, or once the user edits it.
  m_standing.setInterval(lookMilliseconds);
  connect(&steps, &QUndoStack::indexChanged, this, [this] {
    if (m_window->isVisible()) stand();
  });
}

QStringList SessionFiles::begin(std::function<bool()> isShown) {
  QStringList problems = m_keeper.begin();
  connect(&m_standing, &QTimer::timeout, this, [this, isShown = std::move(isShown)] {
    if (m_window->isVisible() && isShown()) stand();
  });
  m_standing.start();
  showName();
  return problems;
}

Result<void> SessionFiles::finish() {
  auto kept = m_keeper.finish();
  m_standing.stop();
  return kept;
}

void SessionFiles::restoreOffered() {
  // The session that was opened at the start is on the disk; later changes are not.
  if (m_workbench.undoStack().count() > 0 && !mayDiscard()) return;
  const QString leftOut = m_keeper.restore();
  showName();
  if (!leftOut.isEmpty()) emit notified(leftOut, true);
}

void SessionFiles::stand() {
  m_standing.stop();
  m_keeper.endStart();
}

void SessionFiles::showName() {
  const QString name = QFileInfo(m_keeper.path()).fileName();
  m_window->setWindowTitle(name.isEmpty() ? QStringLiteral("VQScope[*]") : QStringLiteral("%1[*] – VQScope").arg(name));
  m_window->setWindowModified(m_workbench.isModified());
}

void SessionFiles::openNew() {
  if (!mayDiscard()) return;
  m_keeper.open(default_session(), {});
  showName();
}

bool SessionFiles::mayReplace(Unsaved unsaved) {
  if (unsaved == Unsaved::ask) return mayDiscard();
  const auto aside = m_keeper.setAside();
  if (!aside) emit notified(text(aside.error().message), true);
  return aside.has_value();
}

bool SessionFiles::open(const ReadFiles& read, Unsaved unsaved) {
  if (!mayReplace(unsaved)) return false;
  const QString path = read.files.paths.front();
  const Notes& notes = read.session->notes;
  // A report or a figure is no file to save the session to.
  m_keeper.open(read.session->session, read.isEmbedded ? QString() : path);
  m_incompletePath = notes.empty() ? QString() : path;
  showName();
  const auto panels = static_cast<qsizetype>(read.session->session.pins.size());
  if (!notes.empty())
    emit notified(QStringLiteral("%1: %2").arg(QFileInfo(path).fileName(), text(summary(notes))), true);
  else if (read.isEmbedded && panels > 0)
    emit notified(tr("This figure has %1; Ctrl+E shows them").arg(counted(panels, tr("panel"), tr("panels"))), false);
  return true;
}

bool SessionFiles::mayDiscard() {
  if (!m_workbench.isModified()) return true;
  const QString name = QFileInfo(m_keeper.path()).fileName();
  QMessageBox question(QMessageBox::Question, tr("Unsaved session"),
                       name.isEmpty() ? tr("This session has changes that are not saved.")
                                      : tr("%1 has changes that are not saved.").arg(name),
                       QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, m_window);
  question.setDefaultButton(QMessageBox::Save);
  question.setEscapeButton(QMessageBox::Cancel);
  const int answer = question.exec();
  return answer == QMessageBox::Discard || (answer == QMessageBox::Save && save(false));
}

bool SessionFiles::save(bool asNew) {
  const QPointer<QWidget> typed = m_window->focusWidget();
  emit saving();
  if (typed) typed->setFocus();  // so that typing continues
  QString path = m_keeper.path();
  // Parts that could not be read exist in the original file only.
  if (asNew || path.isEmpty() || path == m_incompletePath)
    path = chooseSavePath(m_window, tr("Save session"), path.isEmpty() ? QStringLiteral("session.vqscope") : path,
                          tr("Sessions (*.vqscope)"), QStringLiteral("vqscope"));
  if (path.isEmpty()) return false;
  if (const auto saved = write_session(m_workbench.session(), bytesOf(path)); !saved) {
    emit notified(text(saved.error().message), true);
    return false;
  }
  m_keeper.setPath(path);
  m_incompletePath.clear();
  m_workbench.markSaved();
  showName();
  emit saved(path);
  return true;
}

}  // namespace vqscope
