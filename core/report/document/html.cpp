// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/document/html.h"

#include "core/export/plain_characters.h"
#include "core/io/embed/base64.h"
#include "core/report/document/html_style.h"

#include <fmt/core.h>

namespace vqscope {
namespace {

std::string element(std::string_view name, std::string_view text) {
  return fmt::format("<{0}>{1}</{0}>", name, html_text(text));
}

std::string of_class(std::string_view name, std::string_view css, std::string_view text) {
  return fmt::format("<{0} class=\"{1}\">{2}</{0}>", name, css, html_text(text));
}

const char* class_of(CellTone tone) {
  switch (tone) {
    case CellTone::number: return "number";
    case CellTone::visible: return "visible";
    case CellTone::masked: return "masked";
    case CellTone::plain:
    case CellTone::heading: break;
  }
  return "";
}

std::string cell_html(const TableCell& cell) {
  if (cell.tone == CellTone::heading) return fmt::format("<th scope=\"row\">{}</th>", html_text(cell.text));
  std::string classes = class_of(cell.tone);
  if (cell.is_picked) classes += classes.empty() ? "picked" : " picked";
  const std::string attribute = classes.empty() ? classes : " class=\"" + classes + "\"";
  return fmt::format("<td{}>{}</td>", attribute, html_text(cell.text));
}

std::string block_html(const ReportText& block) { return element("p", block.text) + "\n"; }

/// The heading of a column of numbers stands above them, at the right.
bool holds_numbers(const ReportTable& block, std::size_t column) {
  if (block.is_grid || block.rows.empty() || column >= block.rows.front().size()) return false;
  return block.rows.front()[column].tone == CellTone::number;
}

/// The caption stands outside of the table, which may be narrower than it.
std::string block_html(const ReportTable& block) {
  const std::string caption = html_text(block.caption);
  std::string html = fmt::format(
      "<p class=\"caption\">{0}</p>\n<div class=\"scroll\" tabindex=\"0\" role=\"region\" "
      "aria-label=\"{0}\">\n<table{1} "
      "aria-label=\"{0}\">\n",
      caption,
      block.is_grid    ? " class=\"grid\""
      : block.is_prose ? " class=\"prose\""
                       : "");
  if (!block.headings.empty()) {
    html += "<thead><tr>";
    for (std::size_t i = 0; i < block.headings.size(); ++i)
      html += fmt::format("<th scope=\"col\"{}>{}</th>", holds_numbers(block, i) ? " class=\"number\"" : "",
                          html_text(block.headings[i]));
    html += "</tr></thead>\n";
  }
  html += "<tbody>\n";
  for (const auto& row : block.rows) {
    html += "<tr>";
    for (const auto& cell : row) html += cell_html(cell);
    html += "</tr>\n";
  }
  return html + "</tbody>\n</table>\n</div>\n";
}

std::string block_html(const ReportCode& block) {
  const std::string caption = block.caption.empty() ? std::string() : element("p", block.caption);
  return fmt::format("{}<pre tabindex=\"0\"><code>{}</code></pre>\n", caption, html_text(block.text));
}

std::string data_uri(const ReportPicture& block, std::string_view bytes) {
  return fmt::format("data:{};base64,{}", html_text(block.media_type), to_base64(bytes));
}

std::string block_html(const ReportPicture& block) {
  std::string picture = fmt::format("<img alt=\"{}\" src=\"{}\">", html_text(block.alt), data_uri(block, block.bytes));
  if (!block.dark_bytes.empty())
    picture = fmt::format(
        "<picture>\n<source media=\"screen and (prefers-color-scheme: dark)\" srcset=\"{}\">\n{}\n</picture>",
        data_uri(block, block.dark_bytes), picture);
  const char* both = block.dark_bytes.empty() ? "" : " class=\"both\"";
  return fmt::format("<figure{}>\n{}\n{}\n</figure>\n", both, picture, element("figcaption", block.caption));
}

std::string block_html(const ReportFinding& block) {
  std::string html = fmt::format("<article class=\"finding {}\">\n<h3>{} {}</h3>\n", html_text(block.severity),
                                 of_class("span", "severity", block.severity), html_text(block.title));
  html += element("p", block.sentence) + "\n";
  if (!block.rule.empty()) html += fmt::format("<p><b>The rule:</b> {}</p>\n", html_text(block.rule));
  if (!block.fix.empty()) html += fmt::format("<p><b>To fix it:</b> {}</p>\n", html_text(block.fix));
  return html + "</article>\n";
}

std::string block_html(const ReportNote& block) {
  return fmt::format("<article class=\"note\">\n<h3>{}</h3>\n<p class=\"lines\">{}</p>\n</article>\n",
                     html_text(block.place), html_text(block.text));
}

std::string head_html(const ReportDocument& document) {
  return fmt::format(R"(<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="{}">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'">
<title>{}</title>
<style>{}</style>
</head>
)",
                     html_text(document.made_by), html_text(document.title), html_style);
}

std::string verdict_html(const ReportDocument& document) {
  if (document.verdict.empty()) return {};
  const std::string severity = document.verdict_severity.empty() ? "good" : document.verdict_severity;
  std::string html = fmt::format("<div class=\"verdict {}\" role=\"note\">\n", html_text(severity));
  for (const auto& sentence : document.verdict) html += element("p", sentence) + "\n";
  return html + "</div>\n";
}

}  // namespace

std::string html_text(std::string_view text) {
  std::string html;
  for (const char c : plain_characters(text)) {
    switch (c) {
      case '&': html += "&amp;"; break;
      case '<': html += "&lt;"; break;
      case '>': html += "&gt;"; break;
      case '"': html += "&quot;"; break;
      case '\'': html += "&#39;"; break;
      default: html += c;
    }
  }
  return html;
}

std::string html_of(const ReportDocument& document) {
  std::string html = head_html(document) + "<body>\n<main>\n<header>\n";
  html += element("h1", document.title) + "\n" + of_class("p", "lead", document.lead) + "\n</header>\n";
  html += verdict_html(document);
  for (const auto& section : document.sections) {
    html += "<section>\n" + element("h2", section.title) + "\n";
    for (const auto& block : section.blocks)
      html += std::visit([](const auto& each) { return block_html(each); }, block);
    html += "</section>\n";
  }
  html += fmt::format("</main>\n<footer>\n{}\n</footer>\n</body>\n</html>\n", element("p", document.made_by));
  if (!document.session.empty()) html += "<!-- " + document.session + " -->\n";
  return html;
}

}  // namespace vqscope
