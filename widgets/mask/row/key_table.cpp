// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/mask/row/key_table.h"

#include "core/base/text.h"

#include <algorithm>
#include <cmath>

namespace vqscope {
namespace {

constexpr int weightDigits = 4;

std::string reasonOf(const Mask& mask, Index q, Index key) {
  constexpr std::string_view begin = "masked by ";  // another column has the verdict
  std::string why = mask.why(q, key);
  if (why.starts_with(begin)) why.erase(0, begin.size());
  return why;
}

std::string termOf(const Mask& mask, Index q, Index key) {
  const auto term = mask.failing_term(q, key);
  return term ? mask.terms()[*term] : std::string();
}

}  // namespace

void KeyTable::setContent(KeyTableContent content) {
  const bool newColumns = content.mask != m_content.mask || content.second != m_content.second ||
                          content.tokens.empty() != m_content.tokens.empty();
  const bool hasTop = m_first < m_content.keys.size();
  const Index top = hasTop ? m_content.keys.at(m_first) : 0;
  m_content = std::move(content);
  m_first = std::clamp<Index>(hasTop ? m_content.keys.place_of(top) : 0, 0, lastFirst());
  m_stale = true;
  m_newRow = true;
  if (newColumns) makeColumns();
}

void KeyTable::makeColumns() {
  m_columns.clear();
  m_factsLast = false;
  m_reason = 0;
  if (!m_content.mask || m_content.row.keys == 0) return;
  m_columns.push_back({Kind::key, "key", "kv_idx: index of the key"});
  if (!m_content.tokens.empty()) m_columns.push_back({Kind::token, "token", "Text of the key's token"});
  for (const auto& [name, value] : key_facts(*m_content.mask, m_content.row.row, 0))
    if (name != "kv_idx") m_columns.push_back({Kind::fact, name, name});
  if (m_content.second) {
    m_columns.push_back({Kind::side_a, "A", "Whether A shows the key, else the first of its terms that masks it"});
    m_columns.push_back({Kind::side_b, "B", "Whether B shows the key, else the first of its terms that masks it"});
    m_columns.push_back({Kind::why, "why A", "The term of A that decided, with the values compared"});
    m_columns.push_back({Kind::why_b, "why B", "The term of B that decided, with the values compared"});
    return;
  }
  addVerdicts();
  m_columns.push_back({Kind::visible, "verdict", "Whether the query sees the key"});
  m_columns.push_back({Kind::why, "why", "The term that decided, with the values compared"});
  m_columns.push_back(
      {Kind::additive, "additive", "Value added to the score: " + additive_text(m_content.format, false)});
  m_columns.push_back({Kind::weight, "weight", "Fraction of the softmax if all scores are equal"});
}

/// A term that is one comparison has one column for both.
void KeyTable::addVerdicts() {
  const auto columns = m_content.mask->columns();
  const auto comparisons = [&](std::size_t term) {
    return std::ranges::count_if(columns, [&](const auto& each) { return each.comparison && each.term == term; });
  };
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const MaskColumn& column = columns[i];
    const bool isAlone = comparisons(column.term) == 1;
    if (column.comparison && isAlone) continue;
    const std::string help = isAlone ? column.title + ", " + columns[i + 1].title : column.title;
    m_columns.push_back({Kind::verdict, column.title, help + ": ✓ true, ✗ false, – not evaluated, ! error",
                         column.comparison, column.comparison ? std::nullopt : std::optional(column.term), i});
  }
}

Index KeyTable::lastFirst() const { return std::max<Index>(0, m_content.keys.size() - m_page); }

void KeyTable::scroll(Index lines) {
  const Index first = std::clamp<Index>(m_first + lines, 0, lastFirst());
  m_stale = m_stale || first != m_first;
  m_first = first;
}

void KeyTable::reveal(Index key) {
  const Index place = m_content.keys.place_of(key);
  const Index end = m_first + m_page;
  // A step leaves the lines where they are; a leap shows what is around its end.
  if (place < m_first - 1 || place > end) return scroll(place - m_page / 2 - m_first);
  if (place < m_first) scroll(-1);
  if (place >= end) scroll(1);
}

