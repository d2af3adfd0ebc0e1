// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/methods.h"

#include "core/attention/kernels/kernels.h"
#include "core/base/sentence.h"
#include "core/experiment/measure/measured_time.h"
#include "core/experiment/memory/memory_setting.h"
#include "core/experiment/setting/vq_experiment.h"
#include "core/experiment/setting/vq_parameters.h"
#include "core/method/curve_set.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace vqscope {
namespace {

constexpr Index shortest_memory = 64;

/// Independent queries, keys and values: the time of a search does not depend on them.
struct TimedMemory {
  std::vector<float> queries, keys, values;
  Index d_k = 0, d_v = 0;

  StridedMatrix some_keys(Index count) const { return rows_of(matrix_of(keys, d_k), {0, count}); }
};

TimedMemory timed_memory(const ParameterValues& values, const std::stop_token& stop) {
  TimedMemory memory{.d_k = values.integer("d_k"), .d_v = values.integer("d_v")};
  const auto seed = static_cast<std::uint64_t>(values.integer("seed"));
  const auto sampled = [&](std::uint64_t stream, Index rows, Index width) {
    return sample_keys({.kind = KeyKind::independent, .seed = SeededRandom(seed).bits() ^ stream}, rows, width, stop);
  };
  memory.queries = sampled(1, queries_searched_at_once, memory.d_k);
  memory.values = sampled(2, values.integer("memory_len"), memory.d_v);
  memory.keys = sampled(3, values.integer("memory_len"), memory.d_k);
  return memory;
}

/// Attention of the queries over the first keys, in blocks with a running maximum.
class TimedAttention {
 public:
  explicit TimedAttention(const TimedMemory& memory)
      : m_memory(memory),
        m_scores(static_cast<std::size_t>(queries_searched_at_once * keys_at_once)),
        m_out(static_cast<std::size_t>(queries_searched_at_once * memory.d_v)) {}

  void run(Index count, const std::stop_token& stop) {
    m_max.assign(queries_searched_at_once, -std::numeric_limits<float>::infinity());
    m_sum.assign(queries_searched_at_once, 0);
    std::ranges::fill(m_out, 0.0F);
    for (Index begin = 0; begin < count && !stop.stop_requested(); begin += keys_at_once)
      take({begin, std::min(begin + keys_at_once, count)});
    for (Index i = 0; i < queries_searched_at_once; ++i)
      m_kernels.scale(m_out.data() + i * m_memory.d_v, m_memory.d_v, 1 / m_sum[static_cast<std::size_t>(i)]);
  }

 private:
  static constexpr Index keys_at_once = 512;

  void take(Range keys) {
    m_kernels.row_products(matrix_of(m_memory.queries, m_memory.d_k),
                           rows_of(matrix_of(m_memory.keys, m_memory.d_k), keys), m_scores.data(), keys.size());
    for (Index i = 0; i < queries_searched_at_once; ++i) {
      float* row = m_scores.data() + i * keys.size();
      float& max = m_max[static_cast<std::size_t>(i)];
      float& sum = m_sum[static_cast<std::size_t>(i)];
      if (const float most = m_kernels.largest(row, keys.size()); most > max) {
        m_kernels.scale(m_out.data() + i * m_memory.d_v, m_memory.d_v, std::exp(max - most));
        sum *= std::exp(max - most);
        max = most;
      }
      sum += m_kernels.exponentials(row, keys.size(), max);
    }
    m_kernels.add_product({m_scores.data(), queries_searched_at_once, keys.size(), keys.size()},
                          rows_of(matrix_of(m_memory.values, m_memory.d_v), keys), m_out.data(), m_memory.d_v);
  }

