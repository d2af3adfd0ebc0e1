// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"

#include <bit>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace vqscope {

enum class PickleKind : std::uint8_t {
  none,
  boolean,
  whole,
  real,
  text,  ///< of Python 3, or bytes of Python 2
  bytes,
  list,
  tuple,
  set,
  dictionary,  ///< the items alternate between keys and values
  name,        ///< a class or a function of the allowed ones; its text is "module.name"
  object,      ///< what a name is called with; see object_arguments
  outside,     ///< a reference to what is stored outside of the pickle; its item is its description
};

/// How the file writes a text or bytes.
enum class PickledForm : std::uint8_t {
  plain,    ///< the bytes themselves
  utf8,     ///< of a text of Python 3
  quoted,   ///< of protocol 0, with escapes \x
  escaped,  ///< of protocol 0, with escapes \u
};

/// Place of a value among those of its pickle.
using PickleRef = std::uint32_t;

/// One value of a pickle, which may occur in several others, also in itself. Its text and its items
/// are those of the pickle: a million values are a few megabytes.
struct PickleValue {
  PickleKind kind = PickleKind::none;
  PickledForm form = PickledForm::plain;
  bool is_list = false;     ///< of an object: the items that were added to it are those of a list
  bool is_kept = true;      ///< of a text or bytes: they are short, and kept decoded
  std::uint32_t count = 0;  ///< items, or bytes of the text
  std::uint32_t first = 0;  ///< place of the first of them
  Index whole = 0;          ///< of a boolean or a whole number; of a text or bytes: their place in the file, or -1

  static PickleValue of_real(double value) { return {.kind = PickleKind::real, .whole = std::bit_cast<Index>(value)}; }
  double real() const { return std::bit_cast<double>(whole); }
  /// Of a text or bytes that are not kept: `count` and `first` are their size in the file.
  void set_size(std::uint64_t size) {
    is_kept = false;
    count = static_cast<std::uint32_t>(size);
    first = static_cast<std::uint32_t>(size >> 32);
  }
  std::uint64_t size() const { return is_kept ? count : std::uint64_t{first} << 32 | count; }
  std::uint64_t offset() const { return static_cast<std::uint64_t>(whole); }
  bool is_text() const { return kind == PickleKind::text || kind == PickleKind::bytes || kind == PickleKind::name; }
};

/// The items of an object: its name, the arguments of its call, its state, and what was added to it.
inline constexpr std::size_t object_name = 0;
inline constexpr std::size_t object_arguments = 1;
inline constexpr std::size_t object_state = 2;
inline constexpr std::size_t object_added = 3;

/// A pickle as data: nothing of it was executed.
struct Pickle {
  std::vector<PickleValue> values;
  std::vector<PickleRef> all_items;
  std::string all_texts;
  PickleRef root = 0;
  std::uint64_t end = 0;  ///< place after its last byte

  const PickleValue& operator[](PickleRef ref) const { return values[ref]; }
  /// Those of a list, dictionary or object; of others none.
  std::span<const PickleRef> items(PickleRef ref) const {
    const PickleValue& value = values[ref];
    if (value.kind < PickleKind::list || value.kind == PickleKind::name) return {};
    return std::span(all_items).subspan(value.first, value.count);
  }
  /// A text or bytes as far as they are short, or the name; of others none.
  std::string_view text(PickleRef ref) const {
    const PickleValue& value = values[ref];
    return value.is_text() && value.is_kept ? std::string_view(all_texts).substr(value.first, value.count)
                                            : std::string_view();
  }
};

}  // namespace vqscope