/// Reasons of one row can be long, and those of the next be none.
void KeyTable::forgetReasons() {
  m_reason = 0;
  for (Column& column : m_columns)
    if (column.kind == Kind::why) column.content = 0;
}

KeyTable::Line KeyTable::lineOf(Index place) const {
  const Mask& mask = *m_content.mask;
  const Index q = m_content.row.row;
  Line line;
  line.key = m_content.keys.at(place);
  line.visible = m_content.row.sees(line.key);
  line.facts = key_facts(mask, q, line.key);
  line.why = line.visible ? std::string() : reasonOf(mask, q, line.key);
  line.term = termOf(mask, q, line.key);
  if (!m_content.second) {
    mask.verdicts(q, line.key, line.verdicts);
    return line;
  }
  line.second_term = termOf(*m_content.second, q, line.key);
  line.second_why = line.second_term.empty() ? std::string() : reasonOf(*m_content.second, q, line.key);
  return line;
}

void KeyTable::fillLines() {
  if (!std::exchange(m_stale, false)) return;
  const Index end = std::min(m_first + m_page, m_content.keys.size());
  m_lines.clear();
  if (std::exchange(m_newRow, false)) forgetReasons();
  for (Index place = m_first; place < end; ++place) m_lines.push_back(lineOf(place));
}

TextTable KeyTable::asTable(Index most) const {
  TextTable table;
  if (!m_content.mask) return table;
  for (const Column& column : m_columns) table.titles.push_back(column.title);
  const Index size = m_content.keys.size();
  const Index first = size <= most ? 0 : std::min(m_first, size - most);
  for (Index place = first; place < std::min(size, first + most); ++place) {
    const Line line = lineOf(place);
    auto& cells = table.rows.emplace_back();
    for (const Column& column : m_columns) cells.push_back(wordsOf(column, line));
  }
  return table;
}

std::string KeyTable::words(int line, int column) const {
  return wordsOf(m_columns[static_cast<std::size_t>(column)], m_lines[static_cast<std::size_t>(line)]);
}

std::string KeyTable::wordsOf(const Column& asked, const Line& on) const {
  if (asked.kind != Kind::verdict) return textOf(asked, on);
  switch (asked.verdict < on.verdicts.size() ? on.verdicts[asked.verdict] : Verdict::skipped) {
    case Verdict::yes: return "yes";
    case Verdict::no: return "no";
    case Verdict::error: return "error";
    case Verdict::skipped: break;
  }
  return "skipped";
}

std::string KeyTable::drawnText(const Column& column, const Line& line) const {
  std::string text = textOf(column, line);
  const bool isReason = column.kind == Kind::why || column.kind == Kind::why_b;
  if (!isReason || (!m_content.second && !m_factsLast)) return text;
  if (column.kind == Kind::why_b && !text.empty() && text == line.why) return "as A";
  const std::string term = (column.kind == Kind::why ? line.term : line.second_term) + ": ";
  return text.starts_with(term) ? text.substr(term.size()) : text;
}

std::string KeyTable::textOf(const Column& column, const Line& line) const {
  switch (column.kind) {
    case Kind::key: return to_text(line.key);
    case Kind::token: return shown_token(m_content.tokens, line.key);
    case Kind::fact:
      for (const auto& [name, value] : line.facts)
        if (name == column.title) return value;
      return {};
    case Kind::verdict: return "✓";
    case Kind::visible: return line.visible ? "visible" : "masked";
    case Kind::additive: return short_additive_text(m_content.format, line.visible);
    case Kind::weight: {
      const double weight = neutral_weight(m_content.row, m_content.format, line.visible);
      return std::isnan(weight) ? "NaN" : to_text(weight, weightDigits);
    }
    case Kind::side_a: return line.term.empty() ? "✓" : "✗ " + line.term;
    case Kind::side_b: return line.second_term.empty() ? "✓" : "✗ " + line.second_term;
    case Kind::why: return line.why;
    case Kind::why_b: return line.second_why;
  }
  return {};
}

}  // namespace vqscope
