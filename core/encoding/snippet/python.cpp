// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/encoding/snippet/python.h"

#include "core/sequence/query_layout.h"

namespace vqscope {
namespace {

PythonLibrary names_of(SnippetLibrary library) {
  if (library == SnippetLibrary::numpy)
    return {"import numpy as np", "np", "np.concatenate", ".astype(np.int64)", "np.random.standard_normal"};
  return {"import torch", "torch", "torch.cat", ".long()", "torch.randn"};
}

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

/// Position past_len + i of query i.
bool are_plain(const SequenceLayout& layout) {
  const auto runs = layout.q_runs();
  return runs.size() == 1 && runs.front().valid && layout.q_pos(0) == layout.past_len();
}

}  // namespace

Result<SnippetLibrary> snippet_library(std::string_view name) {
  if (name == "numpy") return SnippetLibrary::numpy;
  if (name == "torch") return SnippetLibrary::torch;
  return invalid("library is \"{}\" but must be numpy or torch", shortened(name));
}

PythonText::PythonText(SnippetLibrary library) : m_names(names_of(library)) { lines(m_names.imported + "\n\n"); }

void PythonText::lines(std::string_view text) {
  std::string filled(text);
  replace_all(filled, "«m»", m_names.m);
  replace_all(filled, "«cat»", m_names.concatenate);
  replace_all(filled, "«int»", m_names.integers);
  replace_all(filled, "«normal»", m_names.normal);
  m_text += filled;
}

std::string python_list(std::span<const double> numbers) {
  std::string text = "[";
  for (const double number : numbers) text += (text.size() > 1 ? ", " : "") + to_text(number);
  return text + "]";
}

std::string python_float(double value) {
  const std::string text = plain_text(value);
  return text.find_first_of(".en") == std::string::npos ? text + ".0" : text;
}

void write_distances(const ParameterValues& values, PythonText& python) {
  const auto layout = own_query_layout(values).value();
  python.lines(fmt::format("q_length, kv_length, past_len = {}, {}, {}\n", layout.q_length(), layout.kv_length(),
                           layout.past_len()));
  python.lines(
      "q_pos = «m».arange(q_length, dtype=«m».float64) + past_len\n"
      "k_pos = «m».arange(kv_length, dtype=«m».float64)\n"
      "distance = q_pos[:, None] - k_pos[None, :]  # above 0: the key is behind the query\n");
}

void write_positions(const ParameterValues& values, PythonText& python) {
  if (values.find("position_ids") && !values.integers("position_ids").empty()) {
    const auto& ids = values.integers("position_ids");
    python.lines(fmt::format("positions = «m».{}({}, dtype=«m».float64)  # position_ids\nq_length = len(positions)\n",
                             python.names().m == "np" ? "array" : "tensor",
                             python_list(std::vector<double>(ids.begin(), ids.end()))));
    return;
  }
  const auto layout = SequenceLayout::make(sequence_input(values)).value();
  if (are_plain(layout)) {
    python.line(fmt::format("q_length, past_len = {}, {}", layout.q_length(), layout.past_len()));
    python.lines("positions = «m».arange(q_length, dtype=«m».float64) + past_len\n");
    return;
  }
  python.line("pieces = []  # a run of tokens: first position, number, and whether the position grows");
  for (const auto& run : layout.q_runs()) {
    const Index count = run.tokens.size(), first = run.position(run.tokens.begin);
    const bool grows = count > 1 && run.position(run.tokens.begin + 1) != first;
    python.lines(
        fmt::format("pieces.append({} + {} * «m».arange({}, dtype=«m».float64))\n", first, grows ? 1 : 0, count));
  }
  python.lines("positions = «cat»(pieces)  # position_ids\nq_length = len(positions)\n");
}

}  // namespace vqscope
