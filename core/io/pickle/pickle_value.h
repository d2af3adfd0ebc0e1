// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace vqscope {

enum class PickleKind {
  none,
  boolean,
  whole,
  real,
  text,  ///< of Python 3, or bytes of Python 2
  bytes,
  list,
  tuple,
  set,
  dictionary,  ///< `items` alternate between keys and values
  name,        ///< a class or a function of the allowed ones; `text` is "module.name"
  object,      ///< what a name is called with; see PickledObject
  outside,     ///< a reference to what is stored outside of the pickle; `items` holds its description
};

/// Place of a value among those of its pickle.
using PickleRef = std::uint32_t;

/// One value of a pickle. A value may occur in several others, also in itself.
struct PickleValue {
  PickleKind kind = PickleKind::none;
  bool is_list = false;    ///< of an object: the items that were added to it are those of a list
  bool is_unicode = true;  ///< of a text: encoded as UTF-8
  Index whole = 0;         ///< of a boolean or a whole number; of a text or bytes: their place, or -1
  double real = 0;         ///< of a real number; of a text or bytes: their size
  std::string text;        ///< of a text or bytes, as far as they are short
  std::vector<PickleRef> items;

  std::uint64_t offset() const { return static_cast<std::uint64_t>(whole); }
  std::uint64_t size() const { return static_cast<std::uint64_t>(real); }
  /// Whether `text` has all of it.
  bool is_whole_text() const { return text.size() == size(); }
};

/// The items of an object: the arguments of its call, its state, and what was added to it.
inline constexpr std::size_t object_arguments = 0;
inline constexpr std::size_t object_state = 1;
inline constexpr std::size_t object_added = 2;

/// A pickle as data: nothing of it was executed.
struct Pickle {
  std::vector<PickleValue> values;
  PickleRef root = 0;
  std::uint64_t end = 0;  ///< place after its last byte

  const PickleValue& operator[](PickleRef ref) const { return values[ref]; }
};

}  // namespace vqscope
