// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/relative/distance_table.h"

#include "core/base/parallel.h"

#include <cassert>

namespace vqscope {
namespace {

/// Rounded towards minus infinity.
Index chunk_of(Index argument) {
  return argument >= 0 ? argument / DistanceTable::chunk : -((-argument - 1) / DistanceTable::chunk) - 1;
}

}  // namespace

DistanceTable::DistanceTable(RelativeFunction function, Range range)
    : m_function(std::move(function)), m_range(range), m_first(chunk_of(range.begin)) {
  assert(range.size() > 0);
  m_chunks = std::make_unique<Chunk[]>(static_cast<std::size_t>(chunk_of(range.end - 1) - m_first + 1));
}

DistanceTable::Chunk& DistanceTable::computed(Index index) const {
  Chunk& wanted = m_chunks[static_cast<std::size_t>(index - m_first)];
  std::call_once(wanted.once, [&] {
    wanted.values.resize(static_cast<std::size_t>(chunk));
    m_function.fill(index * chunk, wanted.values);
  });
  return wanted;
}

void DistanceTable::compute(Range range, int threads, const std::stop_token& stop) const {
  if (range.size() <= 0) return;
  assert(range.begin >= m_range.begin && range.end <= m_range.end);
  const Index first = chunk_of(range.begin);
  parallel_for(chunk_of(range.end - 1) - first + 1, threads, [&](Index i) {
    if (!stop.stop_requested()) computed(first + i);
  });
}

std::span<const double> DistanceTable::values(Range range) const {
  const Index index = chunk_of(range.begin);
  assert(range.size() <= 0 || chunk_of(range.end - 1) == index);
  return std::span<const double>(computed(index).values)
      .subspan(static_cast<std::size_t>(range.begin - index * chunk), static_cast<std::size_t>(range.size()));
}

}  // namespace vqscope
