// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/parts/spare_memory.h"

#include <array>
#include <atomic>
#include <cstdlib>
#include <mutex>
#include <new>

namespace vqscope {
namespace {

/// A freed block returns to the system, for any thread. Nothing is written to it, so it uses
/// address space only.
constexpr std::size_t blockBytes = std::size_t{2} << 20;

std::mutex users;
int userCount = 0;
std::new_handler handlerBefore = nullptr;
std::array<std::atomic<void*>, 4> blocks;
std::atomic<std::size_t> taken = 0;

void freeBlocks() {
  for (auto& block : blocks) std::free(block.exchange(nullptr));
}

/// Handler of `new`, which tries again after this returns.
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
  // Volatile, because the compiler may remove the pair of calls for an unused block.
  void* volatile block = std::malloc(static_cast<std::size_t>(bytes));
  const bool found = block != nullptr;
  std::free(block);
  return found;
}

}  // namespace vqscope
