// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"
#include "core/base/result.h"

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <new>

namespace vqscope {

/// One piece of memory that every array of a pass over a batch is cut from. The arrays are laid out twice by the same
/// code: without memory the arena only counts, then it is reserved, and the arrays get their places.
class Arena {
 public:
  /// An array of that shape, with anything in it, on a cache line's border; null while the arena counts.
  template <class T>
  T* take(std::initializer_list<Index> shape) {
    return reinterpret_cast<T*>(take_bytes(sizeof(T), shape));
  }

  /// Bytes that were taken; the largest number there is when 64 bits do not hold them.
  std::uint64_t bytes() const { return m_used; }

  /// Room for what was counted, after which everything is taken once more. Errc::too_large when there is none.
  Result<void> reserve();

 private:
  struct Free {
    void operator()(std::byte* memory) const { ::operator delete (memory, std::align_val_t{line}); }
  };
  static constexpr std::size_t line = 64;

  std::byte* take_bytes(std::size_t element, std::initializer_list<Index> shape);

  std::unique_ptr<std::byte, Free> m_memory;
  std::uint64_t m_used = 0;
};

}  // namespace vqscope
