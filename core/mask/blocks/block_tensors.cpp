// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/blocks/block_tensors.h"

#include <algorithm>
#include <array>
#include <bit>
#include <string>

namespace vqscope {
namespace {

static_assert(std::endian::native == std::endian::little);

/// Numbers on their way to a sink, many at a time.
class NumberWriter {
 public:
  NumberWriter(ByteSink& sink, std::stop_token stop) : m_sink(sink), m_stop(std::move(stop)) {}

  /// `count` numbers from `first` on, each `step` more than the one before.
  void add(Index first, Index count, Index step) {
    for (Index done = 0; done < count && m_result;) {
      const Index some = std::min(count - done, static_cast<Index>(at_once - m_filled));
      std::int32_t* const to = m_numbers.data() + m_filled;
      for (Index i = 0; i < some; ++i) to[i] = static_cast<std::int32_t>(first + (done + i) * step);
      m_filled += static_cast<std::size_t>(some);
      done += some;
      if (m_filled == at_once) send();
    }
  }

  Result<void> finish() {
    send();
    return m_result;
  }

 private:
  static constexpr std::size_t at_once = std::size_t{1} << 16;

  void send() {
    if (!m_result || m_filled == 0) return;
    m_result = m_stop.stop_requested()
                   ? Result<void>(cancelled())
                   : m_sink.write({reinterpret_cast<const char*>(m_numbers.data()), m_filled * sizeof(std::int32_t)});
    m_filled = 0;
  }

  ByteSink& m_sink;
  std::stop_token m_stop;
  std::vector<std::int32_t> m_numbers = std::vector<std::int32_t>(at_once);
  std::size_t m_filled = 0;
  Result<void> m_result;
};

/// One of the four lists, by the beginning of its arrays' names.
struct ListName {
  const char* name;
  ImportedRuns BlockLists::*list;
};
constexpr std::array<ListName, 4> list_names{{{"kv", &BlockLists::kv},
                                              {"full_kv", &BlockLists::full_kv},
                                              {"q", &BlockLists::q},
                                              {"full_q", &BlockLists::full_q}}};

Index count_of(std::span<const KeyInterval> blocks) {
  Index count = 0;
  for (const KeyInterval& each : blocks) count += Index{each.end} - Index{each.begin};
  return count;
}

Index width_of(const BlockMasks& masks, const ListName& which, bool trim) {
  const BlockLists& first = *masks.lists.front();
  const bool of_queries = which.list == &BlockLists::kv || which.list == &BlockLists::full_kv;
  if (!trim) return (of_queries ? first.q : first.kv).rows();
  Index widest = 0;
  const BlockLists* before = nullptr;
  for (const auto& lists : masks.lists)
    if (lists.get() != std::exchange(before, lists.get())) widest = std::max(widest, largest_count(*lists.*which.list));
  return widest;
}

Result<void> write_counts(const BlockMasks& masks, const ListName& which, ByteSink& sink, const std::stop_token& stop) {
  NumberWriter writer(sink, stop);
  for (const auto& lists : masks.lists) {
    const ImportedRuns& list = *lists.*which.list;
    for (std::size_t run = 0; run < list.run_count(); ++run)
      writer.add(count_of(list.intervals_of(run)), list.rows_of(run).size(), 0);
  }
  return writer.finish();
}

Result<void> write_indices(const BlockMasks& masks, const ListName& which, Index width, ByteSink& sink,
                           const std::stop_token& stop) {
  NumberWriter writer(sink, stop);
  for (const auto& lists : masks.lists) {
    const ImportedRuns& list = *lists.*which.list;
    for (std::size_t run = 0; run < list.run_count() && !stop.stop_requested(); ++run) {
      const auto blocks = list.intervals_of(run);
      for (Index row = 0; row < list.rows_of(run).size() && width > 0; ++row) {
        for (const KeyInterval& each : blocks) writer.add(each.begin, Index{each.end} - Index{each.begin}, 1);
        writer.add(0, width - count_of(blocks), 0);
      }
    }
  }
  return writer.finish();
}

StreamedTensor pair_of(const char* name, Index q, Index kv) {
  return {name, {2}, [q, kv](ByteSink& sink) {
            NumberWriter writer(sink, {});
            writer.add(q, 1, 0);
            writer.add(kv, 1, 0);
            return writer.finish();
          }};
}

}  // namespace

std::vector<StreamedTensor> block_tensors(const BlockMasks& masks, bool trim, const std::stop_token& stop) {
  const BlockLists& first = *masks.lists.front();
  std::vector<StreamedTensor> all;
  for (const ListName& which : list_names) {
    const std::string name = which.name;
    const Index rows = (first.*which.list).rows();
    const Index width = width_of(masks, which, trim);
    all.push_back({name + "_num_blocks", {masks.samples, masks.heads, rows}, [&masks, which, stop](ByteSink& sink) {
                     return write_counts(masks, which, sink, stop);
                   }});
    all.push_back(
        {name + "_indices", {masks.samples, masks.heads, rows, width}, [&masks, which, width, stop](ByteSink& sink) {
           return write_indices(masks, which, width, sink, stop);
         }});
  }
  all.push_back(pair_of("block_size", first.size.q, first.size.kv));
  all.push_back(pair_of("lengths", first.lengths.rows, first.lengths.cols));
  return all;
}

double block_tensors_bytes(const BlockMasks& masks, bool trim) {
  double numbers = 4;
  for (const ListName& which : list_names) {
    const auto rows = static_cast<double>((*masks.lists.front().*which.list).rows());
    numbers += static_cast<double>(masks.lists.size()) * rows * (1 + static_cast<double>(width_of(masks, which, trim)));
  }
  return numbers * sizeof(std::int32_t);
}

}  // namespace vqscope
