// SPDX-License-Identifier: GPL-3.0-or-later
// Masks whose rows are one interval, at least one side of which goes in steps.
#include "core/base/sentence.h"
#include "core/mask/recognise/pattern/pattern_input.h"
#include "core/mask/recognise/shape_votes.h"

namespace vqscope {
namespace {

/// One side of the rows: steps of blocks, a distance that goes with the query, or all keys.
struct Side {
  std::optional<Index> steps;  ///< tokens that are seen beyond the own block
  std::optional<Index> slide;  ///< tokens that are seen beyond the query
};

/// A row of a document, in its positions, without sinks.
struct BlockRow {
  Index at = 0;
  Range seen;
};

struct BlockRows {
  std::vector<BlockRow> rows;
  Index length = 0;  ///< of the document
  Index sinks = 0;
};

/// Nothing unless the rows are intervals behind sinks, apart from a few faulty ones.
std::optional<BlockRows> block_rows(const PatternInput& input) {
  const Range document = input.document();
  BlockRows found{.rows = {}, .length = document.size(), .sinks = 0};
  Votes sinks;
  std::size_t odd = 0;
  const bool read = input.for_each_row(document, [&](Index token, std::span<const Range> row) {
    const bool has_sinks = row.size() == 2 && row.front().begin == document.begin && row.back().begin <= token;
    if (row.size() > 1 && !has_sinks) {
      ++odd;
      return;
    }
    if (has_sinks) sinks.add(row.front().size());
    const Range seen = row.back();
    found.rows.push_back({token - document.begin, {seen.begin - document.begin, seen.end - document.begin}});
  });
  if (!read || found.rows.empty() || 16 * odd > found.rows.size()) return {};
  if (!sinks.empty()) found.sinks = sinks.winner().first;
  return found;
}

/// Sizes that equal blocks may have.
std::vector<Index> block_sizes(const BlockRows& all) {
  Votes steps;
  const BlockRow* last = &all.rows.front();
  Index last_change = 0;
  for (const BlockRow& row : all.rows) {
    for (const auto side : {&Range::begin, &Range::end})
      if (const Index step = row.seen.*side - last->seen.*side; step > 1) {
        steps.add(step);
        steps.add(row.at - last_change);
        last_change = row.at;
      }
    last = &row;
  }
  auto sizes = steps.winners();
  std::erase_if(sizes, [&](Index size) { return size < 2 || size >= all.length; });
  return sizes;
}

Side side_of(const Votes& steps, const Votes& slides) {
  if (steps.empty()) return {};
  const auto [step, step_votes] = steps.winner();
  const auto [slide, slide_votes] = slides.winner();
  if (slide_votes > step_votes) return {.steps = {}, .slide = slide};
  return {.steps = step, .slide = {}};
}

Side ahead_of(const BlockRows& all, Index size) {
  Votes steps;
  Votes slides;
  for (const BlockRow& row : all.rows) {
    if (row.seen.end >= all.length) continue;
    steps.add(row.seen.end - (row.at / size + 1) * size);
    slides.add(row.seen.end - 1 - row.at);
  }
  return side_of(steps, slides);
}

Side behind_of(const BlockRows& all, Index size) {
  Votes steps;
  Votes slides;
  for (const BlockRow& row : all.rows) {
    if (row.seen.begin <= all.sinks) continue;
    steps.add(row.at / size * size - row.seen.begin);
    slides.add(row.at - row.seen.begin);
  }
  return side_of(steps, slides);
}

/// "2 blocks", "3 tokens".
std::string context_text(Index tokens, Index size) {
  if (size == 0 || tokens % size != 0) return tokens_text(tokens);
  const Index blocks = tokens / size;
  return to_text(blocks) + (blocks == 1 ? " block" : " blocks");
}

/// "own block of 16, 4 blocks before and 5 tokens after".
std::string own_block_term(const MaskBlocks& blocks) {
  std::vector<std::string> parts{"own block of " + to_text(blocks.size)};
  if (!blocks.left) parts.emplace_back("all before");
  if (blocks.left.value_or(0) > 0) parts.push_back(context_text(*blocks.left, blocks.size) + " before");
  if (blocks.right > 0) parts.push_back(context_text(blocks.right, blocks.size) + " after");
  return listed(parts);
}

/// The borders of equal blocks in every document.
std::vector<Index> block_starts(const PatternInput& input, Index size) {
  std::vector<Index> starts;
  const Index end = input.extent().cols - input.frame().pad_right;
  for (Index token = input.frame().pad_left; token < end;) {
    const Range document = input.frame().document(token);
    for (Index start = document.begin; start < document.end; start += size)
      if (start > 0) starts.push_back(start);
    token = document.end;
  }
  return starts;
}

std::string ahead_condition(const PatternInput& input, const Side& side, Index size) {
  const auto& q = input.token_position();
  const auto& k = input.key_position();
  if (side.slide) return fmt::format("(kv_idx <= {})", plus("q_idx", input.past_len() + *side.slide));
  const Index tokens = *side.steps;
  if (tokens % size == 0)
    return fmt::format("({} // {} <= {})", k, size, plus(fmt::format("{} // {}", q, size), tokens / size));
  return fmt::format("({} < ({} // {} + 1) * {} + {})", k, q, size, size, tokens);
}

std::string behind_condition(const PatternInput& input, const Side& side, Index size, Index sinks) {
  const auto& q = input.token_position();
  const auto& k = input.key_position();
  const Index tokens = side.slide ? *side.slide : *side.steps;
  std::string text = side.slide           ? fmt::format("{} - kv_idx <= {}", input.token(), tokens)
                     : tokens % size == 0 ? fmt::format("{} // {} - {} // {} <= {}", q, size, k, size, tokens / size)
                                          : fmt::format("{} >= {} // {} * {} - {}", k, q, size, size, tokens);
  return sinks > 0 ? fmt::format("(({}) | ({} < {}))", text, k, sinks) : "(" + text + ")";
}

std::vector<std::string> block_terms(const PatternInput& input, const MaskBlocks& blocks, const Side& ahead,
                                     const Side& behind, Index sinks) {
  std::vector<std::string> terms;
  if (!ahead.steps) {
    terms.push_back(*ahead.slide == 0 ? "causal" : "causal with offset " + to_text(*ahead.slide));
    terms.push_back(own_block_term(MaskBlocks{.starts = {}, .size = blocks.size, .left = blocks.left}));
  } else if (blocks.right == 0 && !behind.steps) {
    std::string block_causal = "block-causal in blocks of " + to_text(blocks.size);
    if (!input.has_documents())
      block_causal += ": causal ∨ documents " + lengths_text(blocks.starts, input.extent().cols);
    terms.push_back(behind.slide ? "(" + block_causal + ")" : block_causal);
  } else {
    MaskBlocks own = blocks;
    if (behind.slide) own.left.reset();
    terms.push_back(own_block_term(own));
  }
  if (behind.slide) terms.push_back("window " + to_text(*behind.slide + 1));
  if (sinks > 0) terms.push_back("sinks " + to_text(sinks));
  return terms;
}

void propose_size(const PatternInput& input, const BlockRows& all, Index size, std::vector<MaskPattern>& out) {
  const Side ahead = ahead_of(all, size);
  const Side behind = behind_of(all, size);
  if (!ahead.steps && !ahead.slide) return;   // no query's last key is masked
  if (!ahead.steps && !behind.steps) return;  // a conjunction
  if (ahead.steps.value_or(0) < 0 || behind.steps.value_or(0) < 0) return;
  MaskBlocks blocks{.starts = block_starts(input, size), .size = size};
  blocks.left = behind.slide ? behind.slide : behind.steps;
  blocks.right = ahead.steps.value_or(0);
  blocks.left_is_window = behind.slide.has_value();
  MaskPattern made{.kind = MaskKind::blocks, .terms = block_terms(input, blocks, ahead, behind, all.sinks)};
  made.condition = ahead_condition(input, ahead, size);
  // Positions that restart do not follow from the order of keys.
  if (ahead.slide && behind.steps == 0)
    made.condition +=
        fmt::format(" & ({} // {} == {} // {})", input.token_position(), size, input.key_position(), size);
  else if (blocks.left)
    made.condition += " & " + behind_condition(input, behind, size, all.sinks);
  made.size = 3 + (blocks.left ? 2 : 0) + (blocks.right > 0 ? 2 : 0) + (all.sinks > 0 ? 2 : 0);
  if (ahead.steps) made.blocks = std::move(blocks);
  if (ahead.slide == 0 && behind.steps == 0) {
    made.preset = "chunked";
    made.parameters = {{"chunk_size", size}};
  } else if (ahead.slide == 0 && behind.steps && *behind.steps < size) {  // of two blocks a document
    made.preset = "local_global";
    made.parameters = {{"stride", size}, {"num_summary", *behind.steps}};
  }
  out.push_back(std::move(made));
}

}  // namespace

std::string tokens_text(Index count) { return to_text(count) + (count == 1 ? " token" : " tokens"); }

void propose_blocks(const PatternInput& input, std::vector<MaskPattern>& out) {
  const auto all = block_rows(input);
  if (!all) return;
  for (const Index size : block_sizes(*all)) propose_size(input, *all, size, out);
}

void propose_uneven_blocks(const PatternInput& input, std::vector<MaskPattern>& out) {
  const MaskShape& frame = input.frame();
  std::vector<Index> starts;
  Votes windows;
  std::vector<std::pair<Index, Index>> begins;  // of tokens whose first key is not that of their document
  Index last_end = -1;
  bool plain = true;
  const bool read = input.for_each_row({0, input.tokens()}, [&](Index token, std::span<const Range> row) {
    plain = plain && row.size() == 1;
    if (row.back().end != last_end && token > 0) starts.push_back(token);
    last_end = row.back().end;
    if (row.front().begin == frame.document(token).begin) return;
    begins.emplace_back(token, row.front().begin);
    windows.add(token - row.front().begin);
  });
  if (!read || !plain || starts.empty() || starts.size() > static_cast<std::size_t>(input.extent().cols / 2)) return;
  MaskBlocks blocks{.starts = starts};
  MaskPattern made{.kind = MaskKind::blocks,
                   .terms = {"block-causal: causal ∨ documents " + lengths_text(starts, input.extent().cols)},
                   .condition = fmt::format("(block_id[kv_idx] <= block_id[{}])", input.token()),
                   .arrays = {{"block_id", ids_of(starts, input.tokens())}},
                   .size = 2 + static_cast<Index>(starts.size())};
  made.blocks = blocks;
  if (begins.empty()) return out.push_back(std::move(made));
  const auto& ids = made.arrays.front().values;
  Votes before;
  for (const auto& [token, begin] : begins)
    before.add(ids[static_cast<std::size_t>(token)] - ids[static_cast<std::size_t>(begin)]);
  MaskPattern windowed = made;
  const Index window = windows.winner().first;
  windowed.terms = {"(" + made.terms.front() + ")", "window " + to_text(window + 1)};
  windowed.condition += fmt::format(" & ({} - kv_idx <= {})", input.token(), window);
  windowed.size += 2;
  windowed.blocks->left = window;
  windowed.blocks->left_is_window = true;
  out.push_back(std::move(windowed));
  const Index count = before.winner().first;
  made.terms = {fmt::format("blocks {}, own block and {} before", lengths_text(starts, input.extent().cols),
                            context_text(count, 1))};
  made.condition += fmt::format(" & (block_id[{}] - block_id[kv_idx] <= {})", input.token(), count);
  made.size += 2;
  made.blocks.reset();  // a number of blocks is no number of tokens
  made.spans = MaskSpans{.ids = ids};
  out.push_back(std::move(made));
}

}  // namespace vqscope
