// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace vqscope {

/// The style of a report: the colours of the program, light and dark, and black on white in print.
inline constexpr std::string_view html_style = R"css(
:root { color-scheme: light dark; --window: #eceef2; --panel: #fff; --raised: #f3f5f8; --line: #d6dae1;
  --text: #1a1e26; --secondary: #5d6675; --accent: #1b6be0; --warning: #8f5c00; --error: #c93440; --good: #1d7a4e; }
@media (prefers-color-scheme: dark) { :root { --window: #15171c; --panel: #1c1f26; --raised: #262a33;
  --line: #31363f; --text: #e7e9ee; --secondary: #98a1b0; --accent: #4c9ffe; --warning: #f2b84b; --error: #f0616d;
  --good: #4fc38a; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--window); color: var(--text);
  font: 16px/1.55 system-ui, -apple-system, "Segoe UI", "Noto Sans", "DejaVu Sans", sans-serif; }
main { max-width: 60rem; margin: 0 auto; padding: 1.5rem 1rem; }
header { margin-bottom: 1.25rem; }
h1 { font-size: 1.75rem; line-height: 1.25; margin: 0 0 .5rem; overflow-wrap: anywhere; }
h2 { font-size: 1.2rem; margin: 0 0 .75rem; }
h3 { font-size: 1rem; margin: 0 0 .25rem; overflow-wrap: anywhere; }
p { margin: 0 0 .6rem; overflow-wrap: anywhere; }
.lead { color: var(--secondary); font-size: 1.05rem; }
.lines { white-space: pre-wrap; }
section, .verdict { background: var(--panel); border: 1px solid var(--line); border-radius: 8px; padding: 1.1rem 1.25rem;
  margin: 0 0 1rem; }
.verdict { border-left: 5px solid var(--accent); font-weight: 600; }
.verdict p:last-child, section > :last-child, article > :last-child { margin-bottom: 0; }
.verdict.error { border-left-color: var(--error); } .verdict.warning { border-left-color: var(--warning); }
.verdict.good { border-left-color: var(--good); }
.finding, article.note { border-left: 4px solid var(--line); padding: .1rem 0 .1rem .9rem; margin: 0 0 1rem; }
.finding.error { border-left-color: var(--error); } .finding.warning { border-left-color: var(--warning); }
.finding.question, article.note { border-left-color: var(--accent); }
.severity { display: inline-block; font-size: .72rem; letter-spacing: .05em; text-transform: uppercase;
  border: 1px solid currentColor; border-radius: 4px; padding: 0 .4rem; margin-right: .35rem; color: var(--accent); }
.error .severity { color: var(--error); } .warning .severity { color: var(--warning); }
figure { margin: 0 0 .8rem; }
figure img { display: block; max-width: 100%; height: auto; background: #fff; border-radius: 6px; padding: 6px; }
figure.both img { background: none; padding: 0; }
figcaption, .caption { color: var(--secondary); font-size: .9rem; text-align: left; margin: 0; padding: .4rem 0 .2rem; }
.scroll { overflow-x: auto; margin: 0 0 .8rem; }
table { border-collapse: collapse; font-size: .92rem; font-variant-numeric: tabular-nums; }
th, td { text-align: left; vertical-align: top; padding: .3rem .75rem .3rem 0; border-bottom: 1px solid var(--line); }
th { font-weight: 600; } thead th { color: var(--secondary); white-space: nowrap; }
td.number, th.number { text-align: right; }
td.visible { color: var(--accent); font-weight: 600; } td.masked { color: var(--secondary); }
td.picked { font-weight: 700; outline: 2px solid var(--accent); outline-offset: -2px; padding-left: .4rem; }
.grid td.picked { outline: 3px solid var(--warning); outline-offset: -1px; }
.grid { font-family: ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; }
.grid th, .grid td { text-align: center; padding: .15rem .4rem; min-width: 1.9rem; border: 1px solid var(--line); }
.grid td.visible { background: var(--accent); color: var(--panel); }
.prose { table-layout: fixed; width: 100%; min-width: 54rem; }
.prose th, .prose td { white-space: normal; overflow-wrap: anywhere; }
pre { background: var(--raised); border: 1px solid var(--line); border-radius: 6px; padding: .7rem .9rem; margin: 0 0 .8rem;
  overflow-x: auto; font: .88rem/1.5 ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; tab-size: 4; }
footer { max-width: 60rem; margin: 0 auto; padding: 0 1rem 2rem; color: var(--secondary); font-size: .85rem; }
@media (max-width: 40rem) { main { padding: 1rem .6rem; } section, .verdict { padding: .9rem .8rem; }
  h1 { font-size: 1.4rem; } }
@media print { :root { --window: #fff; --panel: #fff; --raised: #fff; --line: #bbb; --text: #000; --secondary: #333;
  --accent: #1b6be0; --warning: #8f5c00; --error: #a00; --good: #161; }
  body { font-size: 10.5pt; } main, footer { max-width: none; padding: 0; } section { border: 0; padding: 0; }
  pre { white-space: pre-wrap; overflow-wrap: anywhere; } .scroll { overflow: visible; }
  figure, article, tr, .scroll { break-inside: avoid; } h2, h3, .caption { break-after: avoid; }
  .grid td.visible { print-color-adjust: exact; -webkit-print-color-adjust: exact; } }
)css";

}  // namespace vqscope
