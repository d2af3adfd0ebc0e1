// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/cells/count_budget.h"
#include "core/mask/language/count/block_patterns.h"
#include "core/mask/language/count/relative_counter.h"
#include "core/mask/mask.h"

#include <array>
#include <atomic>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <unordered_map>

namespace vqscope::language {

/// The patterns of a program's functions of only the query or only the key, computed on first use.
class PatternTable {
 public:
  explicit PatternTable(const BoundProgram& program) : m_program(program) {}

  /// Null: there are too many patterns, or a stop was requested.
  std::shared_ptr<const BlockPatterns> of(const WeightedNodes& nodes, bool of_keys, const std::stop_token& stop);

  /// Whether the counters of the program may keep so many bytes more of what they have counted.
  bool keep(Index bytes) const;
  Index bytes_kept() const { return m_kept; }

  /// Limit of what all counters of a program keep.
  static constexpr Index most_bytes_kept = Index{1} << 26;

 private:
  /// Limit of values to evaluate: functions of two million tokens, about 1 s and 64 MiB.
  static constexpr Index most_values = Index{1} << 25;

  const BoundProgram& m_program;
  std::mutex m_mutex;
  Index m_values = 0;
  mutable std::atomic<Index> m_kept = 0;
  std::map<std::pair<bool, WeightedNodes>, std::shared_ptr<const BlockPatterns>> m_made;
};

/// Counts the cells of rectangles for which a truth value holds that repeats along diagonals, in
/// tiles or in bits. Blocks of cells with the same patterns are counted once, however often they
/// repeat.
///
/// The truth value is a function of sums f(query) + g(key). Blocks of cells in which the patterns
/// of all f and g are the same, and the sums at the first cell, have the same cells.
class BlockCounter {
 public:
  /// Null: the truth value is not such a function of few sums, or the sums have too many patterns.
  static std::unique_ptr<const BlockCounter> make(const BoundProgram& program, NodeId root, PatternTable& patterns,
                                                  const std::stop_token& stop);

  /// The count; empty once the budget is spent.
  std::optional<std::uint64_t> count(const Rect& cells, CountBudget& budget) const;

  /// Counts all tiles between the edges together, row by row, so that what they share is evaluated
  /// once. Returns false once the budget is spent; the counts are then of no use.
  bool count_tiles(std::span<const Index> row_edges, std::span<const Index> col_edges, CountBudget& budget,
                   std::span<std::uint64_t> counts) const;

  /// Coverage of a rectangle that is known without counting.
  Coverage coverage(const Rect& cells) const;

  /// Certain coverage of a rectangle: counts until two cells differ. Empty if the budget is spent.
  std::optional<Coverage> certain_coverage(const Rect& cells, CountBudget& budget) const;

 private:
  friend class BlockWalk;

  /// f(query) + g(key), either of which may be missing. Its slot is its index.
  struct Leaf {
    std::shared_ptr<const BlockPatterns> f;
    std::shared_ptr<const BlockPatterns> g;
  };

  /// A node above the leaves; its operands are slots. A comparison may compare a leaf, the
  /// difference, with 0.
  struct Upper {
    NodeId node = no_node;
    std::array<int, 3> operands{no_slot, no_slot, no_slot};
    int slot = no_slot;
  };
  static constexpr int no_slot = -1;

  /// Rows of cells as bits: those of a block of level 0.
  using Bits = std::array<std::uint16_t, std::size_t{BlockPatterns::leaf}>;

  struct KeyHash {
    std::size_t operator()(const std::vector<Index>& key) const;
  };

  /// Results for blocks so far, shared by threads.
  template <class Value>
  class Memo {
   public:
    std::optional<Value> find(const std::vector<Index>& key);
    /// Stores it, as long as the table's limit allows.
    void store(const std::vector<Index>& key, const Value& value, const PatternTable& limit);

   private:
    struct Shard {
      std::mutex mutex;
      std::unordered_map<std::vector<Index>, Value, KeyHash> values;
    };
    std::array<Shard, 16> m_shards;
  };

  BlockCounter(const BoundProgram& program, const PatternTable& patterns);

  /// The slot of a node; empty if there is none.
  std::optional<int> collect(NodeId id, PatternTable& patterns, const std::stop_token& stop);
  std::optional<int> add_leaf(const WeightedNodes& f, const WeightedNodes& g, PatternTable& patterns,
                              const std::stop_token& stop);
  std::optional<int> add_upper(Upper upper);

  /// Whether all leaves are functions of query - key.
  bool is_relative() const;

  const BoundProgram& m_program;
  const PatternTable& m_table;
  std::uint64_t m_serial;  ///< unique among all counters
  std::vector<Leaf> m_leaves;
  std::vector<Upper> m_upper;     ///< operands first, the root last
  std::map<NodeId, int> m_slots;  ///< of nodes
  std::vector<int> m_leaf_slots;  ///< of leaves
  int m_slot_count = 0;
  std::unique_ptr<const RelativeCounter> m_relative;
  mutable Memo<std::uint64_t> m_counts;
  mutable Memo<Bits> m_bits;
};

/// A BlockCounter that is made on first use, shared by threads.
class LazyBlockCounter {
 public:
  LazyBlockCounter(const BoundProgram& program, NodeId root, std::shared_ptr<PatternTable> patterns)
      : m_program(program), m_root(root), m_patterns(std::move(patterns)) {}

  /// Null if there is none, or until a call without a stop request.
  const BlockCounter* get(const std::stop_token& stop) const;

  /// Null before such a call.
  const BlockCounter* get_made() const { return m_ready.load(std::memory_order_acquire); }

 private:
  const BoundProgram& m_program;
  NodeId m_root;
  std::shared_ptr<PatternTable> m_patterns;
  mutable std::mutex m_mutex;
  mutable bool m_is_made = false;
  mutable std::atomic<const BlockCounter*> m_ready = nullptr;
  mutable std::unique_ptr<const BlockCounter> m_counter;
};

}  // namespace vqscope::language
