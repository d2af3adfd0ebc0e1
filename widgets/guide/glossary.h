// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

#include <span>
#include <vector>

namespace vqscope {

/// An entry of GLOSSARY.md.
struct GlossaryEntry {
  QStringList terms;   ///< as they are written: "Key memory", "past_len"
  QString definition;  ///< plain text, the whole entry
  QString anchor;      ///< in the guide's page "glossary"
};

/// In the order of the file.
std::span<const GlossaryEntry> glossary();

/// The entries of a text in Markdown: list items that begin with terms in bold.
std::vector<GlossaryEntry> glossaryOf(const QString& markdown);

/// A term that texts use in its everyday sense most of the time: no link there, but an entry.
bool isEverydayWord(const QString& term);

/// A term in a text.
struct TermPlace {
  int first = 0;
  int length = 0;
  const GlossaryEntry* entry = nullptr;
};

/// The terms in a text, also in the plural, the longest where several begin; case does not matter.
std::vector<TermPlace> termsIn(const QString& words);

}  // namespace vqscope
