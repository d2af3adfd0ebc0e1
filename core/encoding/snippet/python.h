// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/sentence.h"
#include "core/encoding/snippet/snippet_library.h"
#include "core/method/method.h"

#include <span>
#include <string>

namespace vqscope {

/// Names that differ between numpy and torch. Everything else that snippets use has one name and
/// one order of arguments in both.
struct PythonLibrary {
  std::string imported;     ///< "import numpy as np"
  std::string m;            ///< np, torch
  std::string concatenate;  ///< np.concatenate, torch.cat
  std::string integers;     ///< suffix of an array: ".astype(np.int64)"
  std::string normal;       ///< call that samples: "np.random.standard_normal"
};

/// Writes one snippet: lines of text, with names of the library filled in.
class PythonText {
 public:
  explicit PythonText(SnippetLibrary library);

  const PythonLibrary& names() const { return m_names; }

  /// One line.
  void line(const std::string& text = {}) { m_text += text + "\n"; }

  /// Lines in which «m», «cat», «int» and «normal» stand for the names of the library.
  void lines(std::string_view text);

  const std::string& text() const { return m_text; }

 private:
  PythonLibrary m_names;
  std::string m_text;
};

/// "[1, 2.5]".
std::string python_list(std::span<const double> numbers);

/// 10000.0: a float of Python for any number.
std::string python_float(double value);

// One function a family; each writes `result`.
void write_rope(const Method& method, const ParameterValues& values, PythonText& python);
void write_rope_score(const Method& method, const ParameterValues& values, PythonText& python);
void write_own_scores(const Method& method, const ParameterValues& values, PythonText& python);
void write_rope_2d(const Method& method, const ParameterValues& values, PythonText& python);
void write_t5(const Method& method, const ParameterValues& values, PythonText& python);
void write_fire(const Method& method, const ParameterValues& values, PythonText& python);
void write_table(const Method& method, const ParameterValues& values, PythonText& python);
void write_learned_scores(const Method& method, const ParameterValues& values, PythonText& python);

/// `q_length`, `kv_length`, `past_len`, and `distance` = query position minus key position,
/// [q_length, kv_length].
void write_distances(const ParameterValues& values, PythonText& python);

/// `positions` of the queries, from lengths, padding and documents.
void write_positions(const ParameterValues& values, PythonText& python);

}  // namespace vqscope
