// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/tensors/arena.h"

#include "core/base/text.h"

#include <sys/mman.h>

#include <algorithm>
#include <limits>

namespace vqscope {

namespace {
constexpr auto too_many = std::numeric_limits<std::uint64_t>::max();
}

std::byte* Arena::take_bytes(std::size_t element, std::initializer_list<Index> shape) {
  std::uint64_t bytes = element;
  bool fits = m_used != too_many;
  for (const Index size : shape)
    fits = fits && !__builtin_mul_overflow(bytes, static_cast<std::uint64_t>(size), &bytes);
  fits = fits && !__builtin_add_overflow(bytes, line - 1, &bytes);
  bytes = bytes / line * line;
  std::byte* begin = m_memory ? m_memory.get() + m_used : nullptr;
  if (!fits || __builtin_add_overflow(m_used, bytes, &m_used)) m_used = too_many;
  return begin;
}

void Arena::Free::operator()(std::byte* memory) const { munmap(memory, m_bytes); }

Result<void> Arena::reserve() {
  const Error none{Errc::too_large, "this batch needs " + byte_count(static_cast<double>(m_used)) +
                                        " of memory, which is not available; use fewer rows or shorter sequences"};
  if (m_used > static_cast<std::uint64_t>(std::numeric_limits<std::ptrdiff_t>::max())) return none;
  const auto bytes = static_cast<std::size_t>(std::max<std::uint64_t>(m_used, 1));
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return none;
  m_memory = {static_cast<std::byte*>(memory), Free(bytes)};
  m_used = 0;
  return {};
}

}  // namespace vqscope
