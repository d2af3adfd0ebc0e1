// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/mask/row/key_table.h"

#include "core/base/text.h"

#include <algorithm>
#include <cmath>

namespace vqscope {
namespace {

constexpr int weightDigits = 4;

}  // namespace

void KeyTable::setContent(KeyTableContent content) {
  const bool newColumns = content.mask != m_content.mask || content.tokens.empty() != m_content.tokens.empty();
  const bool hasTop = m_first < m_content.keys.size();
  const Index top = hasTop ? m_content.keys.at(m_first) : 0;
  m_content = std::move(content);
  m_first = std::clamp<Index>(hasTop ? m_content.keys.place_of(top) : 0, 0, lastFirst());
  m_stale = true;
  if (newColumns) makeColumns();
}

void KeyTable::makeColumns() {
  m_columns.clear();
  if (!m_content.mask || m_content.row.keys == 0) return;
  m_columns.push_back({Kind::key, "key", "kv_idx: index of the key"});
  if (!m_content.tokens.empty()) m_columns.push_back({Kind::token, "token", "Text of the key's token"});
  for (const auto& [name, value] : key_facts(*m_content.mask, m_content.row.row, 0))
    if (name != "kv_idx") m_columns.push_back({Kind::fact, name, name});
  for (const MaskColumn& column : m_content.mask->columns())
    m_columns.push_back({Kind::verdict, column.title, column.title + ": ✓ true, ✗ false, – not evaluated, ! error",
                         column.comparison, column.comparison ? std::nullopt : std::optional(column.term)});
  m_columns.push_back({Kind::visible, "verdict", "Whether the query sees the key"});
  m_columns.push_back({Kind::additive, "additive", "Value added to the score"});
  m_columns.push_back({Kind::weight, "weight", "Fraction of the softmax if all scores are equal"});
  m_columns.push_back({Kind::why, "why", "The term that decided, with the values compared"});
}

Index KeyTable::lastFirst() const { return std::max<Index>(0, m_content.keys.size() - m_page); }

void KeyTable::scroll(Index lines) {
  const Index first = std::clamp<Index>(m_first + lines, 0, lastFirst());
  m_stale = m_stale || first != m_first;
  m_first = first;
}

void KeyTable::reveal(Index key) {
  const Index place = m_content.keys.place_of(key);
  if (place < m_first) scroll(place - m_first);
  if (place >= m_first + m_page) scroll(place - m_page + 1 - m_first);
}

void KeyTable::fillLines() {
  if (!std::exchange(m_stale, false)) return;
  const Mask& mask = *m_content.mask;
  const Index q = m_content.row.row;
  m_lines.resize(static_cast<std::size_t>(std::min(m_page, m_content.keys.size() - m_first)));
  for (std::size_t i = 0; i < m_lines.size(); ++i) {
    Line& line = m_lines[i];
    line.key = m_content.keys.at(m_first + static_cast<Index>(i));
    line.visible = m_content.row.sees(line.key);
    line.facts = key_facts(mask, q, line.key);
    mask.verdicts(q, line.key, line.verdicts);
    line.why = line.visible ? std::string() : mask.why(q, line.key);
    if (line.why.starts_with("masked by ")) line.why.erase(0, 10);  // the verdict column shows it already
  }
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
    case Kind::additive: return additive_text(m_content.format, line.visible);
    case Kind::weight: {
      const double weight = neutral_weight(m_content.row, m_content.format, line.visible);
      return std::isnan(weight) ? "NaN" : to_text(weight, weightDigits);
    }
    case Kind::why: return line.why;
  }
  return {};
}

}  // namespace vqscope
