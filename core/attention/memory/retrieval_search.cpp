// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/memory/retrieval_search.h"

#include "core/base/sentence.h"

#include <algorithm>

namespace vqscope {
namespace {

constexpr Index searched_keys_at_once = 512;
constexpr Index keys_filtered_at_once = 128;
/// Number of keys that one thread searches at a time. Block boundaries affect the last digit of a
/// product; they depend on this number alone, not on the number of threads.
constexpr Index keys_of_a_part = Index{1} << 16;

StridedMatrix some_rows_of(const StridedMatrix& matrix, Range rows) {
  return {matrix.data + rows.begin * matrix.stride, rows.size(), matrix.cols, matrix.stride};
}

bool is_better(const RetrievedKey& a, const RetrievedKey& b) {
  return a.score > b.score || (a.score == b.score && a.position < b.position);
}

/// Inserts a key in order among `most` others, the last of which drops out.
void insert_key(const RetrievedKey& key, RetrievedKey* best, Index most) {
  Index place = most - 1;
  for (; place > 0 && is_better(key, best[place - 1]); --place) best[place] = best[place - 1];
  best[place] = key;
}

/// Positions ascend from call to call, so that the first of equal scores stays in front. Most
/// pieces have no score above the lowest kept score, so their maximum is checked first.
void keep_highest(const float* scores, Range keys, Index top_k, const AttentionKernels& kernels, RetrievedKey* best) {
  const RetrievedKey& last = best[top_k - 1];
  for (Index begin = keys.begin; begin < keys.end; begin += keys_filtered_at_once) {
    const Index end = std::min(begin + keys_filtered_at_once, keys.end);
    const float* some = scores + (begin - keys.begin);
    if (!(kernels.largest(some, end - begin) > last.score)) continue;
    for (Index i = begin; i < end; ++i)
      if (const float score = some[i - begin]; score > last.score) insert_key({i, score}, best, top_k);
  }
}

/// The highest score of each bucket, in the order of the buckets.
void keep_bucket_maxima(const float* scores, Range keys, Index top_k, RetrievedKey* best) {
  Index bucket = keys.begin % top_k;
  for (Index i = keys.begin; i < keys.end; ++i) {
    const float score = scores[i - keys.begin];
    if (score > best[bucket].score) best[bucket] = {i, score};
    if (++bucket == top_k) bucket = 0;
  }
}

/// Searches a range of keys and merges them into the best of the keys before it.
void search_keys(const StridedMatrix& queries, const StridedMatrix& keys, Range some, const SearchOptions& options,
                 Scratch& scratch, const std::stop_token& stop, RetrievedKey* found) {
  const AttentionKernels& kernels = options.kernels ? *options.kernels : best_kernels();
  float* scores = scratch.floats(queries.rows * searched_keys_at_once);
  for (Index begin = some.begin; begin < some.end && !stop.stop_requested(); begin += searched_keys_at_once) {
    const Range block{begin, std::min(begin + searched_keys_at_once, some.end)};
    kernels.row_products(queries, some_rows_of(keys, block), scores, block.size());
    for (Index i = 0; i < queries.rows; ++i) {
      const float* row = scores + i * block.size();
      RetrievedKey* best = found + i * options.top_k;
      if (options.search == RetrievalSearch::exact)
        keep_highest(row, block, options.top_k, kernels, best);
      else
        keep_bucket_maxima(row, block, options.top_k, best);
    }
  }
}

/// Merges the keys found in a later range.
void merge_found(const RetrievedKey* later, const SearchOptions& options, RetrievedKey* found) {
  for (Index i = 0; i < options.top_k; ++i) {
    if (later[i].position < 0) continue;
    if (options.search == RetrievalSearch::exact) {
      if (is_better(later[i], found[options.top_k - 1])) insert_key(later[i], found, options.top_k);
    } else if (later[i].score > found[i].score) {
      found[i] = later[i];
    }
  }
}

Index blocks_of(Index count, Index size) { return (count + size - 1) / size; }

Result<void> check_search(const StridedMatrix& queries, const StridedMatrix& keys, Index top_k) {
  if (queries.cols != keys.cols)
    return invalid("queries have {} dimensions, keys {}: both must have the same d_k", queries.cols, keys.cols);
  if (top_k < 1 || top_k > keys.rows)
    return invalid("top_k is {} but must be 1 to {}, the keys in the memory", top_k, keys.rows);
  return {};
}

}  // namespace

std::vector<RetrievedKey> define_found_keys(const StridedMatrix& queries, const StridedMatrix& keys,
                                            const SearchOptions& options) {
  std::vector<RetrievedKey> found(static_cast<std::size_t>(queries.rows * options.top_k));
  for (Index i = 0; i < queries.rows; ++i) {
    std::vector<RetrievedKey> all;
    for (Index j = 0; j < keys.rows; ++j) {
      double score = 0;
      for (Index c = 0; c < keys.cols; ++c)
        score += static_cast<double>(queries.data[i * queries.stride + c]) *
                 static_cast<double>(keys.data[j * keys.stride + c]);
      all.push_back({j, static_cast<float>(score)});
    }
    std::ranges::sort(all, is_better);
    std::vector<std::uint8_t> taken(static_cast<std::size_t>(options.top_k));
    Index count = 0;
    for (const RetrievedKey& key : all) {
      auto& bucket_taken = taken[static_cast<std::size_t>(key.position % options.top_k)];
      if (count == options.top_k || (options.search == RetrievalSearch::bucket_maximum && bucket_taken)) continue;
      bucket_taken = 1;
      found[static_cast<std::size_t>(i * options.top_k + count++)] = key;
    }
  }
  return found;
}

void find_keys_of_block(const StridedMatrix& queries, const StridedMatrix& keys, const SearchOptions& options,
                        Scratch& scores, const std::stop_token& stop, RetrievedKey* found) {
  std::fill_n(found, queries.rows * options.top_k, RetrievedKey{});
  search_keys(queries, keys, {0, keys.rows}, options, scores, stop, found);
  if (options.search == RetrievalSearch::exact) return;
  for (Index i = 0; i < queries.rows; ++i)
    std::sort(found + i * options.top_k, found + (i + 1) * options.top_k, is_better);
}

Result<std::vector<RetrievedKey>> find_keys(const StridedMatrix& queries, const StridedMatrix& keys,
                                            const SearchOptions& options, const Work& work) {
  if (auto checked = check_search(queries, keys, options.top_k); !checked) return checked.error();
  const Index blocks = blocks_of(queries.rows, queries_searched_at_once);
  const Index parts = blocks_of(keys.rows, keys_of_a_part);
  const Index row = queries.rows * options.top_k;  // what one share finds
  std::vector<RetrievedKey> found(static_cast<std::size_t>(parts * row));
  std::vector<Scratch> scratches(static_cast<std::size_t>(std::max(options.threads, 1)));
  share_out(scratches, blocks * parts, work, 0, blocks * parts, [&](Index item, Scratch& scratch) {
    const Index first = item % blocks * queries_searched_at_once, part = item / blocks;
    search_keys(some_rows_of(queries, {first, std::min(first + queries_searched_at_once, queries.rows)}), keys,
                {part * keys_of_a_part, std::min((part + 1) * keys_of_a_part, keys.rows)}, options, scratch, work.stop,
                found.data() + part * row + first * options.top_k);
  });
  if (work.stop.stop_requested()) return cancelled();
  for (Index i = 0; i < row; i += options.top_k) {
    for (Index part = 1; part < parts; ++part) merge_found(found.data() + part * row + i, options, found.data() + i);
    if (options.search == RetrievalSearch::bucket_maximum)
      std::sort(found.begin() + i, found.begin() + i + options.top_k, is_better);
  }
  found.resize(static_cast<std::size_t>(row));
  return found;
}

}  // namespace vqscope
