// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <span>
#include <vector>

namespace vqscope {

/// A part of a page, from one heading to the next.
struct GuideSection {
  QString title;
  QString anchor;  ///< empty: the beginning of the page
  QString words;   ///< its Markdown
};

/// A file of resources/docs/guide, or the glossary.
struct GuidePage {
  QString id;     ///< the file's name without .md, in lower case: "masks", "glossary"
  QString title;  ///< its first heading
  QString markdown;
  std::vector<GuideSection> sections;
};

/// A question that a page answers.
struct GuideQuestion {
  QString words;
  QString page;
  QString anchor;
};

/// All pages as they were when the program was built: in the order in which index.md names them,
/// the index first.
std::span<const GuidePage> guidePages();
/// Null: there is none of that id.
const GuidePage* findGuidePage(const QString& id);

/// The links under "Questions" in index.md.
std::vector<GuideQuestion> guideQuestions();

/// The anchor of a heading: its words in lower case, joined by hyphens.
QString guideAnchor(const QString& heading);

/// The sections that hold every typed word, best first.
struct GuideHit {
  const GuidePage* page = nullptr;
  const GuideSection* section = nullptr;
};
std::vector<GuideHit> searchGuide(const QString& typed);

}  // namespace vqscope
