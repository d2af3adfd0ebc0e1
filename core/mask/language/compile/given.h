// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/language/code/code.h"
#include "core/mask/language/parse/source_error.h"

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace vqscope::language {

/// Nodes of a program, and expressions looked at until every function is put in place.
inline constexpr std::size_t max_nodes = 20000;
inline constexpr Index max_steps = 200000;
inline constexpr int max_calls = 64;  ///< functions called from functions

/// What stands for -inf, and for the lowest number of a float type, among the integers of the language.
inline constexpr Index lowest_score = -(Index{1} << 61);

/// At or below it a value that is added to a score hides the key.
inline constexpr Index hiding_score = -9999;

/// What stands for no value where a text gives an integer no default: below all that may be given.
inline constexpr Index not_given = -2147483649;

/// The values of an array that a text leaves free, row by row.
struct GivenArray {
  std::span<const Index> values;
  std::vector<Index> shape;  ///< empty: a list
  bool is_bool = false;
};

/// What is known of a text besides itself: it decides the ifs of the text, what is None, and what arrays that the text
/// makes of others hold.
struct Given {
  std::map<std::string, Index> integers;
  std::map<std::string, GivenArray> arrays;
  std::optional<Index> b, h;  ///< the sequence and the head that the mask is shown for
  std::string mask;           ///< which of the text's functions is the mask; empty: the one that a reader would take
};

struct Compiled {
  Code code;
  std::optional<SourceError> error;
  std::vector<SourceError> warnings;
};

}  // namespace vqscope::language
