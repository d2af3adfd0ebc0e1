// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/language/kept_program.h"

#include <algorithm>
#include <atomic>
#include <deque>
#include <mutex>
#include <string>
#include <utility>

namespace vqscope {
namespace {

bool is_same(const language::GivenArray& a, const language::GivenArray& b) {
  return a.shape == b.shape && a.is_bool == b.is_bool && std::ranges::equal(a.values, b.values);
}

/// The value that the compiler uses for the integer: its default if it is not given.
std::optional<Index> value_of(const language::IntegerUse& use, const language::Given& given) {
  const auto found = given.integers.find(use.name);
  const bool is_given = found != given.integers.end() && (use.default_value || found->second != language::not_given);
  return is_given ? std::optional(found->second) : use.default_value;
}

/// Whether it has a value other than the text's default.
bool is_given(const std::string& name, const language::Given& given) {
  const auto found = given.integers.find(name);
  return found != given.integers.end() && found->second != language::not_given;
}

/// A text parsed with some given values; with other values it may mean something else.
class KeptProgram {
 public:
  KeptProgram(std::string text, const language::Given& given)
      : m_text(std::move(text)), m_given(given), m_parse(MaskProgram::parse(m_text, given)) {
    for (auto& [name, array] : m_given.arrays) {
      // Arrays that do not decide the program are not compared.
      if (m_parse && !decides(name)) array.values = {};
      m_arrays.emplace_back(array.values.begin(), array.values.end());
      array.values = m_arrays.back();
    }
  }
  KeptProgram(const KeptProgram&) = delete;
  KeptProgram& operator=(const KeptProgram&) = delete;

  const MaskParse& parse() const { return m_parse; }

  /// Whether everything that decides the program is unchanged.
  bool holds_for(std::string_view other, const language::Given& now) const {
    if (m_text != other || m_given.mask != now.mask) return false;
    const bool for_all = !m_parse || m_parse.program->code().is_of_b,
               for_heads = !m_parse || m_parse.program->code().is_of_h;
    if ((for_all && m_given.b != now.b) || (for_heads && m_given.h != now.h)) return false;
    // The names that an unparsable text needs are unknown: any value may fix it.
    if (!m_parse)
      return m_given.integers == now.integers && m_given.words == now.words && m_given.nones == now.nones &&
             std::ranges::equal(m_given.arrays, now.arrays, [](const auto& a, const auto& b) {
               return a.first == b.first && is_same(a.second, b.second);
             });
    return std::ranges::all_of(m_parse.program->words(), [&](const auto& use) { return word_holds_for(use, now); }) &&
           std::ranges::all_of(
               m_parse.program->code().may_be_none,
               [&](const auto& name) { return m_given.nones.contains(name) == now.nones.contains(name); }) &&
           std::ranges::all_of(m_parse.program->integers(),
                               [&](const auto& use) { return integer_holds_for(use, now); }) &&
           std::ranges::all_of(m_parse.program->arrays(), [&](const auto& use) { return array_holds_for(use, now); });
  }

 private:
  bool decides(const std::string& name) const {
    const auto& arrays = m_parse.program->arrays();
    return std::ranges::any_of(arrays, [&](const auto& use) { return use.decides && use.name == name; });
  }

  bool word_holds_for(const language::WordUse& use, const language::Given& now) const {
    const auto word = [&](const language::Given& given) {
      const auto found = given.words.find(use.name);
      return found == given.words.end() ? std::string() : found->second;
    };
    const language::IntegerUse number{.name = use.name};
    return word(m_given) == word(now) && value_of(number, m_given) == value_of(number, now) &&
           m_given.nones.contains(use.name) == now.nones.contains(use.name) &&
           m_given.arrays.contains(use.name) == now.arrays.contains(use.name);
  }

  bool integer_holds_for(const language::IntegerUse& use, const language::Given& now) const {
    // A name that is now given as an array is an array.
    if (m_given.arrays.contains(use.name) != now.arrays.contains(use.name)) return false;
    if (use.presence_decides && is_given(use.name, m_given) != is_given(use.name, now)) return false;
    return !use.decides || value_of(use, m_given) == value_of(use, now);
  }

  bool array_holds_for(const language::ArrayUse& use, const language::Given& now) const {
    if (use.source != language::ArraySource::given) return true;
    const auto before = m_given.arrays.find(use.name), after = now.arrays.find(use.name);
    const bool was_given = before != m_given.arrays.end(), is_given = after != now.arrays.end();
    // Whether an array is given decides whether it has a shape or is None.
    if (was_given != is_given) return false;
    if (!is_given) return true;
    if (before->second.shape.size() != after->second.shape.size() || before->second.is_bool != after->second.is_bool)
      return false;
    return !use.decides || is_same(before->second, after->second);
  }

  std::string m_text;
  language::Given m_given;
  MaskParse m_parse;
  std::deque<std::vector<Index>> m_arrays;
};

/// Enough for both sides of a comparison and the masks of other pages, now and before a change.
constexpr std::size_t most_kept = 8;

struct KeptPrograms {
  std::mutex mutex;
  std::deque<KeptProgram> all;  ///< the newest first
  std::atomic<Index> compiled = 0;
};

KeptPrograms& kept_programs() {
  static KeptPrograms kept;
  return kept;
}

}  // namespace

MaskParse kept_program(std::string_view text, const language::Given& given) {
  KeptPrograms& kept = kept_programs();
  const std::lock_guard lock(kept.mutex);
  const auto known = std::ranges::find_if(kept.all, [&](const KeptProgram& one) { return one.holds_for(text, given); });
  if (known != kept.all.end()) return known->parse();
  ++kept.compiled;
  kept.all.emplace_front(std::string(text), given);
  if (kept.all.size() > most_kept) kept.all.pop_back();
  return kept.all.front().parse();
}

Index programs_compiled() { return kept_programs().compiled; }

}  // namespace vqscope
