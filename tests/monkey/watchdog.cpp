// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/monkey/watchdog.h"

#include "tests/monkey/event_log.h"
#include "tests/monkey/stack.h"

#include <QCoreApplication>
#include <QEvent>
#include <QFile>

#include <unistd.h>

#include <algorithm>
#include <cstdlib>

namespace vqscope::monkey {
namespace {

using namespace std::chrono_literals;

constexpr auto pause = 10ms;         // between two measurements
constexpr double hangSeconds = 120;  // after which nothing will come

const auto ping = static_cast<QEvent::Type>(QEvent::registerEventType());

/// Seconds for which the thread was ready to run and no processor was free.
double waitedForProcessor(int thread) {
  QFile file(QStringLiteral("/proc/self/task/%1/schedstat").arg(thread));
  if (!file.open(QIODevice::ReadOnly)) return 0;
  return file.readAll().split(' ').value(1).toDouble() * 1e-9;
}

/// A thread that the kernel lets nothing interrupt: it waits for a page or for the disk.
bool isUninterruptible(int thread) {
  QFile file(QStringLiteral("/proc/self/task/%1/stat").arg(thread));
  if (!file.open(QIODevice::ReadOnly)) return false;
  const QByteArray stat = file.readAll();
  return stat.mid(stat.lastIndexOf(')') + 2, 1) == "D";
}

/// Waits of a save, the end and Qt's file dialog: the disk, as long as other programs keep it busy,
/// and folders that are not watched any more.
bool isOfKernel(const QString& stack) {
  const auto names = {"fsync", "fdatasync", "~QFileSystemWatcher"};
  return std::ranges::any_of(names, [&](const char* each) { return stack.contains(QLatin1String(each)); });
}

}  // namespace

Watchdog::Watchdog(double limit) : m_limit(limit), m_guiThread(gettid()), m_guiHandle(pthread_self()) {
  m_thread = std::jthread([this](const std::stop_token& stop) { watch(stop); });
}

Watchdog::~Watchdog() = default;

bool Watchdog::event(QEvent* event) {
  if (event->type() != ping) return QObject::event(event);
  m_answered = Clock::now().time_since_epoch().count();
  return true;
}

void Watchdog::watch(const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    std::this_thread::sleep_for(pause);
    measure(stop);
  }
}

void Watchdog::measure(const std::stop_token& stop) {
  m_answered = 0;
  const auto sent = Clock::now();
  const double waitedBefore = waitedForProcessor(m_guiThread);
  const auto secondsUntil = [&](Clock::time_point then) {
    const double waited = waitedForProcessor(m_guiThread) - waitedBefore;
    return std::max(0.0, std::chrono::duration<double>(then - sent).count() - waited);
  };
  QCoreApplication::postEvent(this, new QEvent(ping));
  Stall stall;
  bool ofKernel = false;
  double limit = m_limit;  // of the most patient moment in between: a start ends before its answer comes
  while (m_answered == 0) {
    limit = std::max(limit, m_limit.load());
    if (stop.stop_requested()) return;
    std::this_thread::sleep_for(1ms);
    const double away = secondsUntil(Clock::now());
    if (away > limit && stall.stack.isEmpty() && m_answered == 0) {
      stall.event = event_log::lastEvent();
      ofKernel = isUninterruptible(m_guiThread);
      stall.stack = stackOf(m_guiHandle);
      ofKernel = ofKernel || isOfKernel(stall.stack);
    }
    if (away > hangSeconds) {
      event_log::complain(QStringLiteral("the window hangs:\n%1").arg(stackOf(m_guiHandle)));
      std::abort();
    }
  }
  stall.seconds = secondsUntil(Clock::time_point(Clock::duration(m_answered)));
  const std::lock_guard lock(m_mutex);
  m_latencies.push_back(static_cast<float>(stall.seconds));
  if (stall.seconds <= limit) return;
  if (ofKernel)
    ++m_kernelStalls;
  else
    m_stalls.push_back(stall);
}

std::vector<Stall> Watchdog::stalls() const {
  const std::lock_guard lock(m_mutex);
  return m_stalls;
}

int Watchdog::kernelStalls() const {
  const std::lock_guard lock(m_mutex);
  return m_kernelStalls;
}

double Watchdog::worst() const { return quantile(1); }

double Watchdog::quantile(double fraction) const {
  const std::lock_guard lock(m_mutex);
  if (m_latencies.empty()) return 0;
  std::vector<float> sorted = m_latencies;
  std::ranges::sort(sorted);
  return static_cast<double>(sorted[static_cast<std::size_t>(fraction * static_cast<double>(sorted.size() - 1))]);
}

}  // namespace vqscope::monkey
