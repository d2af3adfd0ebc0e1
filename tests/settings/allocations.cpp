// SPDX-License-Identifier: GPL-3.0-or-later
#include "settings/allocations.h"

#include <malloc.h>

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <limits>
#include <new>

namespace {

std::atomic<std::int64_t> used{0};
std::atomic<std::int64_t> most_used{0};
std::atomic<std::int64_t> first_used{0};
std::atomic<std::int64_t> limit{std::numeric_limits<std::int64_t>::max()};
std::atomic<bool> met{false};

void count(std::int64_t bytes) {
  const std::int64_t now = used.fetch_add(bytes, std::memory_order_relaxed) + bytes;
  std::int64_t before = most_used.load(std::memory_order_relaxed);
  while (now > before && !most_used.compare_exchange_weak(before, now, std::memory_order_relaxed)) {
  }
}

void* allocated(std::size_t size, std::size_t alignment) {
  const std::int64_t room = limit.load(std::memory_order_relaxed) - used.load(std::memory_order_relaxed);
  if (size > static_cast<std::size_t>(room > 0 ? room : 0)) {
    met = true;
    throw std::bad_alloc();
  }
  const std::size_t whole = (size + alignment - 1) / alignment * alignment;
  void* memory = alignment > alignof(std::max_align_t) ? std::aligned_alloc(alignment, whole) : std::malloc(size);
  if (memory == nullptr) throw std::bad_alloc();
  count(static_cast<std::int64_t>(malloc_usable_size(memory)));
  return memory;
}

void release(void* memory) noexcept {
  if (memory == nullptr) return;
  used.fetch_sub(static_cast<std::int64_t>(malloc_usable_size(memory)), std::memory_order_relaxed);
  std::free(memory);
}

}  // namespace

void* operator new(std::size_t size) { return allocated(size, 1); }
void* operator new[](std::size_t size) { return allocated(size, 1); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  return allocated(size, static_cast<std::size_t>(alignment));
}
void* operator new[](std::size_t size, std::align_val_t alignment) {
  return allocated(size, static_cast<std::size_t>(alignment));
}
void operator delete(void* memory) noexcept { release(memory); }
void operator delete[](void* memory) noexcept { release(memory); }
void operator delete(void* memory, std::size_t) noexcept { release(memory); }
void operator delete[](void* memory, std::size_t) noexcept { release(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { release(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { release(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { release(memory); }
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept { release(memory); }

namespace vqscope::settings {

void Allocations::begin(std::int64_t most) {
  first_used = used.load();
  most_used = used.load();
  limit = used.load() + most;
  met = false;
}

std::int64_t Allocations::in_use() { return used; }
std::int64_t Allocations::peak() { return most_used - first_used; }
bool Allocations::limit_was_met() { return met; }

}  // namespace vqscope::settings
