// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/mutate/mutation.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>

namespace vqscope::mutate {
namespace {

constexpr std::size_t most_bytes = std::size_t{1} << 18;

const std::vector<Bytes> numbers{"0",
                                 "-0",
                                 "-1",
                                 "1",
                                 "00",
                                 "7",
                                 "255",
                                 "256",
                                 "65536",
                                 "2147483647",
                                 "2147483648",
                                 "-2147483649",
                                 "4294967296",
                                 "9007199254740993",
                                 "9223372036854775807",
                                 "9223372036854775808",
                                 "-9223372036854775808",
                                 "18446744073709551616",
                                 "1e308",
                                 "1e309",
                                 "-1e999",
                                 "1e-400",
                                 "0.1",
                                 "NaN",
                                 "inf",
                                 "-Infinity",
                                 "0x10",
                                 "1_000",
                                 "2^31",
                                 "1G"};
const std::vector<Bytes> no_text{
    "\xff", "\xc0\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xe2\x82", std::string(1, '\0'), "\x1b[31m",
    "\x7f", "\r\n",     "\xc2\x85",     "\xef\xbb\xbf",     "\\ud800",  "\xf0\x9f\x92\xa9"};
constexpr std::array<std::uint64_t, 14> lengths{0,
                                                1,
                                                0x7f,
                                                0x80,
                                                0xff,
                                                0x7fff,
                                                0xffff,
                                                0x7fffffff,
                                                0x80000000,
                                                0xffffffff,
                                                0x100000000,
                                                0x7fffffffffffffff,
                                                0x8000000000000000,
                                                0xffffffffffffffff};

template <class Items>
const auto& one_of(const Items& items, SeededRandom& random) {
  return items[below(random, std::size(items))];
}

struct Part {
  std::size_t begin = 0;
  std::size_t size = 0;
};

Part part_of(const Bytes& bytes, SeededRandom& random) {
  if (bytes.empty()) return {};
  const std::size_t begin = below(random, bytes.size());
  const std::size_t most = below(random, 2) == 0 ? 8 : bytes.size();
  return {begin, 1 + below(random, std::min(most, bytes.size() - begin))};
}

void flip(Bytes& bytes, SeededRandom& random) {
  if (bytes.empty()) return;
  char& byte = bytes[below(random, bytes.size())];
  byte = static_cast<char>(below(random, 2) == 0 ? byte ^ (1 << below(random, 8)) : static_cast<int>(random.bits()));
}

void insert_at_random(Bytes& bytes, const Bytes& more, SeededRandom& random) {
  bytes.insert(below(random, bytes.size() + 1), more);
}

void remove_part(Bytes& bytes, SeededRandom& random) {
  const auto [begin, size] = part_of(bytes, random);
  bytes.erase(begin, size);
}

void double_part(Bytes& bytes, SeededRandom& random) {
  const auto [begin, size] = part_of(bytes, random);
  const Bytes part = bytes.substr(begin, size);
  std::size_t times = below(random, 12) == 0 ? 1 + below(random, 4000) : 1 + below(random, 3);
  Bytes more;
  for (; times > 0 && more.size() < most_bytes; --times) more += part;
  insert_at_random(bytes, more, random);
}

void swap_parts(Bytes& bytes, SeededRandom& random) {
  const auto [begin, size] = part_of(bytes, random);
  const Bytes part = bytes.substr(begin, size);
  bytes.erase(begin, size);
  insert_at_random(bytes, part, random);
}

void cut(Bytes& bytes, SeededRandom& random) {
  if (bytes.empty()) return;
  const std::size_t at = below(random, bytes.size());
  below(random, 4) == 0 ? bytes.erase(0, at) : bytes.erase(at);
}

void splice(Bytes& bytes, const Bytes& other, SeededRandom& random) {
  const auto [begin, size] = part_of(other, random);
  const Bytes part = other.substr(begin, size);
  if (below(random, 2) == 0) return insert_at_random(bytes, part, random);
  const auto [at, replaced] = part_of(bytes, random);
  bytes.replace(at, replaced, part);
}

/// Some digits, with what belongs to their number.
void change_number(Bytes& bytes, SeededRandom& random) {
  const std::size_t start = bytes.empty() ? 0 : below(random, bytes.size());
  const auto begin = std::find_if(bytes.begin() + static_cast<std::ptrdiff_t>(start), bytes.end(),
                                  [](char c) { return c >= '0' && c <= '9'; });
  const auto end = std::find_if(begin, bytes.end(), [](char c) { return (c < '0' || c > '9') && c != '.'; });
  bytes.replace(begin, end, one_of(numbers, random));
}

/// A number of one to eight bytes, the lowest or the highest first.
void write_length(Bytes& bytes, SeededRandom& random) {
  const std::size_t count = std::size_t{1} << below(random, 4);
  if (bytes.size() < count) return;
  const std::size_t at = below(random, bytes.size() - count + 1);
  std::uint64_t length = below(random, 3) == 0 ? below(random, 4096) : one_of(lengths, random);
  const bool big = below(random, 3) == 0;
  for (std::size_t i = 0; i < count; ++i, length >>= 8)
    bytes[at + (big ? count - 1 - i : i)] = static_cast<char>(length & 0xff);
}

void nest(Bytes& bytes, SeededRandom& random) {
  static const std::vector<std::array<Bytes, 2>> pairs{{"(", ")"},   {"[", "]"}, {"{\"a\":", "}"},
                                                       {"~", ""},    {"-", ""},  {"not ", ""},
                                                       {"((", "))"}, {"[[", ""}, {"{", "}"}};
  const auto& [open, close] = one_of(pairs, random);
  const std::size_t depth = below(random, 8) == 0 ? below(random, 20'000) : below(random, 90);
  const std::size_t at = below(random, bytes.size() + 1);
  Bytes before, after;
  for (std::size_t i = 0; i < depth; ++i) {
    before += open;
    after += close;
  }
  const std::size_t middle = below(random, bytes.size() - at + 1);
  bytes = bytes.substr(0, at) + before + bytes.substr(at, middle) + after + bytes.substr(at + middle);
}

void change(Bytes& bytes, const Corpus& corpus, SeededRandom& random) {
  switch (below(random, 16)) {
    case 0:
    case 1:
    case 2: return flip(bytes, random);
    case 3: return remove_part(bytes, random);
    case 4: return double_part(bytes, random);
    case 5: return swap_parts(bytes, random);
    case 6: return cut(bytes, random);
    case 7:
    case 8: return splice(bytes, one_of(corpus.inputs, random), random);
    case 9:
    case 10: return change_number(bytes, random);
    case 11:
    case 12: return write_length(bytes, random);
    case 13: return insert_at_random(bytes, one_of(no_text, random), random);
    case 14: return below(random, 4) == 0 ? nest(bytes, random) : flip(bytes, random);
    default:
      return insert_at_random(bytes, corpus.words.empty() ? one_of(numbers, random) : one_of(corpus.words, random),
                              random);
  }
}

}  // namespace

std::size_t below(SeededRandom& random, std::size_t count) { return count == 0 ? 0 : random.bits() % count; }

Bytes mutated(const Corpus& corpus, SeededRandom& random) {
  Bytes bytes = one_of(corpus.inputs, random);
  std::size_t changes = 1;
  while (changes < 8 && below(random, 2) == 0) ++changes;
  for (; changes > 0; --changes) change(bytes, corpus, random);
  if (bytes.size() > most_bytes) bytes.resize(most_bytes);
  return bytes;
}

}  // namespace vqscope::mutate
