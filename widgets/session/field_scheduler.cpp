// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/session/field_scheduler.h"

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

/// How long work may hold up a newer request: two frames of a 60 Hz screen, or twice what the last work took, so that
/// slow pictures are shown at all while a slider is dragged; but no longer than a person notices as a stall.
constexpr qint64 leastPatience = 33;
constexpr qint64 mostPatience = 400;
/// How long work that was told to stop may still hold up a newer request.
constexpr int hearing = 100;
/// How long a thread stays for the next picture, with the planes of the last: longer than a person pauses in a drag.
constexpr int idleMilliseconds = 3000;
/// Threads of the whole program that may be left with work that does not hear its stop.
constexpr std::size_t mostLeft = 8;

/// Pictures are planes of megabytes, made by threads that come and go. The C library would keep what each of them has
/// freed, up to 64 MiB a thread, and the program would grow by hundreds of them: so large blocks go back to the system
/// at once, and threads share their small ones.
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

/// Threads that no scheduler has: some with work that was left to end by itself, the others for the next who asks. To
/// delete a thread is to wait for its end, for as long as the system lets it wait for a processor: that is for the end
/// of the program. GUI thread only.
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
  /// How many have work.
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

FreeThreads& freeThreads() {
  static FreeThreads all;
  return all;
}

}  // namespace

FieldScheduler::FieldScheduler(QObject* parent)
    : QObject(parent), m_address(std::make_shared<Address>()), m_pool(freeThreads().take()) {
  m_address->owner = this;
  m_patience.setSingleShot(true);
  connect(&m_patience, &QTimer::timeout, this, &FieldScheduler::onPatience);
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
  if (!m_patience.isActive())
    m_patience.start(static_cast<int>(std::clamp(2 * m_lastDuration, leastPatience, mostPatience)));
}

void FieldScheduler::launch(Job job) {
  m_running = true;
  m_clock.start();
  m_stop = {};
  m_pool->start([address = m_address, job = std::move(job), stop = m_stop.get_token(), serial = ++m_serial]() mutable {
    auto deliver = job(stop);
    job = {};  // what it holds goes before its result is shown
    const std::lock_guard lock(address->mutex);
    if (FieldScheduler* owner = address->owner)
      QMetaObject::invokeMethod(
          owner, [owner, deliver = std::move(deliver), serial] { owner->finish(deliver, serial); },
          Qt::QueuedConnection);
  });
}

void FieldScheduler::finish(const Delivery& deliver, std::size_t serial) {
  if (serial != m_serial || !m_running) return;  // left behind
  m_running = false;
  m_patience.stop();
  // What had to be stopped needs more time than it was given.
  m_lastDuration = m_clock.elapsed();
  const bool stopped = m_stop.stop_requested();
  if (m_waiting) launch(std::exchange(m_waiting, {}));
  if (!stopped) deliver();
}

/// First the work is told to stop; where it does not hear, it is left.
void FieldScheduler::onPatience() {
  if (!m_stop.stop_requested()) {
    m_stop.request_stop();
    return m_patience.start(hearing);
  }
  if (!leaveWork()) return m_patience.start(hearing);
  if (m_waiting) launch(std::exchange(m_waiting, {}));
}

/// The work goes on where it is, and what comes of it is not wanted. Not where too much was left already.
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
  m_patience.stop();
  if (!m_running) return;
  m_stop.request_stop();
  // Where too much was left, the next work waits for this thread.
  m_running = false;
  leaveWork();
}

void FieldScheduler::stopAndWait() {
  m_waiting = {};
  m_patience.stop();
  m_stop.request_stop();
  m_pool->waitForDone();
  m_running = false;
}

}  // namespace vqscope
