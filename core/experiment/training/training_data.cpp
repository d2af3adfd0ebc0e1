// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/training/training_data.h"

#include "core/data/language.h"
#include "core/data/language_batches.h"
#include "core/data/text_bytes.h"

#include <algorithm>
#include <cassert>
#include <numeric>

namespace vqscope {
namespace {

constexpr Index stream_length = 700000;
constexpr std::uint64_t positions_purpose = 0x706f736974696f6eU;

}  // namespace

TrainingData TrainingData::language(std::uint64_t seed, Index rows, Index length) {
  assert(length + 1 < stream_length);
  TrainingData data;
  data.m_stream = language::stream(seed, stream_length);
  data.m_rows = rows;
  data.m_length = length;
  data.m_vocabulary = language::vocabulary;
  return data;
}

TrainingData TrainingData::task(Task task, std::uint64_t seed, Index rows) {
  TrainingData data;
  data.m_task = task;
  data.m_seed = seed;
  data.m_rows = rows;
  data.m_vocabulary = task_token::vocabulary;
  return data;
}

Result<TrainingData> TrainingData::text(std::string_view bytes, Index rows, Index length) {
  TrainingData data;
  data.m_stream = tokens_of_bytes(bytes);
  data.m_rows = rows;
  data.m_length = length;
  data.m_vocabulary = byte_vocabulary;
  if (auto first = training_batch(data.m_stream, 0, 1, length); !first) return first.error();
  return data;
}

std::array<Index, 2> TrainingData::first_shape() const {
  if (!m_task) return {m_rows, m_length};
  return {m_rows, task_batch(*m_task, task_size(*m_task, m_seed, 0), 1, m_seed, 0).length};
}

TokenBatch TrainingData::batch(Index step) const {
  if (m_task) return task_batch(*m_task, task_size(*m_task, m_seed, step), m_rows, m_seed, step);
  return training_batch(m_stream, step, m_rows, m_length).value();
}

Alphabet TrainingData::alphabet() const {
  if (m_task) return Alphabet::task;
  return m_vocabulary == byte_vocabulary ? Alphabet::bytes : Alphabet::language;
}

std::vector<std::int32_t> random_positions(Index rows, Index length, Index most, std::uint64_t seed, Index step) {
  assert(length <= most);
  SeededRandom random = stream_of(seed + static_cast<std::uint64_t>(step) * 0x9e3779b97f4a7c15U, positions_purpose);
  std::vector<std::int32_t> positions;
  std::vector<std::int32_t> all(static_cast<std::size_t>(most));
  for (Index row = 0; row < rows; ++row) {
    std::iota(all.begin(), all.end(), 0);
    for (Index i = 0; i < length; ++i)
      std::swap(all[static_cast<std::size_t>(i)], all[static_cast<std::size_t>(i + below(random, most - i))]);
    std::sort(all.begin(), all.begin() + length);
    positions.insert(positions.end(), all.begin(), all.begin() + length);
  }
  return positions;
}

}  // namespace vqscope
