// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/text.h"
#include "core/mask/language/bind/bindings.h"
#include "core/mask/language/language_mask.h"

#include <QRegularExpression>

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace vqscope::test {

/// Claims of a sentence of LanguageMask::why(): each of `facts` holds at the cell, each of `unmet`
/// does not.
struct Claims {
  std::vector<std::string> facts;
  std::vector<std::string> unmet;
};

/// One condition of a sentence, such as "q_idx - kv_idx = 700, expected < 512".
inline std::optional<Claims> claims_of_condition(const QString& text) {
  const auto match = [&](const char* pattern) {
    return QRegularExpression(QRegularExpression::anchoredPattern(QLatin1String(pattern))).match(text);
  };
  const auto part = [](const QRegularExpressionMatch& m, int i) { return "(" + m.captured(i).toStdString() + ")"; };
  const auto equals = [&](const QRegularExpressionMatch& m, int i) { return part(m, i) + " == " + part(m, i + 1); };
  if (const auto m = match("(.+?) = (-?\\d+), expected not 0"); m.hasMatch())
    return Claims{{equals(m, 1)}, {part(m, 1) + " != 0"}};
  if (const auto m = match("(.+?) = (-?\\d+), expected 0"); m.hasMatch())
    return Claims{{equals(m, 1)}, {part(m, 1) + " == 0"}};
  if (const auto m = match("(.+?) = (-?\\d+), expected ([<>=!]=?) (-?\\d+)"); m.hasMatch())
    return Claims{{equals(m, 1)}, {part(m, 1) + " " + m.captured(3).toStdString() + " " + part(m, 4)}};
  if (const auto m = match("(.+?) = (-?\\d+), expected ([<>=!]=?) (.+?) = (-?\\d+)"); m.hasMatch())
    return Claims{{equals(m, 1), equals(m, 4)}, {part(m, 1) + " " + m.captured(3).toStdString() + " " + part(m, 5)}};
  if (const auto m = match("(.+?) = (-?\\d+), (.+?) = (-?\\d+), expected (equal|different)"); m.hasMatch())
    return Claims{{equals(m, 1), equals(m, 3)},
                  {part(m, 1) + (m.captured(5) == QLatin1String("equal") ? " == " : " != ") + part(m, 3)}};
  if (const auto m = match("(.+?) = (-?\\d+) ([<>]=?) (.+?) = (-?\\d+)"); m.hasMatch())
    return Claims{{equals(m, 1), equals(m, 4), part(m, 1) + " " + m.captured(3).toStdString() + " " + part(m, 4)}, {}};
  if (const auto m = match("key (\\d+) is padding"); m.hasMatch())
    return Claims{{"kv_idx == " + m.captured(1).toStdString()}, {"key_valid"}};
  if (const auto m = match("key (\\d+) is not padding, expected padding"); m.hasMatch())
    return Claims{{"kv_idx == " + m.captured(1).toStdString(), "key_valid"}, {}};
  if (const auto m = match("(.+) is False"); m.hasMatch()) return Claims{{}, {part(m, 1)}};
  if (const auto m = match("(.+) is True, expected False"); m.hasMatch()) return Claims{{part(m, 1)}, {}};
  return std::nullopt;
}

/// Claims of conditions joined by "and"; nothing for other or shortened sentences.
inline std::optional<Claims> claims_of(const QString& text) {
  if (text.contains(QStringLiteral("…"))) return std::nullopt;
  for (qsizetype end = text.indexOf(QStringLiteral(" and "));; end = text.indexOf(QStringLiteral(" and "), end + 1)) {
    auto first = claims_of_condition(end < 0 ? text : text.left(end));
    if (end < 0) return first;
    if (!first) continue;
    const auto rest = claims_of(text.mid(end + 5));
    if (!rest) continue;
    first->facts.insert(first->facts.end(), rest->facts.begin(), rest->facts.end());
    first->unmet.insert(first->unmet.end(), rest->unmet.begin(), rest->unmet.end());
    return first;
  }
}

/// Holds the sentences of a text's mask against the text itself: what a sentence claims is put in
/// the place of the term that it is about, and evaluated as a text of its own.
class ReasonCheck {
 public:
  ReasonCheck(std::string text, language::Given given, MaskBindings bindings, const SequenceLayout& layout)
      : m_given(std::move(given)), m_bindings(std::move(bindings)), m_layout(layout) {
    m_bindings.mask_failing_cells = true;
    const auto parsed = MaskProgram::parse(text, m_given);
    if (!parsed) return;
    m_program = parsed.program;
    const auto mask = LanguageMask::make(m_program, m_bindings, m_layout);
    if (mask) m_mask = *mask;
    m_given.mask = m_program->mask();
  }

  /// A sentence on a text with loops names values of one round, so only its verdicts are checked.
  void check_verdicts_alone() { m_is_of_loops = true; }

  Extent extent() const { return m_mask ? m_mask->extent() : Extent{0, 0}; }
  int claims_checked() const { return m_checked; }
  int claims_left() const { return m_left; }

  /// False claims about a cell; empty: none.
  std::string untrue(Index q, Index kv) {
    const std::string why = m_mask->why(q, kv);
    const auto failing = m_mask->failing_term(q, kv);
    const auto names = m_mask->terms();
    const std::string at = " at q " + to_text(q) + ", kv " + to_text(kv) + ": " + why;
    if (failing.has_value() == m_mask->visible(q, kv)) return "the verdict differs" + at;
    if (!failing) return why.starts_with("visible: ") ? untrue_visible(why, at) : "no visible" + at;
    const std::string begin = "masked by " + names[*failing] + ": ";
    if (!why.starts_with(begin)) return "another term" + at;
    if (m_is_of_loops) return {};
    if (auto wrong = untrue_verdicts(q, kv, *failing); !wrong.empty()) return wrong + at;
    const auto claims = claims_of(QString::fromStdString(why.substr(begin.size())));
    if (!claims) return ++m_left, std::string();
    for (const bool wanted : {true, false})
      for (const std::string& claim : wanted ? claims->facts : claims->unmet) {
        const auto holds = evaluate(*failing, claim, q, kv);
        if (!holds) {
          ++m_left;
          continue;
        }
        ++m_checked;
        if (*holds != wanted) return claim + (wanted ? " does not hold" : " is met") + at;
      }
    return untrue_elsewhere(*failing, *claims, at);
  }

 private:
  /// For a term of one comparison, the sentence names the expected value: the term holds exactly
  /// where it is met.
  std::string untrue_elsewhere(std::size_t term, const Claims& claims, const std::string& at) {
    const auto& code = m_program->terms()[term];
    const std::string written = m_program->text().substr(static_cast<std::size_t>(code.range.begin),
                                                         static_cast<std::size_t>(code.range.size()));
    static const QRegularExpression joined(QStringLiteral("[&|^]|\\b(and|or|if|where)\\b"));
    const bool is_one = code.comparisons.size() == 1 && claims.unmet.size() == 1 && claims.facts.size() <= 2 &&
                        !joined.match(QString::fromStdString(written)).hasMatch();
    // An element is named by the index that it has at this cell.
    if (!is_one || claims.unmet[0].find('[') != std::string::npos) return {};
    const auto [rows, cols] = extent();
    for (Index i = 0; i < 16; ++i) {
      const Index q = (7 * i + 3) % rows;
      const Index kv = (5 * i + i * i) % cols;
      const auto met = evaluate(term, claims.unmet[0], q, kv);
      const auto holds = evaluate(term, written, q, kv);
      if (met && holds && *met != *holds)
        return claims.unmet[0] + " is not what the term wants (q " + to_text(q) + ", kv " + to_text(kv) + ")" + at;
    }
    return {};
  }

  /// Every term that is on is named, and none else.
  std::string untrue_visible(const std::string& why, const std::string& at) const {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < m_mask->terms().size(); ++i)
      if (i >= m_bindings.term_on.size() || m_bindings.term_on[i]) names.push_back(m_mask->terms()[i]);
    const std::string wanted =
        names.empty() ? "no term masks anything" : join(names, ", ") + (names.size() > 1 ? " hold" : " holds");
    return why == "visible: " + wanted ? std::string() : "other terms" + at;
  }

  /// The verdicts of the columns are those of what is written above them; the first term that does
  /// not hold is the one.
  std::string untrue_verdicts(Index q, Index kv, std::size_t failing) {
    std::vector<Verdict> verdicts;
    m_mask->verdicts(q, kv, verdicts);
    const auto columns = m_mask->columns();
    for (std::size_t i = 0; i < columns.size(); ++i) {
      if (verdicts[i] == Verdict::skipped || verdicts[i] == Verdict::error) continue;
      if (!columns[i].comparison) {
        const bool should_hold = columns[i].term != failing;
        if (columns[i].term <= failing && (verdicts[i] == Verdict::yes) != should_hold)
          return "the verdict of " + columns[i].title + " is another";
        continue;
      }
      const auto holds = evaluate(columns[i].term, columns[i].title, q, kv);
      ++(holds ? m_checked : m_left);
      if (holds && *holds != (verdicts[i] == Verdict::yes)) return "the verdict of " + columns[i].title + " is another";
    }
    return {};
  }

  /// A claim in the place of a term; nothing where its names mean nothing there, or it has no
  /// value.
  std::optional<bool> evaluate(std::size_t term, const std::string& claim, Index q, Index kv) {
    const Range place = m_program->terms()[term].range;
    std::string text = m_program->text();
    text.replace(static_cast<std::size_t>(place.begin), static_cast<std::size_t>(place.size()), "(" + claim + ")");
    auto found = m_claims.find(text);
    if (found == m_claims.end()) found = m_claims.emplace(text, MaskProgram::parse(text, m_given).program).first;
    const auto& program = found->second;
    if (!program) return std::nullopt;
    // One that is several terms by itself, or makes others alike, leaves the terms in another
    // order.
    if (program->terms().size() != m_program->terms().size()) return std::nullopt;
    const auto& made = program->terms()[term];
    if (made.range.begin < place.begin || made.range.end > place.begin + static_cast<Index>(claim.size()) + 2)
      return std::nullopt;
    const auto environment = language::make_environment(*program, m_bindings, m_layout);
    if (!environment) return std::nullopt;
    language::PlainEvaluator evaluator(program->code(), *environment);
    evaluator.move_to(q, kv);
    const auto value = evaluator.evaluate(made.node);
    return value ? std::optional(*value != 0) : std::nullopt;
  }

  language::Given m_given;
  MaskBindings m_bindings;
  SequenceLayout m_layout;
  std::shared_ptr<const MaskProgram> m_program;
  std::shared_ptr<const LanguageMask> m_mask;
  std::map<std::string, std::shared_ptr<const MaskProgram>> m_claims;
  int m_checked = 0;
  int m_left = 0;
  bool m_is_of_loops = false;
};

}  // namespace vqscope::test
