// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/language/evaluate/line_notes.h"

#include "core/base/sentence.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>

namespace vqscope::language {
namespace {

constexpr std::size_t most_comparisons = 4;  // of a line

/// The values of one line.
struct LineValues {
  std::vector<std::string> comparisons;
  std::string whole;
  bool is_bool = false;
};

class LineNotes {
 public:
  LineNotes(const MaskProgram& program, PlainEvaluator& evaluator)
      : m_text(program.text()), m_code(program.code()), m_evaluator(evaluator) {
    m_line_starts.push_back(0);
    for (std::size_t i = 0; i < m_text.size(); ++i)
      if (m_text[i] == '\n') m_line_starts.push_back(static_cast<Index>(i) + 1);
  }

  TextNotes read() {
    TextNotes notes;
    for (std::size_t i = 0; i < m_code.terms.size(); ++i) {
      const TermCode& term = m_code.terms[i];
      notes.terms.push_back({i, term.range});
      for (const std::size_t c : term.comparisons) notes.terms.push_back({i, m_code.comparisons[c].range});
      if (!m_evaluator.evaluate(term.node)) m_evaluator.clear_error();
    }
    add_comparisons();
    add_wholes();
    for (const auto& [line, values] : m_lines) notes.lines.push_back({line, words_of(values)});
    return notes;
  }

 private:
  Index line_of(Index at) const { return std::ranges::upper_bound(m_line_starts, at) - m_line_starts.begin() - 1; }

  std::string number(NodeId id) const { return to_text(m_evaluator.known(id).value_or(0)); }

  void add_comparisons() {
    std::set<Index> seen;
    for (const Comparison& each : m_code.comparisons) {
      const bool known = m_evaluator.known(each.node) && m_evaluator.known(each.left) && m_evaluator.known(each.right);
      // For fractions the operands are multiples that do not occur in the text.
      if (!known || each.left_range == each.right_range || !seen.insert(each.range.begin).second) continue;
      auto& comparisons = m_lines[line_of(each.range.begin)].comparisons;
      if (comparisons.size() < most_comparisons)
        comparisons.push_back(fmt::format("{} {} {}", number(each.left), each.symbol, number(each.right)));
    }
  }

  /// The value of what is assigned on a line.
  void add_wholes() {
    for (std::size_t i = 0; i < m_code.nodes.size(); ++i) {
      const auto id = static_cast<NodeId>(i);
      const Node& node = m_code.at(id);
      if (node.op == Op::constant || node.range.size() <= 0 || !m_evaluator.known(id) || !is_whole(node.range))
        continue;
      LineValues& values = m_lines[line_of(node.range.begin)];
      values.is_bool = node.is_bool;
      values.whole = node.is_bool ? (*m_evaluator.known(id) != 0 ? "True" : "False") : number(id);
    }
  }

  /// Whether a piece of the text is all that stands behind `=` on its line.
  bool is_whole(Range range) const {
    const Index start = m_line_starts[static_cast<std::size_t>(line_of(range.begin))];
    const auto part = [this](Index from, Index to) {
      return trimmed(m_text.substr(static_cast<std::size_t>(from), static_cast<std::size_t>(to - from)));
    };
    std::string_view before = part(start, range.begin);
    const auto newline = m_text.find('\n', static_cast<std::size_t>(range.end));
    const auto end = static_cast<Index>(newline == std::string_view::npos ? m_text.size() : newline);
    const std::string_view after = part(range.end, end);
    while (before.ends_with('(')) before = trimmed(before.substr(0, before.size() - 1));
    const bool ends = after.find_first_not_of(')') == std::string_view::npos || after.starts_with('#');
    if (!ends) return false;
    if (!before.ends_with('=') || before.size() < 2) return false;
    return std::string_view("=<>!+-*/%&|^").find(before[before.size() - 2]) == std::string_view::npos;
  }

  static std::string words_of(const LineValues& values) {
    const std::string compared = join(values.comparisons, ", ");
    if (values.whole.empty()) return compared;
    if (compared.empty()) return "= " + values.whole;
    if (!values.is_bool) return compared + " → " + values.whole;
    return compared + (values.whole == "True" ? " ✓" : " ✗");
  }

  std::string_view m_text;
  const Code& m_code;
  PlainEvaluator& m_evaluator;
  std::vector<Index> m_line_starts;
  std::map<Index, LineValues> m_lines;
};

}  // namespace

TextNotes line_notes(const MaskProgram& program, const Environment& environment, Index q, Index kv) {
  PlainEvaluator evaluator(program.code(), environment);
  evaluator.move_to(q, kv);
  return LineNotes(program, evaluator).read();
}

}  // namespace vqscope::language
