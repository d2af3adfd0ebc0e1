// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/facts.h"

#include "core/data/draw.h"

#include <cmath>
#include <numeric>

namespace vqscope::facts {
namespace {

constexpr std::uint64_t text_purpose = 0x0FAC75;
constexpr std::uint64_t tables_seed = 20261127;
constexpr Index kinds = all_kinds;
constexpr Index stating = 1;  ///< of the kinds
constexpr Index asking = 2;

constexpr Index first_word = 'a';
constexpr Index first_key = '0';

Successors make_successors() {
  SeededRandom random(tables_seed);
  Successors made{};
  for (auto& of_word : made) {
    std::array<Index, words> order{};
    std::iota(order.begin(), order.end(), Index{0});
    for (Index i = 0; i < successors; ++i) {
      const Index j = i + below(random, words - i);
      std::swap(order[static_cast<std::size_t>(i)], order[static_cast<std::size_t>(j)]);
      of_word[static_cast<std::size_t>(i)] = order[static_cast<std::size_t>(i)];
    }
  }
  return made;
}

/// Printable characters that are neither words nor keys.
std::array<Index, keys * values> make_fact_characters() {
  std::array<Index, keys * values> made{};
  std::size_t count = 0;
  for (Index c = '!'; count < made.size(); ++c) {
    const bool is_word = c >= first_word && c < first_word + words, is_key = c >= first_key && c < first_key + keys;
    if (!is_word && !is_key) made[count++] = c;
  }
  return made;
}

class Writer {
 public:
  Writer(std::uint64_t seed, Index count, Index of_step)
      : m_random(stream_of(seed, text_purpose)), m_count(count), m_kinds(of_step) {}

  ScoredText write() {
    while (size() < m_count) {
      for (Index& value : m_values) value = below(m_random, values);
      m_end = size() + document_length * m_kinds / all_kinds - 1;
      while (size() < m_end) step();
      m_text.put('\n', false);
    }
    m_text.tokens.resize(static_cast<std::size_t>(m_count));
    m_text.answers.resize(static_cast<std::size_t>(m_count));
    return std::move(m_text);
  }

 private:
  Index size() const { return std::ssize(m_text.tokens); }

  /// Characters beyond a document's end are drawn, but not written.
  void put(Index character, bool is_answer) {
    if (size() < m_end) m_text.put(character, is_answer);
  }

  void step() {
    const Index kind = below(m_random, m_kinds);
    if (kind >= stating + asking) {
      m_word =
          word_successors()[static_cast<std::size_t>(m_word)][static_cast<std::size_t>(below(m_random, successors))];
      return put(first_word + m_word, false);
    }
    const Index key = below(m_random, keys);
    const bool asks = kind >= stating;
    if (asks) put(first_key + key, false);
    put(fact_character(key, m_values[static_cast<std::size_t>(key)]), asks);
  }

  SeededRandom m_random;
  Index m_count;
  Index m_kinds;
  ScoredText m_text;
  std::array<Index, keys> m_values{};
  Index m_word = 0;
  Index m_end = 0;  ///< of the document, before its line break
};

constexpr double characters_per_step = static_cast<double>(kinds + asking) / kinds;

}  // namespace

const Successors& word_successors() {
  static const Successors made = make_successors();
  return made;
}

Index fact_character(Index key, Index value) {
  static const auto characters = make_fact_characters();
  return characters[static_cast<std::size_t>(values * key + value)];
}

ScoredText stream(std::uint64_t seed, Index count, Index of_step) { return Writer(seed, count, of_step).write(); }

double answer_bits(Index context) {
  const double mentions = static_cast<double>(stating + asking) / (kinds * keys);  // of one key in a step
  return std::log2(static_cast<double>(values)) *
         std::pow(1 - mentions, static_cast<double>(context) / characters_per_step);
}

double bits_per_character(Index context) {
  const auto share = [](Index count) { return static_cast<double>(count) / kinds; };
  double bits = 0;
  for (const Index count : {kinds - stating - asking, stating, asking}) bits -= share(count) * std::log2(share(count));
  bits += share(kinds - stating - asking) * std::log2(static_cast<double>(successors));
  bits += share(stating + asking) * (std::log2(static_cast<double>(keys)) + answer_bits(context));
  return bits / characters_per_step;
}

}  // namespace vqscope::facts
