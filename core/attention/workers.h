// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"
#include "core/base/parallel.h"
#include "core/base/work.h"

#include <algorithm>
#include <thread>
#include <vector>

namespace vqscope {

/// A scratch buffer that a worker reuses from one item to the next.
class Scratch {
 public:
  /// At least n uninitialised floats.
  float* floats(Index n) {
    if (static_cast<Index>(m_floats.size()) < n) m_floats.resize(static_cast<std::size_t>(n));
    return m_floats.data();
  }

 private:
  std::vector<float> m_floats;
};

/// parallel_for in which body(i, mine) gets its thread's element of `workers`. Skips the remaining
/// items after a stop. `done` of `all` items were done before. Progress is reported on the caller's
/// thread up to the last item, whichever thread does it.
template <class Worker, class Body>
void share_out(std::vector<Worker>& workers, Index count, const Work& work, Index done, Index all, const Body& body) {
  std::atomic<Index> next{0};
  std::atomic<Index> finished{done};
  const auto caller = std::this_thread::get_id();
  const auto threads = static_cast<int>(std::min(static_cast<Index>(workers.size()), count));  // no idle ones
  Index reported = done;
  parallel_for(threads, threads, [&](Index worker) {
    for (Index i = next++; i < count && !work.stop.stop_requested(); i = next++) {
      body(i, workers[static_cast<std::size_t>(worker)]);
      const Index now = ++finished;
      if (std::this_thread::get_id() != caller) continue;
      reported = now;
      work.report(static_cast<double>(now) / static_cast<double>(all));
    }
  });
  if (finished > reported) work.report(static_cast<double>(finished) / static_cast<double>(all));
}

/// n zeros, for results of any size. The system provides each page of memory when it is first
/// written, which takes ten times as long as the writing. For a large result, all threads therefore
/// populate its pages at once.
std::vector<float> zeros(Index n, int threads);

}  // namespace vqscope