  const TimedMemory& m_memory;
  const AttentionKernels& m_kernels = best_kernels();
  std::vector<float> m_scores, m_out, m_max, m_sum;
};

/// Seconds per query when queries are searched together.
Spread seconds_of_search(const TimedMemory& memory, Index count, Index repeats, const SearchOptions& options,
                         const Work& work) {
  const auto queries = matrix_of(memory.queries, memory.d_k);
  const Spread all = seconds_of(work, repeats, [&] {
    (void)find_keys(queries, memory.some_keys(count), options, {.progress = {}, .stop = work.stop});
  });
  return scaled(all, 1 / static_cast<double>(queries_searched_at_once));
}

CurveSet empty_cost_set(const ParameterValues& values) {
  const Index most = values.integer("memory_len"), top_k = values.integer("top_k");
  return {.x_name = "memory_len",
          .x_title = "keys in the memory",
          .y_title = "seconds per query",
          .formula = fmt::format(
              "search of {} queries together, median of {}; full_attention: the same queries over all these keys "
              "and values; {}, float32, one head; {}",
              queries_searched_at_once, values.integer("repeats"), machine_text(1), memory_measured),
          .log_x = true,
          .log_y = true,
          .x = powers_of_two(std::min(std::max(top_k, shortest_memory), most), most),
          .curves = {{"exact", {}}, {"bucket_maximum", {}}, {"full_attention", {}}},
          .exact = false};
}

Result<CurveSet> make_memorizing_cost(const ParameterValues& values, const Work& work) {
  CurveSet set = empty_cost_set(values);
  const TimedMemory memory = timed_memory(values, work.stop);
  if (work.stop.stop_requested()) return cancelled();
  TimedAttention attention(memory);
  const Index top_k = values.integer("top_k"), repeats = values.integer("repeats");
  add_spread_curves(set);
  for (const double x : set.x) {
    const auto count = static_cast<Index>(x);
    std::size_t curve = 0;
    for (const RetrievalSearch search : {RetrievalSearch::exact, RetrievalSearch::bucket_maximum}) {
      const SearchOptions options{.top_k = top_k, .search = search};
      add_spread(set, curve++, seconds_of_search(memory, count, repeats, options, work));
      if (work.stop.stop_requested()) return cancelled();
    }
    const Spread all = seconds_of(work, repeats, [&] { attention.run(count, work.stop); });
    add_spread(set, curve, scaled(all, 1 / static_cast<double>(queries_searched_at_once)));
    if (work.stop.stop_requested()) return cancelled();
    work.report(x / set.x.back());
    if (work.partial) work.partial(set);
  }
  const auto terms = set.x.back() * static_cast<double>(values.integer("d_k"));
  set.facts = {{"exact_over_full_attention", set.curves[0].y.back() / set.curves[2].y.back()},
               {"multiply_adds_a_second", terms / set.curves[0].y.back()}};
  return set;
}

Result<void> check_memorizing_cost(const ParameterValues& values) {
  const Index top_k = values.integer("top_k"), memory_len = values.integer("memory_len");
  if (top_k > memory_len) return invalid("top_k is {} but must be 1 to {}, the keys in the memory", top_k, memory_len);
  const Index d_k = values.integer("d_k"), d_v = values.integer("d_v");
  return check_memory_bytes(fmt::format("memory_len {}, d_k {} and d_v {}", memory_len, d_k, d_v),
                            4 * static_cast<double>(memory_len) * static_cast<double>(d_k + d_v));
}

std::vector<ParameterSpec> memorizing_cost_parameters() {
  auto specs = retrieval_parameters();
  std::erase_if(specs, [](const ParameterSpec& spec) {
    const std::string_view kept[] = {"memory_len", "top_k", "d_k", "d_v", "seed"};
    return std::ranges::count(kept, std::string_view(spec.name)) == 0;
  });
  for (const char* name : {"d_k", "d_v"}) spec_of(specs, name).relevant.clear();
  spec_of(specs, "memory_len").help = "Number of keys in the largest memory; the others are powers of two.";
  spec_of(specs, "memory_len").default_value = Index{16384};
  specs.push_back(repeats_parameter());
  return specs;
}

}  // namespace

Method memorizing_cost_method() {
  return {.id = "memorizing_cost",
          .title = "Time to search a key memory",
          .help = "Time per query to search a memory of keys. Attention over all keys is measured beside it.",
          .citation = retrieval_citation(),
          .parameters = memorizing_cost_parameters(),
          .check = check_memorizing_cost,
          .recipe = CurveRecipe{.make = make_memorizing_cost, .origin = CurveOrigin::measured, .clocked = true}};
}

}  // namespace vqscope
