// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/language/code/code.h"
#include "core/mask/language/parse/source_error.h"

#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace vqscope::language {

/// Limits for the nodes of a program, and for the expressions compiled while expanding functions.
inline constexpr std::size_t max_nodes = 20000;
inline constexpr Index max_steps = 200000;
inline constexpr int max_calls = 64;  ///< functions called from functions

/// Represents -inf, and the lowest number of a float type, among the integers of the language.
inline constexpr Index lowest_score = -(Index{1} << 61);

/// A value at or below this that is added to a score hides the key.
inline constexpr Index hiding_score = -9999;

/// Represents a missing default of an integer: below all values that may be given.
inline constexpr Index not_given = -2147483649;

/// The values of a free array of a text, row by row.
struct GivenArray {
  std::span<const Index> values;
  std::vector<Index> shape;  ///< empty: a list
  bool is_bool = false;
};

/// Values given with a text: they decide the ifs of the text, what is None, and the values of
/// arrays that the text computes from others.
struct Given {
  std::map<std::string, Index> integers;
  std::map<std::string, GivenArray> arrays;
  std::map<std::string, std::string> words;  ///< values of names that are texts or fractions
  std::set<std::string> nones;               ///< names that are None
  std::optional<Index> b, h;                 ///< the sequence and the head that the mask is shown for
  std::string mask;  ///< which of the text's functions is the mask; empty: chosen by ModuleCompiler
};

struct Compiled {
  Code code;
  std::optional<SourceError> error;
  std::vector<SourceError> warnings;
};

}  // namespace vqscope::language
