// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/parts/spare_memory.h"

#include <array>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <mutex>
#include <new>

namespace vqscope {
namespace {

/// Each goes back to the system when it is freed, for whatever thread asks next; nobody writes to it, so that it costs
/// addresses alone.
constexpr std::size_t blockBytes = std::size_t{2} << 20;

std::mutex users;
int userCount = 0;
std::new_handler handlerBefore = nullptr;
std::array<std::atomic<void*>, 4> blocks;
std::atomic<std::size_t> taken = 0;

void freeBlocks() {
  for (auto& block : blocks) std::free(block.exchange(nullptr));
}

/// Of `new`, which tries again when this returns.
void giveBlock() {
  ++taken;
  for (auto& block : blocks)
    if (void* spare = block.exchange(nullptr)) return std::free(spare);
  throw std::bad_alloc();
}

void fillBlocks() {
  for (auto& block : blocks) {
    if (block) continue;
    block = std::malloc(blockBytes);
    if (block) continue;
    if (userCount == 0) freeBlocks();
    throw std::bad_alloc();
  }
}

}  // namespace

SpareMemory::SpareMemory() : m_takenBefore(taken) {
  const std::lock_guard lock(users);
  fillBlocks();
  if (userCount++ == 0) handlerBefore = std::set_new_handler(giveBlock);
}

SpareMemory::~SpareMemory() {
  const std::lock_guard lock(users);
  if (--userCount > 0) return;
  std::set_new_handler(handlerBefore);
  freeBlocks();
}

bool SpareMemory::wasNeeded() const { return taken != m_takenBefore; }

bool isMemoryFor(double bytes) {
  if (bytes >= static_cast<double>(PTRDIFF_MAX)) return false;
  // Volatile, or the compiler leaves out a pair of calls whose block nobody uses.
  void* volatile block = std::malloc(static_cast<std::size_t>(bytes));
  const bool found = block != nullptr;
  std::free(block);
  return found;
}

}  // namespace vqscope
