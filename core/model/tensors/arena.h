// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"
#include "core/base/result.h"

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>

namespace vqscope {

/// One piece of memory for all arrays of a pass over a batch. The same code lays out the arrays
/// twice: first, without memory, the arena only counts; then memory is reserved and the arrays get
/// their addresses.
class Arena {
 public:
  /// An uninitialised array of that shape, aligned to a cache line; null while the arena counts.
  template <class T>
  T* take(std::initializer_list<Index> shape) {
    return reinterpret_cast<T*>(take_bytes(sizeof(T), shape));
  }

  /// Bytes that were taken; the largest 64-bit number if there are more.
  std::uint64_t bytes() const { return m_used; }

  /// Reserves the memory that was counted; the arrays must then be taken again. Errc::too_large if
  /// there is not enough memory.
  Result<void> reserve();

 private:
  /// Unmaps it: the system has it back at once, however many passes of different sizes follow each other.
  class Free {
   public:
    Free() : m_bytes(0) {}
    explicit Free(std::size_t bytes) : m_bytes(bytes) {}
    void operator()(std::byte* memory) const;

   private:
    std::size_t m_bytes;
  };
  static constexpr std::size_t line = 64;

  std::byte* take_bytes(std::size_t element, std::initializer_list<Index> shape);

  std::unique_ptr<std::byte, Free> m_memory;
  std::uint64_t m_used = 0;
};

}  // namespace vqscope
