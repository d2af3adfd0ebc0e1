// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/session/journal.h"

#include "core/base/guard.h"

#include <QMutexLocker>

#include <utility>

namespace vqscope {

Journal::Journal(std::unique_ptr<JournalFile> file, QObject* parent)
    : QObject(parent), m_file(std::move(file)), m_path(m_file->path()) {
  m_pool.setMaxThreadCount(1);
}

Journal::~Journal() { wait(); }

void Journal::take(Document document) {
  const QMutexLocker lock(&m_mutex);
  m_next = std::move(document);
  ++m_taken;
  if (std::exchange(m_writing, true)) return;
  m_pool.start([this] { writeAll(); });
}

void Journal::wait() { m_pool.waitForDone(); }

bool Journal::isIdle() const {
  const QMutexLocker lock(&m_mutex);
  return !m_writing;
}

void Journal::writeAll() {
  for (bool more = true; more;) {
    QMutexLocker lock(&m_mutex);
    const Document document = *std::exchange(m_next, {});
    const qint64 taken = m_taken;
    lock.unlock();
    const auto done = guarded([&] { return writeDocument(document, m_path); });
    lock.relock();
    more = m_next.has_value();
    m_writing = more;
    lock.unlock();
    // Receivers find the journal idle if nothing newer waits.
    if (done)
      emit written(taken);
    else
      emit failed(QString::fromStdString(done.error().message));
  }
}

}  // namespace vqscope
