// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/session/field_scheduler.h"

#include <QCoreApplication>
#include <QDeadlineTimer>
#include <QThread>

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#if defined(__GLIBC__)
#include <malloc.h>
#endif

namespace vqscope {
namespace {

/// The time that work may delay a newer request: two frames of a 60 Hz screen, or twice the
/// duration of the last work, so that slow pictures appear at all while a slider is dragged; but
/// not so long that it feels like a stall.
constexpr qint64 leastIdleTimeout = 33;
constexpr qint64 mostIdleTimeout = 400;
/// The time that stopped work may still delay a newer request.
constexpr int stopWait = 100;
/// The time that an idle thread keeps its planes for the next picture: longer than a pause during a
/// drag.
constexpr int idleMilliseconds = 3000;
/// The number of threads, in the whole program, that may be left with work that does not stop.
constexpr std::size_t mostLeft = 8;

/// Pictures are planes of megabytes, made by short-lived threads. The C library would keep up to 64
/// MiB of freed memory for each thread, hundreds of MiB in all. With these settings, large blocks
/// return to the system at once, and threads share small ones.
bool giveMemoryBack() {
#if defined(__GLIBC__)
  constexpr int mebibyte = 1 << 20;
  mallopt(M_MMAP_THRESHOLD, mebibyte);
  mallopt(M_TRIM_THRESHOLD, 4 * mebibyte);
  mallopt(M_ARENA_MAX, 8);
#endif
  return true;
}

std::unique_ptr<QThreadPool> oneThread() {
  [[maybe_unused]] static const bool set = giveMemoryBack();
  auto pool = std::make_unique<QThreadPool>();
  pool->setMaxThreadCount(1);
  pool->setExpiryTimeout(idleMilliseconds);
  return pool;
}

/// Threads without a scheduler: some run abandoned work, the others are free for reuse. Deleting a
/// thread waits for its end, so threads are deleted only at the end of the program. GUI thread
/// only.
class FreeThreads {
 public:
  std::unique_ptr<QThreadPool> take() {
    const auto idle = std::find_if(m_pools.rbegin(), m_pools.rend(), isIdle);
    if (idle == m_pools.rend()) return oneThread();
    auto pool = std::move(*idle);
    m_pools.erase(std::next(idle).base());
    return pool;
  }
  void add(std::unique_ptr<QThreadPool> pool) { m_pools.push_back(std::move(pool)); }
  /// The number of busy threads.
  std::size_t left() const { return m_pools.size() - static_cast<std::size_t>(std::ranges::count_if(m_pools, isIdle)); }
  bool waitForAll(int milliseconds) {
    const QDeadlineTimer deadline(milliseconds);
    for (const auto& pool : m_pools) pool->waitForDone(static_cast<int>(deadline.remainingTime()));
    return left() == 0;
  }

 private:
  static bool isIdle(const std::unique_ptr<QThreadPool>& pool) { return pool->activeThreadCount() == 0; }
  std::vector<std::unique_ptr<QThreadPool>> m_pools;
};

/// Abandoned work ends before static objects do, which it may use, such as colour maps: the
/// application waits for it when it is destroyed.
FreeThreads& freeThreads() {
  static FreeThreads all;
  [[maybe_unused]] static const bool waits = [] {
    qAddPostRoutine([] { FieldScheduler::waitForAll(-1); });
    return true;
  }();
  return all;
}

}  // namespace

FieldScheduler::FieldScheduler(QObject* parent)
    : QObject(parent), m_address(std::make_shared<Address>()), m_pool(freeThreads().take()) {
  m_address->owner = this;
  m_idleTimeout.setSingleShot(true);
  connect(&m_idleTimeout, &QTimer::timeout, this, &FieldScheduler::onIdleTimeout);
}

FieldScheduler::~FieldScheduler() {
  m_stop.request_stop();
  {
    const std::lock_guard lock(m_address->mutex);
    m_address->owner = nullptr;
  }
  freeThreads().add(std::move(m_pool));
}

int FieldScheduler::threads() { return std::clamp(QThread::idealThreadCount() - 1, 2, 8); }

bool FieldScheduler::waitForAll(int milliseconds) { return freeThreads().waitForAll(milliseconds); }

void FieldScheduler::start(Job job) {
  if (!m_running) return launch(std::move(job));
  m_waiting = std::move(job);
  if (!m_idleTimeout.isActive())
    m_idleTimeout.start(static_cast<int>(std::clamp(2 * m_lastDuration, leastIdleTimeout, mostIdleTimeout)));
}

void FieldScheduler::launch(Job job) {
  m_running = true;
  m_clock.start();
  m_stop = {};
  m_pool->start([address = m_address, job = std::move(job), stop = m_stop.get_token(), serial = ++m_serial]() mutable {
    auto deliver = job(stop);
    job = {};  // frees what the job holds before its result is shown
    const std::lock_guard lock(address->mutex);
    if (FieldScheduler* owner = address->owner)
      QMetaObject::invokeMethod(
          owner, [owner, deliver = std::move(deliver), serial] { owner->finish(deliver, serial); },
          Qt::QueuedConnection);
  });
}

void FieldScheduler::finish(const Delivery& deliver, std::size_t serial) {
  if (serial != m_serial || !m_running) return;  // abandoned
  m_running = false;
  m_idleTimeout.stop();
  // Work that had to be stopped needs more time than it got.
  m_lastDuration = m_clock.elapsed();
  const bool stopped = m_stop.stop_requested();
  if (m_waiting) launch(std::exchange(m_waiting, {}));
  if (!stopped) deliver();
}

/// First requests a stop of the work; abandons it if it does not stop.
void FieldScheduler::onIdleTimeout() {
  if (!m_stop.stop_requested()) {
    m_stop.request_stop();
    return m_idleTimeout.start(stopWait);
  }
  if (!leaveWork()) return m_idleTimeout.start(stopWait);
  if (m_waiting) launch(std::exchange(m_waiting, {}));
}

/// Lets the work run on and ignores its result, unless too much work was abandoned already.
bool FieldScheduler::leaveWork() {
  if (m_pool->activeThreadCount() > 0) {
    if (freeThreads().left() >= mostLeft) return false;
    freeThreads().add(std::exchange(m_pool, freeThreads().take()));
  }
  m_running = false;
  return true;
}

void FieldScheduler::stop() {
  m_waiting = {};
  m_idleTimeout.stop();
  if (!m_running) return;
  m_stop.request_stop();
  // If too much work was abandoned, the next work waits for this thread.
  m_running = false;
  leaveWork();
}

void FieldScheduler::stopAndWait() {
  m_waiting = {};
  m_idleTimeout.stop();
  m_stop.request_stop();
  m_pool->waitForDone();
  m_running = false;
}

}  // namespace vqscope
