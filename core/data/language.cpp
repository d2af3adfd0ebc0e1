// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/language.h"

#include <algorithm>

namespace vqscope::language {
namespace {

Tables make_tables() {
  SeededRandom random(20240607);
  Tables made;
  for (auto& context : made.next)
    for (auto& word : context)
      for (auto& next : word) next = static_cast<std::int32_t>(below(random, words));
  for (auto& topic : made.topic)
    for (auto& word : topic) word = static_cast<std::int32_t>(below(random, words));
  return made;
}

/// The state of a stream between tokens. The order of the random draws is part of the language.
class Speaker {
 public:
  Speaker(std::uint64_t seed, Index count) : m_random(stream_of(seed, 0x5DEECE66D)), m_count(count) {
    for (Index& word : m_last) word = draw(words);
    m_topic = draw(topics);
    m_out.reserve(static_cast<std::size_t>(count));
  }

  std::vector<std::int32_t> generate() {
    while (size() < m_count) {
      if (draw(96) == 0) m_topic = draw(topics);
      if (m_copies > 0)
        copy();
      else
        generate_token();
    }
    return std::move(m_out);
  }

 private:
  Index draw(Index n) { return below(m_random, n); }
  Index size() const { return static_cast<Index>(m_out.size()); }

  void put(Index token) {
    m_out.push_back(static_cast<std::int32_t>(token));
    if (token < first_word) return;
    std::copy_backward(m_last, m_last + 2, m_last + 3);
    m_last[0] = token - first_word;
  }

  /// Copied brackets open and close nothing.
  void copy() {
    --m_copies;
    put(m_out[static_cast<std::size_t>(m_source++)]);
  }

  void generate_token() {
    Index kind = draw(64);
    if (kind < 3 && size() >= 32) {
      if (begin_copy()) return;
      kind = 63;
    }
    if (kind < 6 && m_depth < max_depth) {
      m_open[m_depth] = draw(brackets);
      put(m_open[m_depth++]);
    } else if (kind < 12 && m_depth > 0) {
      put(brackets + m_open[--m_depth]);
    } else {
      put(first_word + next_word());
    }
  }

  /// Emits no token yet: the next turn may change the topic first.
  bool begin_copy() {
    const Index octave = draw(5);
    const Index distance = (Index{16} << octave) + draw(Index{16} << octave);
    const Index length = 12 + draw(13);
    if (distance > size()) return false;
    m_source = size() - distance;
    m_copies = std::min(length, distance);
    return true;
  }

  Index next_word() {
    const Index choice = draw(16);
    const auto context = static_cast<std::size_t>((m_last[1] & 1) + 2 * (m_last[2] & 1));
    const auto& next = tables().next[context][static_cast<std::size_t>(m_last[0])];
    if (choice < 8) return next[0];
    if (choice < 12) return next[1];
    if (choice < 14) return next[2];
    return tables().topic[static_cast<std::size_t>(m_topic)][static_cast<std::size_t>(draw(8))];
  }

  static constexpr Index max_depth = 3;
  SeededRandom m_random;
  Index m_count;
  std::vector<std::int32_t> m_out;
  Index m_last[3];  ///< the last three words, latest first
  Index m_topic = 0;
  Index m_open[max_depth];
  Index m_depth = 0;
  Index m_source = 0;  ///< index of the next token to copy
  Index m_copies = 0;  ///< tokens still to copy
};

}  // namespace

const Tables& tables() {
  static const Tables made = make_tables();
  return made;
}

std::vector<std::int32_t> stream(std::uint64_t seed, Index count) { return Speaker(seed, count).generate(); }

}  // namespace vqscope::language
