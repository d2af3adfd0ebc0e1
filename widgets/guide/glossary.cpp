// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/guide/glossary.h"

#include "widgets/guide/guide_pages.h"

#include <QHash>
#include <QRegularExpression>

#include <algorithm>

namespace vqscope {
namespace {

QString plain(QString markdown) {
  static const QRegularExpression marks(QStringLiteral("[*`]"));
  return markdown.remove(marks).simplified();
}

/// The texts between ** and **, or alone between ` and `, split at commas.
void addTerms(const QString& bold, QStringList& terms) {
  for (const QString& part : bold.split(QStringLiteral(", "))) {
    const QString term = plain(part);
    if (!term.isEmpty() && !terms.contains(term)) terms << term;
  }
}

GlossaryEntry entryOf(const QString& item) {
  static const QRegularExpression bold(QStringLiteral("\\*\\*([^*]+)\\*\\*"));
  static const QRegularExpression alias(
      QStringLiteral("^\\*\\*[^*]+\\*\\* \\((?:`([^`]+)`|([A-Z]{2,}(?:, [A-Z]{2,})*))\\)"));
  GlossaryEntry entry{{}, plain(item), {}};
  for (auto each = bold.globalMatch(item); each.hasNext();) addTerms(each.next().captured(1), entry.terms);
  const auto also = alias.match(item);
  if (also.hasMatch()) addTerms(also.captured(1) + also.captured(2), entry.terms);
  entry.anchor = QStringLiteral("term-") + guideAnchor(entry.terms.value(0));
  return entry;
}

/// One expression for all terms, the longest first, and which entry each belongs to.
struct TermIndex {
  QHash<QString, const GlossaryEntry*> entries;
  QRegularExpression expression;

  TermIndex() {
    QStringList names;
    for (const GlossaryEntry& entry : glossary())
      for (const QString& term : entry.terms) {
        if (isEverydayWord(term) || entries.contains(term.toLower())) continue;
        entries.insert(term.toLower(), &entry);
        names << QRegularExpression::escape(term);
      }
    std::ranges::sort(names, std::greater<>(), &QString::size);
    expression.setPattern(QStringLiteral("(?<![\\w/.-])(%1)(?:e?s)?(?![\\w/-])").arg(names.join(QLatin1Char('|'))));
    expression.setPatternOptions(QRegularExpression::CaseInsensitiveOption |
                                 QRegularExpression::UseUnicodePropertiesOption);
  }
};

}  // namespace

bool isEverydayWord(const QString& term) {
  static const QStringList words{"read", "path", "field", "page", "view", "room", "summary"};
  return words.contains(term, Qt::CaseInsensitive);
}

std::vector<GlossaryEntry> glossaryOf(const QString& markdown) {
  std::vector<GlossaryEntry> entries;
  QString item;
  const auto flush = [&] {
    if (item.startsWith(QLatin1String("**"))) entries.push_back(entryOf(item));
    item.clear();
  };
  for (const QString& line : markdown.split(QLatin1Char('\n'))) {
    if (line.startsWith(QLatin1String("  ")) && !item.isEmpty()) {
      item += QLatin1Char(' ') + line.trimmed();
      continue;
    }
    flush();
    if (line.startsWith(QLatin1String("- "))) item = line.mid(2);
  }
  flush();
  return entries;
}

std::span<const GlossaryEntry> glossary() {
  static const std::vector<GlossaryEntry> all = [] {
    const GuidePage* page = findGuidePage(QStringLiteral("glossary"));
    return page ? glossaryOf(page->markdown) : std::vector<GlossaryEntry>();
  }();
  return all;
}

std::vector<TermPlace> termsIn(const QString& words) {
  static const TermIndex index;
  std::vector<TermPlace> places;
  for (auto each = index.expression.globalMatch(words); each.hasNext();) {
    const auto match = each.next();
    places.push_back({static_cast<int>(match.capturedStart()), static_cast<int>(match.capturedLength()),
                      index.entries.value(match.captured(1).toLower())});
  }
  return places;
}

}  // namespace vqscope
