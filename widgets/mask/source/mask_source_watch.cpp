// SPDX-License-Identifier: GPL-3.0-or-later
// The file of a mask while it is watched, and after the session that has it is opened.
#include "core/mask/import/mask_array.h"
#include "widgets/mask/source/mask_source.h"
#include "widgets/parts/text.h"

#include <QFileInfo>

#include <utility>

namespace vqscope {

void MaskSource::watch() {
  const std::string& path = m_opened->reading.choice.file;
  const auto name = parse_tensor_name(path);
  m_watcher.setPath(text(name ? name->file : path));
}

void MaskSource::setFileProblem(const QString& sentence) {
  const bool concerns = sentence.isEmpty() || (m_opened && isUsed(*m_opened));
  if (concerns && std::exchange(m_fileProblem, sentence) != sentence) emit fileProblemChanged(sentence);
}

void MaskSource::readChanged() {
  if (!m_opened) return;
  const QString name = QFileInfo(m_watcher.path()).fileName();
  if (!isUsed(*m_opened))
    return emit notified(tr("%1 changed on disk; the mask here was changed too and stays").arg(name), false);
  BatchChoice choice = m_opened->reading.choice;
  // One mask stays one, even if an edit makes its rows look like padding.
  choice.as_mask = choice.as_mask || !m_opened->reading.batch;
  readAnd(choice, {.batch = choice.sample, .head = choice.head}, [=, this](const Result<MaskReading>& reading) {
    if (!m_opened || !isUsed(*m_opened)) return;
    const Result<void> taken = reading ? takeChanged(*reading) : reading.error();
    if (taken) return setFileProblem({});
    const QString why = m_watcher.isThere(m_watcher.path())
                            ? withoutFolder(text(taken.error().message), m_watcher.path())
                            : tr("%1 was deleted or renamed").arg(name);
    setFileProblem(why);
    showReading();
    emit notified(tr("The mask is not up to date: %1").arg(why), true);
  });
}

Result<void> MaskSource::takeChanged(const MaskReading& reading) {
  QString change = text(reading_change(m_opened->reading, reading));
  if (change.isEmpty() && (!reading.has_choice() || reading.choice == m_opened->reading.choice)) return {};
  if (change.isEmpty()) change = tr("samples that are not shown");
  const QString name = QFileInfo(m_watcher.path()).fileName();
  return use(reading,
             {.title = tr("Read %1 anew").arg(name), .notice = tr("%1 changed on disk: %2").arg(name, change)});
}

void MaskSource::follow(const QString& path) {
  readAnd({.file = bytesOf(path)}, {}, [this](const Result<MaskReading>& reading) {
    if (!reading) return setFileProblem(text(reading.error().message));
    take(*reading, {.title = tr("Follow a folder"), .phase = EditPhase::ongoing, .isQuiet = true});
    m_watcher.setPath({});
  });
}

void MaskSource::followSession() {
  const ShownPage& page = m_workbench.page(m_page);
  const BatchChoice choice = page.batch;
  if (choice.file.empty() || (m_opened && m_opened->reading.choice == choice)) return;
  BatchChoice opened = m_opened ? m_opened->reading.choice : BatchChoice();
  opened.sample = choice.sample;
  opened.head = choice.head;
  if (m_opened && opened == choice) {  // another sample, by a step that is undone
    m_opened->reading.choice = choice;
    m_opened->values = choice.second ? page.other : page.values;
    return;
  }
  // An earlier text of the file that is opened, by a step that is undone.
  if (choice.text && m_opened && opened.file == choice.file && opened.second == choice.second) return;
  if (m_restored == choice) return;
  m_restored = choice;
  readAnd(choice, {.batch = choice.sample, .head = choice.head},
          [this, choice](const Result<MaskReading>& reading) { takeRestored(choice, reading); });
}

void MaskSource::takeRestored(const BatchChoice& choice, const Result<MaskReading>& reading) {
  const ShownPage& page = m_workbench.page(m_page);
  if (page.batch != choice) return;
  const QString stays = tr("; the mask stays as it was saved");
  // The session has the text itself.
  if (choice.text && (!reading || !reading->is_text())) return;
  if (choice.text && reading->choice.record != choice.record)
    return emit notified(nameOf(*reading) + tr(" has changed since the session was saved") + stays, false);
  if (!reading) return emit notified(text(reading.error().message) + stays, true);
  if (reading->choice.record != choice.record)
    return emit notified(nameOf(*reading) + tr(" has changed since its sample was chosen") + stays, true);
  const auto made = with_reading({choice.second ? page.other : page.values, page.lint}, *reading);
  if (!made) return emit notified(nameOf(*reading) + QStringLiteral(": ") + text(made.error().message) + stays, true);
  m_opened = Opened{*reading, made->values};
  forgetChecks();
  watch();
  showReading();
}

}  // namespace vqscope
