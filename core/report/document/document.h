// SPDX-License-Identifier: GPL-3.0-or-later
// A report as plain data: what a page, a Markdown file or another format is written from.
#pragma once

#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace vqscope {

/// How a cell of a table is shown, beside its text.
enum class CellTone {
  plain,
  number,   ///< aligned at the right
  visible,  ///< a key that the query sees
  masked,
  heading
};

struct TableCell {
  std::string text;
  CellTone tone = CellTone::plain;
  bool is_picked = false;  ///< the cell that the report is about
};

struct ReportTable {
  std::string caption;  ///< what the table holds, in a sentence
  std::vector<std::string> headings;
  std::vector<std::vector<TableCell>> rows;
  bool is_grid = false;   ///< square cells of one letter
  bool is_prose = false;  ///< columns of sentences, equally wide
};

struct ReportText {
  std::string text;
};

/// A text whose line breaks count: code, commands.
struct ReportCode {
  std::string caption;
  std::string text;
};

struct ReportPicture {
  std::string alt;  ///< what it shows, for readers who cannot see it
  std::string caption;
  std::string media_type;  ///< "image/png"
  std::string bytes;
  std::string dark_bytes = {};  ///< on a dark screen, of the same type; empty: the same everywhere
};

/// One finding of the checks or of a model.
struct ReportFinding {
  std::string severity;  ///< "error", "warning", "question", "note"
  std::string title;
  std::string sentence;  ///< with the first cell that shows it
  std::string rule;      ///< what must hold; may be empty
  std::string fix;       ///< what to change; may be empty
};

struct ReportNote {
  std::string place;  ///< "query 12, key 8"
  std::string text;
};

using ReportBlock = std::variant<ReportText, ReportTable, ReportCode, ReportPicture, ReportFinding, ReportNote>;

struct ReportSection {
  std::string title;
  std::vector<ReportBlock> blocks;

  template <class Block>
  void add(Block block) {
    blocks.emplace_back(std::move(block));
  }
};

struct ReportDocument {
  std::string title;
  std::string lead;                  ///< what the report is about, in a sentence or two
  std::vector<std::string> verdict;  ///< what was found, a sentence each; may be empty
  std::string verdict_severity;      ///< of the worst of them; empty: nothing is wrong
  std::vector<ReportSection> sections;
  std::string made_by;  ///< "VQScope 0.1.0, 2026-11-28 20:30 UTC"
  std::string session;  ///< as embedded_text() gives it; empty: none
};

}  // namespace vqscope
