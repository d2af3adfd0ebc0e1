// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/guide/guide_pages.h"

#include "core/base/word_match.h"
#include "widgets/theme/icons.h"

#include <QDir>
#include <QFile>
#include <QRegularExpression>

#include <algorithm>

namespace vqscope {
namespace {

QString contentOf(const QString& path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

bool isHeading(const QString& line) {
  static const QRegularExpression heading(QStringLiteral("^#{1,4} "));
  return heading.match(line).hasMatch();
}

QString headingText(const QString& line) {
  return line.mid(line.indexOf(QLatin1Char(' ')) + 1).remove(QLatin1Char('`')).trimmed();
}

std::vector<GuideSection> sectionsOf(const QString& markdown) {
  std::vector<GuideSection> sections;
  bool inCode = false;
  for (const QString& line : markdown.split(QLatin1Char('\n'))) {
    if (line.startsWith(QLatin1String("```"))) inCode = !inCode;
    if (!inCode && isHeading(line)) {
      const QString title = headingText(line);
      sections.push_back({title, sections.empty() ? QString() : guideAnchor(title), {}});
    } else if (!sections.empty()) {
      sections.back().words += line + QLatin1Char('\n');
    }
  }
  return sections;
}

GuidePage readPage(const QString& path) {
  GuidePage page{QFileInfo(path).completeBaseName().toLower(), {}, contentOf(path), {}};
  page.sections = sectionsOf(page.markdown);
  if (!page.sections.empty()) page.title = page.sections.front().title;
  return page;
}

/// The target of each Markdown link, in order.
std::vector<std::pair<QString, QString>> linksOf(const QString& markdown) {
  static const QRegularExpression link(QStringLiteral("\\[([^\\]]+)\\]\\(([^)]+)\\)"));
  std::vector<std::pair<QString, QString>> links;
  for (auto each = link.globalMatch(markdown); each.hasNext();) {
    const auto match = each.next();
    links.emplace_back(match.captured(1), match.captured(2));
  }
  return links;
}

QString pageOf(const QString& target) {
  return QFileInfo(target.section(QLatin1Char('#'), 0, 0)).completeBaseName().toLower();
}

/// Those that the index names, in its order, then those that it does not name.
std::vector<GuidePage> readPages() {
  ensureResources();
  const QString folder = QStringLiteral(":/docs/guide/");
  std::vector<GuidePage> pages{readPage(folder + QStringLiteral("index.md"))};
  const auto add = [&](const QString& file) {
    const QString path = QDir::cleanPath(folder + file);
    const QString id = pageOf(file);
    const bool known = std::ranges::any_of(pages, [&](const GuidePage& page) { return page.id == id; });
    if (!known && file.endsWith(QLatin1String(".md")) && QFile::exists(path)) pages.push_back(readPage(path));
  };
  const QString index = pages.front().markdown;
  for (const auto& [words, target] : linksOf(index.mid(index.indexOf(QLatin1String("## Rooms")))))
    add(target.section(QLatin1Char('#'), 0, 0));
  for (const QString& file : QDir(folder).entryList(QDir::Files, QDir::Name)) add(file);
  return pages;
}

}  // namespace

std::span<const GuidePage> guidePages() {
  static const std::vector<GuidePage> all = readPages();
  return all;
}

const GuidePage* findGuidePage(const QString& id) {
  const auto pages = guidePages();
  const auto found = std::ranges::find(pages, id, &GuidePage::id);
  return found == pages.end() ? nullptr : &*found;
}

std::vector<GuideQuestion> guideQuestions() {
  std::vector<GuideQuestion> questions;
  for (const GuideSection& section : guidePages().front().sections) {
    if (section.title != QLatin1String("Questions")) continue;
    for (const auto& [words, target] : linksOf(section.words))
      questions.push_back({words, pageOf(target), target.section(QLatin1Char('#'), 1)});
  }
  return questions;
}

QString guideAnchor(const QString& heading) {
  QString anchor;
  for (const QChar c : heading.toLower()) {
    if (c.isLetterOrNumber() || c == QLatin1Char('_') || c == QLatin1Char('-')) anchor += c;
    if (c.isSpace()) anchor += QLatin1Char('-');
  }
  return anchor;
}

std::vector<GuideHit> searchGuide(const QString& typed) {
  constexpr int ofTitle = 100;
  std::vector<std::pair<int, GuideHit>> found;
  const std::string words = typed.toStdString();
  for (const GuidePage& page : guidePages())
    for (const GuideSection& section : page.sections) {
      const int title = word_match(words, (page.title + QLatin1Char(' ') + section.title).toStdString());
      const int text = word_match(
          words, (page.title + QLatin1Char(' ') + section.title + QLatin1Char(' ') + section.words).toStdString());
      const int match = title > 0 ? title + ofTitle : text;
      if (match > 0) found.push_back({match, {&page, &section}});
    }
  std::ranges::stable_sort(found, std::greater<>(), &std::pair<int, GuideHit>::first);
  std::vector<GuideHit> hits;
  for (const auto& [match, hit] : found) hits.push_back(hit);
  return hits;
}

}  // namespace vqscope
