// SPDX-License-Identifier: GPL-3.0-or-later
// Masks that are the same in all of a block of tokens, but for a causal diagonal: BigBird, tables of blocks, and blocks
// that see each other as tokens do in other masks, such as the tiles of an image.
#include "core/base/sentence.h"
#include "core/mask/recognise/pattern/pattern_input.h"
#include "core/mask/recognise/pattern_search.h"
#include "core/mask/recognise/shape_search.h"

#include <algorithm>
#include <numeric>

namespace vqscope {
namespace {

constexpr Index least_size = 4;
constexpr Index least_blocks = 5;
constexpr Index most_blocks = 128;
constexpr std::size_t most_globals = 8;
constexpr Index most_coarse_steps = Index{1} << 22;
constexpr std::uint64_t most_looked_up = std::uint64_t{1} << 27;  // cells of a table, which are compared one by one

/// Which blocks of keys each block of queries sees.
struct BlockTable {
  Index size = 0;
  Index count = 0;      ///< of blocks along each side
  bool causal = false;  ///< queries see no key after their own
  NamedArray seen{.name = "block_table", .values = {}};

  bool at(Index q, Index k) const { return seen.values[static_cast<std::size_t>(q * count + k)] == 1; }
  /// Whether a causal mask lets it be seen.
  bool counts(Index q, Index k) const { return !causal || k <= q; }
};

/// The greatest size at whose multiples ranges of keys begin and end, except at a causal query and
/// at the last key.
Index common_block_size(const PatternInput& input, bool causal) {
  const Index last = input.extent().cols - input.frame().pad_right;
  Index size = 0;
  std::span<const Range> before;
  const bool read = input.for_each_row({0, input.tokens()}, [&](Index token, std::span<const Range> row) {
    for (const Range& seen : row) {
      size = std::gcd(size, seen.begin);
      if (seen.end != last && !(causal && seen.end == token + 1)) size = std::gcd(size, seen.end);
    }
    if (!causal && !std::ranges::equal(row, before)) size = std::gcd(size, token);
    before = row;
  });
  return read ? size : 0;
}

std::optional<BlockTable> table_of(const PatternInput& input, bool causal) {
  BlockTable table{.size = common_block_size(input, causal), .causal = causal};
  if (table.size < least_size) return {};
  const Index tokens = input.extent().rows;
  table.count = (tokens + table.size - 1) / table.size;
  if (table.count < least_blocks || table.count > most_blocks) return {};
  table.seen.values.resize(static_cast<std::size_t>(table.count * table.count));
  const MaskRows blocks = input.rows().of_blocks(table.size);
  for (Index q = 0; q < table.count; ++q)
    for (const Range& seen : blocks.row(q))
      for (Index k = seen.begin; k < seen.end; ++k) {
        if (!table.counts(q, k)) return {};
        table.seen.values[static_cast<std::size_t>(q * table.count + k)] = 1;
      }
  return table;
}

/// Parts without a list: blocks near the own one, blocks that all see and blocks that see all.
struct BlockParts {
  Index near = -1;  ///< blocks to each side of the own one, or before it; -1: not even the own one
  std::vector<Index> keys;
  std::vector<Index> queries;  ///< of a causal table none
  Index others = 0;            ///< further blocks that are seen
};

bool sees_all_at(const BlockTable& table, Index distance) {
  for (Index q = 0; q < table.count; ++q)
    for (const Index k : {q - distance, q + distance})
      if (k >= 0 && k < table.count && table.counts(q, k) && !table.at(q, k)) return false;
  return true;
}

BlockParts parts_of(const BlockTable& table) {
  BlockParts parts;
  while (parts.near + 1 < table.count && sees_all_at(table, parts.near + 1)) ++parts.near;
  for (Index block = 0; block < table.count; ++block) {
    // The last blocks of a causal table are seen by no more than those near them.
    bool by_all = !table.causal || block + parts.near + 1 < table.count;
    bool sees_all = !table.causal;
    for (Index other = 0; other < table.count; ++other) {
      by_all = by_all && (!table.counts(other, block) || table.at(other, block));
      sees_all = sees_all && table.at(block, other);
    }
    if (by_all) parts.keys.push_back(block);
    if (sees_all) parts.queries.push_back(block);
  }
  for (Index q = 0; q < table.count; ++q)
    for (Index k = 0; k < table.count; ++k) {
      const bool described = std::abs(q - k) <= parts.near || std::ranges::binary_search(parts.keys, k) ||
                             std::ranges::binary_search(parts.queries, q);
      parts.others += table.at(q, k) && !described ? 1 : 0;
    }
  return parts;
}

std::string near_text(const BlockTable& table, Index near) {
  if (near == 0) return "own block";
  return fmt::format("own block and {} {}", near, table.causal ? "before" : "to each side");
}

/// "[0, 15]".
std::string list_text(const std::vector<Index>& blocks) {
  std::vector<std::string> names;
  for (const Index block : blocks) names.push_back(to_text(block));
  return "[" + join(names, ", ") + "]";
}

std::string table_term(const BlockTable& table, const BlockParts& parts) {
  std::vector<std::string> all;
  if (parts.near >= 0) all.push_back(near_text(table, parts.near));
  if (table.causal || parts.keys == parts.queries) {
    if (!parts.keys.empty()) all.push_back("global blocks " + list_text(parts.keys));
  } else {
    if (!parts.keys.empty()) all.push_back("global key blocks " + list_text(parts.keys));
    if (!parts.queries.empty()) all.push_back("global query blocks " + list_text(parts.queries));
  }
  const std::string further = all.empty() ? "" : "further ";
  if (parts.others > 0)
    all.push_back(fmt::format("{} {}{} by a table", parts.others, further, parts.others == 1 ? "block" : "blocks"));
  return fmt::format("blocks of {}: {}", table.size, join(all, " ∨ "));
}

/// The condition without a table, of one without further blocks.
std::string parts_condition(const BlockTable& table, const BlockParts& parts) {
  const std::string q = fmt::format("q_idx // {}", table.size);
  const std::string k = fmt::format("kv_idx // {}", table.size);
  std::vector<std::string> all{table.causal ? fmt::format("({} - {} <= {})", q, k, parts.near)
                                            : fmt::format("(abs({} - {}) <= {})", q, k, parts.near)};
  for (const Index block : parts.keys) all.push_back(fmt::format("({} == {})", k, block));
  for (const Index block : parts.queries) all.push_back(fmt::format("({} == {})", q, block));
  return "(" + join(all, " | ") + ")";
}

/// The same of the blocks in which tokens are.
std::string over_blocks(std::string condition, Index size) {
  for (const std::string name : {"q_idx", "kv_idx"}) {
    const std::string block = fmt::format("({} // {})", name, size);
    for (auto at = condition.find(name); at != std::string::npos; at = condition.find(name, at + block.size()))
      condition.replace(at, name.size(), block);
  }
  return condition;
}

/// The mask of the blocks, with a condition over blocks; nothing if it is not exact.
std::optional<MaskPattern> pattern_of_blocks(const PatternInput& input, Index size) {
  CountBudget budget{.left = most_coarse_steps};
  const MaskRows rows = input.rows().of_blocks(size);
  ShapeSearch shapes(rows, budget);
  shapes.run(exception_cost);
  MaskPattern made{.kind = MaskKind::block_table};
  if (shapes.is_exact()) {
    made.terms = shapes.best().terms();
    made.condition = shapes.best().text();
    made.arrays = shapes.best().arrays();
    made.size = shapes.cost();
  } else {
    const FoundPattern found = find_pattern(rows, shapes.cost(), budget);
    if (!found.mask || found.cost > found.pattern.size + found.frame.size()) return {};
    made.terms = found.pattern.terms;
    for (auto& term : found.frame.terms()) made.terms.push_back(std::move(term));
    made.condition = pattern_text(found.pattern, found.frame);
    made.arrays = pattern_arrays(found.pattern, found.frame);
    made.size = found.cost;
  }
  constexpr std::string_view keyword = "return ";
  made.condition = over_blocks(made.condition.substr(keyword.size()), size);
  // The frame of the tokens has arrays of these names.
  for (const char* name : {"position_id[", "document_start[", "document_length["})
    if (made.condition.find(name) != std::string::npos) return {};
  return made;
}

void propose_pattern_of_blocks(const PatternInput& input, const BlockTable& table, std::vector<MaskPattern>& out) {
  auto made = pattern_of_blocks(input, table.size);
  if (!made) return;
  if (table.causal) std::erase(made->terms, "causal");
  if (made->terms.empty()) return;
  const std::string term = fmt::format("in blocks of {}: {}", table.size, join(made->terms, " ∧ "));
  made->terms = {term};
  if (table.causal) made->terms = {"causal", "(" + term + ")"};
  made->condition = fmt::format("{}({})", table.causal ? "(kv_idx <= q_idx) & " : "", made->condition);
  made->size += 3;
  out.push_back(std::move(*made));
}

void propose_table(const PatternInput& input, bool causal, std::vector<MaskPattern>& out) {
  const auto table = table_of(input, causal);
  if (!table) return;
  const BlockParts parts = parts_of(*table);
  const std::size_t globals = parts.keys.size() + parts.queries.size();
  const bool looks_up = parts.others > 0;
  if (looks_up) propose_pattern_of_blocks(input, *table, out);
  if (parts.near + 1 >= table->count || globals > 2 * most_globals) return;
  if (!looks_up && (parts.near < 1 || globals == 0)) return;  // other patterns describe them
  if (looks_up && Rect{{0, input.extent().rows}, {0, input.extent().cols}}.area() > most_looked_up) return;
  MaskPattern made{.kind = MaskKind::block_table};
  const std::string term = table_term(*table, parts);
  if (causal) {
    made.terms = {"causal", "(" + term + ")"};
    made.condition = "(kv_idx <= q_idx) & ";
  } else {
    made.terms = {term};
  }
  made.size = 8 + static_cast<Index>(globals) + parts.others;
  if (!looks_up) {
    made.condition += parts_condition(*table, parts);
  } else {
    made.condition +=
        fmt::format("(block_table[q_idx // {} * {} + kv_idx // {}] == 1)", table->size, table->count, table->size);
    made.arrays = {table->seen};
  }
  out.push_back(std::move(made));
}

}  // namespace

void propose_block_tables(const PatternInput& input, std::vector<MaskPattern>& out) {
  if (input.past_len() != 0 || input.extent().rows != input.extent().cols || input.has_documents()) return;
  for (const bool causal : {false, true}) propose_table(input, causal, out);
}

}  // namespace vqscope
