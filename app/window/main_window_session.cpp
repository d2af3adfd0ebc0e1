// SPDX-License-Identifier: GPL-3.0-or-later
// The window's session: opened, saved, kept from one start to the next.
#include "app/window/main_window.h"
#include "app/window/recovery_bar.h"
#include "core/session/session_json.h"
#include "widgets/parts/file_name.h"
#include "widgets/parts/save_path.h"
#include "widgets/parts/text.h"

#include <QCloseEvent>
#include <QFileInfo>
#include <QMessageBox>
#include <QPointer>

namespace vqscope {
namespace {

constexpr int lookMilliseconds = 200;

}  // namespace

void MainWindow::connectKeeper() {
  connect(&m_keeper, &SessionKeeper::offerChanged, this, [this] {
    const auto offer = m_keeper.offer();
    m_recovery->show(offer);
    m_restore->setEnabled(offer.has_value());
  });
  connect(&m_keeper, &SessionKeeper::failed, this, [this](const QString& sentence) { say(sentence, true); });
  connect(m_recovery, &RecoveryBar::discarded, &m_keeper, &SessionKeeper::discard);
  connect(m_recovery, &RecoveryBar::restored, this, &MainWindow::restoreOffered);
  connect(&m_workbench, &Workbench::adjusted, this, [this](const QString& sentence) { say(sentence, false); });
  // What was opened has been shown once nothing is under way any more, or when a person goes on with it.
  m_standing.setInterval(lookMilliseconds);
  connect(&m_standing, &QTimer::timeout, this, [this] {
    if (isVisible() && !isBusy()) stand();
  });
  connect(&m_workbench.undoStack(), &QUndoStack::indexChanged, this, [this] {
    if (isVisible()) stand();
  });
}

void MainWindow::restoreOffered() {
  // What the start itself has opened is on the disk; what a person has done since then is not.
  if (m_workbench.undoStack().count() > 0 && !mayDiscard()) return;
  const QString leftOut = m_keeper.restore();
  showName();
  if (!leftOut.isEmpty()) say(leftOut, true);
}

void MainWindow::stand() {
  m_standing.stop();
  m_keeper.stood();
}

void MainWindow::showName() {
  const QString name = QFileInfo(m_keeper.path()).fileName();
  setWindowTitle(name.isEmpty() ? QStringLiteral("VQScope[*]") : QStringLiteral("%1[*] – VQScope").arg(name));
  setWindowModified(m_workbench.isModified());
}

void MainWindow::newSession() {
  if (!mayDiscard()) return;
  m_keeper.open(default_session(), {});
  showName();
}

void MainWindow::openSession(const QString& path) {
  const auto opened = read_session(bytesOf(path));
  if (!opened) return say(text(opened.error().message), true);
  // Opened on the command line, it stands in for a last session that nobody was asked about.
  if (!isVisible())
    if (const auto aside = m_keeper.setAside(); !aside) return say(text(aside.error().message), true);
  m_keeper.open(opened->session, path);
  m_incompletePath = opened->notes.empty() ? QString() : path;
  showName();
  if (!opened->notes.empty())
    say(QStringLiteral("%1: %2").arg(QFileInfo(path).fileName(), text(summary(opened->notes))), true);
}

bool MainWindow::mayDiscard() {
  if (!m_workbench.isModified()) return true;
  const QString name = QFileInfo(m_keeper.path()).fileName();
  QMessageBox question(QMessageBox::Question, tr("Unsaved session"),
                       name.isEmpty() ? tr("This session has changes that are not saved.")
                                      : tr("%1 has changes that are not saved.").arg(name),
                       QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, this);
  question.setDefaultButton(QMessageBox::Save);
  question.setEscapeButton(QMessageBox::Cancel);
  const int answer = question.exec();
  return answer == QMessageBox::Discard || (answer == QMessageBox::Save && save(false));
}

bool MainWindow::save(bool askForPath) {
  const QPointer<QWidget> typed = focusWidget();
  enterTyped();
  if (typed) typed->setFocus();  // typing goes on
  QString path = m_keeper.path();
  // What could not be read of a file is in it alone.
  if (askForPath || path.isEmpty() || path == m_incompletePath)
    path = askSavePath(this, tr("Save session"), path.isEmpty() ? QStringLiteral("session.vqscope") : path,
                       tr("Sessions (*.vqscope)"), QStringLiteral("vqscope"));
  if (path.isEmpty()) return false;
  if (const auto saved = write_session(m_workbench.session(), bytesOf(path)); !saved) {
    say(text(saved.error().message), true);
    return false;
  }
  m_keeper.setPath(path);
  m_incompletePath.clear();
  m_workbench.markSaved();
  showName();
  return true;
}

void MainWindow::restoreSaved() {
  QStringList problems;
  QString remark;
  if (const auto layout = readLayout(savedLayoutPath(), remark)) {
    setTheme(layout->theme);
    applyLayout(*layout);
    if (!remark.isEmpty()) problems << remark;
  } else if (layout.error().code != Errc::not_found) {
    problems << text(layout.error().message);
  }
  problems << m_keeper.begin();
  m_standing.start();
  showName();
  if (!problems.isEmpty()) say(problems.join(QStringLiteral("; ")), true);
}

void MainWindow::closeEvent(QCloseEvent* event) {
  enterTyped();
  // A full disk must not keep the window open; it is said where a person who looks for it finds it.
  for (const auto& written : {writeLayout(layoutState(), savedLayoutPath()), m_keeper.finish()})
    if (!written) qWarning("vqscope: %s", written.error().message.c_str());
  m_standing.stop();
  QMainWindow::closeEvent(event);
}

}  // namespace vqscope
