// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace vqscope {

/// Shortest text that reads back as the same number; C locale always. NaN and infinities as nan,
/// inf, -inf.
std::string to_text(double value);
std::string to_text(float value);
std::string to_text(Index value);

/// For sentences: the same, but whole numbers below 2^53 without an exponent: 500000, not 5e+05.
std::string plain_text(double value);

/// For messages: about `digits` significant digits.
std::string to_text(double value, int digits);

/// For pictures and windows: 2097152 with a narrow no-break space (U+202F) between groups of three
/// digits. Error messages and files have plain digits.
std::string grouped(Index value);
/// For a count of cells, which may exceed int64.
std::string grouped_count(std::uint64_t value);

/// "1.5 GiB".
std::string byte_count(double bytes);

/// The whole text as a number, nothing before or after it.
std::optional<Index> parse_index(std::string_view text);
std::optional<double> parse_real(std::string_view text);

/// A number in a notation for lengths: also `64k` (k, M and G are powers of 1024), `2^21`,
/// `2_097_152`.
std::optional<double> parse_amount(std::string_view text);

/// The same where it is an integer: `1e6`, `1.5k`. Above 2^53 plain digits alone.
std::optional<Index> parse_count(std::string_view text);

/// ASCII letters in lower case.
std::string lower_case(std::string_view text);

std::string_view trimmed(std::string_view text);
std::vector<std::string_view> split(std::string_view text, char separator);
std::string join(std::span<const std::string> parts, std::string_view separator);

/// "a", "a and b", "a, b and c".
std::string listed(std::span<const std::string> items);

/// One word of a POSIX shell's command line: in quotes where it is not plain.
std::string shell_word(std::string_view text);

/// Input as a sentence quotes it: at most `most` characters, the last of them "…" where there are
/// more. Blanks and control characters in a row are one space; bytes that are not UTF-8 are U+FFFD.
std::string shortened(std::string_view text, std::size_t most = 60);

/// The known name that a mistyped one most likely meant, or nothing when more than a third of the
/// letters are wrong.
std::optional<std::string> nearest_name(std::string_view given, std::span<const std::string> known);

/// "; did you mean linear?" or nothing, to end a sentence about an unknown name.
std::string did_you_mean(std::string_view given, std::span<const std::string> known);

/// Bytes of the character that `text` begins with, 0 where it begins with none: cut off, overlong,
/// a surrogate, or beyond U+10FFFF.
std::size_t utf8_sequence(std::string_view text);

/// The code of one character, whose bytes utf8_sequence counts.
char32_t utf8_code(std::string_view character);

/// A code point that is no surrogate, at most U+10FFFF.
void append_utf8(std::string& text, char32_t code);

}  // namespace vqscope
