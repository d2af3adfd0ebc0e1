// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/notes.h"

#include "core/base/sentence.h"

#include <algorithm>

namespace vqscope {
namespace {

constexpr std::ptrdiff_t longest_summary = 300;  // without the path before it
constexpr std::size_t longest_note = 180;
constexpr std::size_t longest_value = 40;

/// Number of characters of valid UTF-8.
std::ptrdiff_t characters(std::string_view text) {
  return std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; });
}

}  // namespace

std::string short_value(const ParameterValue& value) {
  const std::string text = format_value(value);
  return text.empty() ? "empty" : shortened(text, longest_value);
}

std::string summary(const Notes& notes) {
  std::string joined;
  std::size_t count = 0;
  for (const auto& note : notes) {
    std::string next = (joined.empty() ? "" : joined + "; ") + shortened(note, longest_note);
    if (characters(next) > longest_summary) break;
    joined = std::move(next);
    ++count;
  }
  if (count < notes.size()) joined += fmt::format("; and {} more", notes.size() - count);
  return joined;
}

}  // namespace vqscope
