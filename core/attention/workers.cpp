// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/workers.h"

#include <sys/mman.h>
#include <unistd.h>
#include <cstdint>

namespace vqscope {
namespace {

constexpr std::uintptr_t least_bytes = std::uintptr_t{1} << 19;
constexpr std::uintptr_t bytes_at_once = std::uintptr_t{1} << 22;

/// Asks the system for the pages within some bytes, large ones where it has them. If this fails, the
/// system provides them later, which is only slower.
[[maybe_unused]] void populate_pages(void* bytes, std::uintptr_t count, int threads, int advice) {
  const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  const auto begin = (reinterpret_cast<std::uintptr_t>(bytes) + page - 1) / page * page;
  const auto end = (reinterpret_cast<std::uintptr_t>(bytes) + count) / page * page;
  if (begin + least_bytes >= end) return;
#ifdef MADV_HUGEPAGE
  madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
#endif
  parallel_for(static_cast<Index>((end - begin + bytes_at_once - 1) / bytes_at_once), threads, [&](Index item) {
    const auto first = begin + static_cast<std::uintptr_t>(item) * bytes_at_once;
    madvise(reinterpret_cast<void*>(first), std::min(bytes_at_once, end - first), advice);
  });
}

}  // namespace

std::vector<float> zeros(Index n, [[maybe_unused]] int threads) {
  std::vector<float> values;
  values.reserve(static_cast<std::size_t>(n));
#ifdef MADV_POPULATE_WRITE
  populate_pages(values.data(), static_cast<std::uintptr_t>(n) * sizeof(float), threads, MADV_POPULATE_WRITE);
#endif
  values.resize(static_cast<std::size_t>(n));
  return values;
}

}  // namespace vqscope
