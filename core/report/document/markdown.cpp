// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/document/markdown.h"

#include "core/base/text.h"
#include "core/export/markdown_text.h"
#include "core/export/plain_characters.h"
#include "core/io/bytes/uri_text.h"
#include "core/io/embed/base64.h"

#include <fmt/core.h>

#include <algorithm>

namespace vqscope {
namespace {

/// Text so far, and what stands at the end of the file.
struct MarkdownPage {
  std::span<const std::string> files = {};  ///< of the pictures
  std::string text = {};
  std::string pictures = {};
  std::size_t picture_count = 0;

  void paragraph(std::string_view line) { text += fmt::format("{}\n\n", line); }
};

void add_block(const ReportText& block, MarkdownPage& page) { page.paragraph(markdown_text(block.text)); }

std::string cell_text(const TableCell& cell) {
  const std::string text = markdown_text(cell.text);
  const bool is_strong = !text.empty() && (cell.is_picked || cell.tone == CellTone::heading);
  return is_strong ? "**" + text + "**" : text;
}

void add_block(const ReportTable& block, MarkdownPage& page) {
  page.paragraph(markdown_text(block.caption));
  std::size_t columns = block.headings.size();
  for (const auto& row : block.rows) columns = std::max(columns, row.size());
  std::string line = "|";
  std::string rule = "|";
  for (std::size_t i = 0; i < columns; ++i) {
    line += fmt::format(" {} |", i < block.headings.size() ? markdown_text(block.headings[i]) : std::string());
    rule += " --- |";
  }
  page.text += line + "\n" + rule + "\n";
  for (const auto& row : block.rows) {
    page.text += "|";
    for (const auto& cell : row) page.text += fmt::format(" {} |", cell_text(cell));
    page.text += "\n";
  }
  page.text += "\n";
}

/// Longer than any that the text has itself.
std::string fence_for(std::string_view text) {
  std::size_t longest = 2;
  std::size_t run = 0;
  for (const char c : text) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  return std::string(longest + 1, '`');
}

void add_block(const ReportCode& block, MarkdownPage& page) {
  if (!block.caption.empty()) page.paragraph(markdown_text(block.caption));
  const std::string text = plain_characters(trimmed(block.text));
  const std::string fence = fence_for(text);
  page.text += fmt::format("{}\n{}\n{}\n\n", fence, text, fence);
}

void add_block(const ReportPicture& block, MarkdownPage& page) {
  const std::size_t number = ++page.picture_count;
  const std::string place = number <= page.files.size()
                                ? uri_text(page.files[number - 1])
                                : fmt::format("data:{};base64,{}", block.media_type, to_base64(block.bytes));
  page.paragraph(fmt::format("![{}][picture {}]", markdown_text(block.alt), number));
  page.paragraph(markdown_text(block.caption));
  page.pictures += fmt::format("[picture {}]: {}\n", number, place);
}

void add_block(const ReportFinding& block, MarkdownPage& page) {
  page.paragraph(fmt::format("### {}: {}", markdown_text(block.severity), markdown_text(block.title)));
  page.paragraph(markdown_text(block.sentence));
  if (!block.rule.empty()) page.paragraph("**The rule:** " + markdown_text(block.rule));
  if (!block.fix.empty()) page.paragraph("**To fix it:** " + markdown_text(block.fix));
}

void add_block(const ReportNote& block, MarkdownPage& page) {
  page.paragraph("### " + markdown_text(block.place));
  for (const auto line : split(block.text, '\n')) page.text += "> " + markdown_text(line) + "\n";
  page.text += "\n";
}

}  // namespace

std::string markdown_of(const ReportDocument& document, std::span<const std::string> pictures) {
  MarkdownPage page{.files = pictures};
  page.paragraph("# " + markdown_text(document.title));
  page.paragraph(markdown_text(document.lead));
  for (const auto& sentence : document.verdict) page.paragraph("**" + markdown_text(sentence) + "**");
  for (const auto& section : document.sections) {
    page.paragraph("## " + markdown_text(section.title));
    for (const auto& block : section.blocks) std::visit([&page](const auto& each) { add_block(each, page); }, block);
  }
  page.paragraph("---");
  page.paragraph(markdown_text(document.made_by));
  page.text += page.pictures;
  if (!document.session.empty()) page.text += fmt::format("\n<!-- {} -->\n", document.session);
  return page.text;
}

}  // namespace vqscope
