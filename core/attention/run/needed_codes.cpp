// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/run/needed_codes.h"

#include "core/base/sentence.h"

#include <algorithm>
#include <cmath>

namespace vqscope {
namespace {

constexpr double near_sizes = 1.1;  // sizes this near, relative to each other, need no further one
constexpr double near_error = 0.02;
constexpr int most_refinements = 6;

struct MeasuredSize {
  Index n_code = 0;
  double error = 0;
};

/// Where the line through both meets stated_error: on logarithmic scales, on a linear scale of the
/// error if the larger codebook has none.
double size_between(const MeasuredSize& small, const MeasuredSize& large) {
  const double step = large.error > 0 ? std::log(small.error / stated_error) / std::log(small.error / large.error)
                                      : (small.error - stated_error) / (small.error - large.error);
  const double ratio = static_cast<double>(large.n_code) / static_cast<double>(small.n_code);
  return static_cast<double>(small.n_code) * std::pow(ratio, std::clamp(step, 0.0, 1.0));
}

/// Sizes above and below stated_error, as far as they are known.
class Bracket {
 public:
  void add(const MeasuredSize& measured) {
    auto& side = measured.error > stated_error ? m_small : m_large;
    side = measured;
  }
  bool is_closed() const { return m_small && m_large; }
  const std::optional<MeasuredSize>& small() const { return m_small; }
  const std::optional<MeasuredSize>& large() const { return m_large; }

  /// Whether the interpolation needs no further size: both are near, or the error of one is.
  bool is_near() const {
    const auto is_stated = [](const MeasuredSize& size) {
      return std::abs(size.error / stated_error - 1) < near_error;
    };
    return m_large->n_code - m_small->n_code < 2 || is_stated(*m_small) || is_stated(*m_large) ||
           static_cast<double>(m_large->n_code) < near_sizes * static_cast<double>(m_small->n_code);
  }
  /// The interpolated size or, for errors that fall steeply at an end, the middle one.
  Index between(bool middle) const {
    const double size = middle ? std::sqrt(static_cast<double>(m_small->n_code) * static_cast<double>(m_large->n_code))
                               : size_between(*m_small, *m_large);
    return std::clamp(static_cast<Index>(std::round(size)), m_small->n_code + 1, m_large->n_code - 1);
  }

  /// The size to measure next while an end is open; nothing: none is left.
  std::optional<Index> next(Index most) const {
    if (is_closed()) return {};
    if (m_small) return m_small->n_code < most ? std::optional(std::min(2 * m_small->n_code, most)) : std::nullopt;
    return m_large->n_code > 1 ? std::optional(m_large->n_code / 2) : std::nullopt;
  }

 private:
  std::optional<MeasuredSize> m_small, m_large;
};

/// Measures one size more, if it fits into the time.
class Measurement {
 public:
  Measurement(const CodeSearch& search, const std::function<Result<double>(Index)>& error_of)
      : m_search(search), m_error_of(error_of) {}

  /// Whether the size was measured.
  Result<bool> add(Index n_code, Bracket& bracket) {
    m_spent += m_search.seconds ? m_search.seconds(n_code) : 0;
    if (m_spent > m_search.most_seconds) return false;
    const auto error = m_error_of(n_code);
    if (!error) return error.error();
    bracket.add({n_code, *error});
    return true;
  }

 private:
  const CodeSearch& m_search;
  const std::function<Result<double>(Index)>& m_error_of;
  double m_spent = 0;
};

NeededCodes open_end(const Bracket& bracket, bool was_too_long) {
  if (!bracket.small()) return {{}, fmt::format("10 % needs at most {}", bracket.large()->n_code)};
  const Index largest = bracket.small()->n_code;
  if (was_too_long)
    return {{},
            fmt::format("10 % needs more than {}; larger codebooks would exceed most_seconds or most_memory", largest)};
  return {{}, fmt::format("10 % needs more than {}, the number of keys: codewords do not pay here", largest)};
}

constexpr double nearly_all = 0.75;

/// About two digits, without an exponent: 22, 0.53, 134.
std::string percent(double part) {
  const double hundredths = 100 * part;
  return hundredths >= 100 ? to_text(static_cast<Index>(std::min(std::round(hundredths), 1e15)))
                           : to_text(hundredths, 2);
}

/// About two digits: 214 is 210.
std::string rounded_count(double count) {
  const double unit = count >= 100 ? std::pow(10, std::floor(std::log10(count)) - 1) : 1;
  return to_text(static_cast<Index>(std::round(std::round(count / unit) * unit)));
}

/// "10 % needs about 210".
std::string needed_words(const VqAnswer& answer) {
  if (!answer.needed.count) return answer.needed.reason;
  const double count = *answer.needed.count, keys = static_cast<double>(answer.keys);
  if (answer.keys == 0 || count < nearly_all * keys) return "10 % needs about " + rounded_count(count);
  return fmt::format("10 % needs about {} of {} keys, nearly a codeword for each: codewords do not pay here",
                     to_text(std::round(count)), answer.keys);
}

}  // namespace

std::string output_error_words(double error) { return percent(error) + " % (rms)"; }

Result<NeededCodes> search_needed_codes(const CodeSearch& search,
                                        const std::function<Result<double>(Index n_code)>& error_of) {
  Bracket bracket;
  bracket.add({search.known, search.error});
  Measurement measurement(search, error_of);
  while (const auto size = bracket.next(search.most)) {
    const auto added = measurement.add(*size, bracket);
    if (!added) return added.error();
    if (!*added) return open_end(bracket, true);
  }
  if (!bracket.is_closed()) return open_end(bracket, false);
  for (int round = 0; round < most_refinements && !bracket.is_near(); ++round) {
    const auto added = measurement.add(bracket.between(round % 2 == 1), bracket);
    if (!added) return added.error();
    if (!*added) break;
  }
  return NeededCodes{size_between(*bracket.small(), *bracket.large()), {}};
}

std::string answer_sentence(const VqAnswer& answer) {
  std::string text = fmt::format("{} codeword{}: outputs differ by {}", answer.n_code, answer.n_code == 1 ? "" : "s",
                                 output_error_words(answer.output_error));
  if (answer.total_variation)
    text += fmt::format(", weights by {} in total variation", to_text(*answer.total_variation, 2));
  for (const std::string& more : {needed_words(answer), answer.conditions})
    if (!more.empty()) text += "; " + more;
  return text;
}

}  // namespace vqscope
