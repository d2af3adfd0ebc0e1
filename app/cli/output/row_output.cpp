// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/output/row_output.h"

#include "core/base/text.h"
#include "core/mask/preset/imported_preset.h"
#include "core/method/value_json.h"

#include <algorithm>
#include <cmath>

namespace vqscope {
namespace {

constexpr Index fewKeys = 64;
constexpr Index keysAround = 10;
constexpr std::size_t mostRanges = 64;
constexpr int weightDigits = 6;

using Line = std::vector<std::string>;

const char* markOf(Verdict verdict) {
  switch (verdict) {
    case Verdict::yes: return "✓";
    case Verdict::no: return "✗";
    case Verdict::skipped: return "–";
    case Verdict::error: break;
  }
  return "!";
}

const char* nameOf(Verdict verdict) {
  switch (verdict) {
    case Verdict::yes: return "yes";
    case Verdict::no: return "no";
    case Verdict::skipped: return "not_asked";
    case Verdict::error: break;
  }
  return "error";
}

/// Characters of UTF-8, each of which takes one column.
std::size_t columnsOf(const std::string& text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char byte) { return (static_cast<unsigned char>(byte) & 0xc0) != 0x80; }));
}

Line headings(const RowOutput& output) {
  Line line{"key"};
  if (!output.tokens.empty()) line.emplace_back("token");
  for (const auto& [name, value] : key_facts(*output.mask, output.row.row, 0))
    if (name != "kv_idx") line.push_back(name);
  for (const MaskColumn& column : output.mask->columns()) line.push_back(column.title);
  for (const char* title : {"verdict", "additive", "weight", "why"}) line.emplace_back(title);
  return line;
}

Line lineOf(const RowOutput& output, Index key) {
  const Index q = output.row.row;
  const bool visible = output.row.sees(key);
  Line line{to_text(key)};
  if (!output.tokens.empty()) line.push_back(shown_token(output.tokens, key));
  for (const auto& [name, value] : key_facts(*output.mask, q, key))
    if (name != "kv_idx") line.push_back(value);
  std::vector<Verdict> verdicts;
  output.mask->verdicts(q, key, verdicts);
  for (const Verdict verdict : verdicts) line.emplace_back(markOf(verdict));
  line.emplace_back(visible ? "visible" : "masked");
  line.push_back(additive_text(output.format, visible));
  line.push_back(to_text(neutral_weight(output.row, output.format, visible), weightDigits));
  line.push_back(visible ? std::string() : output.mask->why(q, key));
  return line;
}

/// Each column is as wide as its widest text, except for the last, which is prose.
std::string inColumns(const std::vector<Line>& lines) {
  std::vector<std::size_t> widths;
  for (const Line& line : lines) {
    widths.resize(std::max(widths.size(), line.size()));
    for (std::size_t i = 0; i < line.size(); ++i) widths[i] = std::max(widths[i], columnsOf(line[i]));
  }
  std::string text;
  for (const Line& line : lines) {
    std::string row;
    for (std::size_t i = 0; i + 1 < line.size(); ++i)
      row += std::string(widths[i] - columnsOf(line[i]), ' ') + line[i] + "  ";
    row += line.back();
    row.erase(row.find_last_not_of(' ') + 1);
    text += row + "\n";
  }
  return text;
}

JsonValue numberOf(double value) { return std::isfinite(value) ? JsonValue(value) : JsonValue(to_text(value)); }

JsonArray rangesOf(std::span<const Range> ranges) {
  JsonArray array;
  for (const Range& range : ranges) array.push_back(JsonArray{range.begin, range.end});
  return array;
}

JsonObject factsOf(const TokenFacts& facts) {
  JsonObject object;
  for (const auto& [name, value] : facts) object[name] = value;
  return object;
}

void addToken(const RowOutput& output, Index position, JsonObject& object) {
  if (position < std::ssize(output.tokens)) object["token"] = output.tokens[static_cast<std::size_t>(position)];
}

JsonObject keyOf(const RowOutput& output, Index key) {
  const Index q = output.row.row;
  const bool visible = output.row.sees(key);
  std::vector<Verdict> verdicts;
  output.mask->verdicts(q, key, verdicts);
  JsonArray names;
  for (const Verdict verdict : verdicts) names.push_back(nameOf(verdict));
  JsonObject object{{"key", key},
                    {"facts", factsOf(key_facts(*output.mask, q, key))},
                    {"columns", names},
                    {"visible", visible},
                    {"additive", numberOf(additive_value(output.format, visible))},
                    {"weight", numberOf(neutral_weight(output.row, output.format, visible))},
                    {"why", output.mask->why(q, key)}};
  addToken(output, key, object);
  return object;
}

}  // namespace

std::vector<Range> keysOfInterest(const Mask& mask, const RowReport& row) {
  if (row.keys <= fewKeys) return {{0, row.keys}};
  // In self-attention the last query is the last key's.
  std::vector<Index> centres{std::clamp<Index>(row.row + row.keys - mask.extent().rows, 0, row.keys - 1)};
  if (!row.empty()) centres.insert(centres.end(), {row.first(), row.last()});
  std::ranges::sort(centres);
  std::vector<Range> keys;
  for (const Index centre : centres) {
    const Range around{std::max<Index>(0, centre - keysAround), std::min(row.keys, centre + keysAround + 1)};
    if (!keys.empty() && around.begin <= keys.back().end)
      keys.back().end = around.end;
    else
      keys.push_back(around);
  }
  return keys;
}

std::string rowAsText(const RowOutput& output) {
  const RowReport& row = output.row;
  std::string text = "Row " + grouped(row.row) + " of " + grouped(output.mask->extent().rows) + " " +
                     row_sentence(row, mostRanges) + "\n";
  if (!output.place.empty()) text += "This is " + output.place + "; --batch and --head choose another\n";
  for (const RowElsewhere& other : output.elsewhere)
    text +=
        other.places + (other.row.keys == 0 ? " is padding alone" : ": " + row_sentence(other.row, mostRanges)) + "\n";
  if (!row.empty()) text += "first " + to_text(row.first()) + ", last " + to_text(row.last()) + "\n";
  std::string facts;
  for (const auto& [name, value] : row.facts) facts += (facts.empty() ? "" : ", ") + name + " " + value;
  if (!facts.empty()) text += facts + "\n";
  if (const auto token = shown_token(output.tokens, output.past + row.row); !token.empty())
    text += "token " + token + "\n";
  text += neutral_weights_sentence(row, output.format) + "\n";
  if (const auto own = own_number_sentence(output.format); !own.empty()) text += own + "\n";
  if (const auto file = imported_file(output.values)) text += "File: " + mask_file_sentence(*file) + "\n";
  std::vector<Line> lines{headings(output)};
  Index end = 0;
  for (const Range& range : output.listed) {
    if (range.begin > end && lines.size() > 1) lines.push_back({"…", ""});
    for (Index key = range.begin; key < range.end; ++key) lines.push_back(lineOf(output, key));
    end = range.end;
  }
  return text + (lines.size() > 1 ? "\n" + inColumns(lines) : std::string());
}

std::string rowAsJson(const RowOutput& output) {
  const RowReport& row = output.row;
  JsonObject object{{"method", output.method->id},
                    {"parameters", json_of(output.values)},
                    {"row", row.row},
                    {"shape", JsonArray{output.mask->extent().rows, output.mask->extent().cols}},
                    {"facts", factsOf(row.facts)},
                    {"visible", rangesOf(row.visible)},
                    {"count", row.count},
                    {"first", row.empty() ? JsonValue() : JsonValue(row.first())},
                    {"last", row.empty() ? JsonValue() : JsonValue(row.last())},
                    {"dtype", float_type_names()[static_cast<std::size_t>(output.format.type)]},
                    {"masked_value", numberOf(additive_value(output.format, false))},
                    {"file_value", output.format.own ? numberOf(*output.format.own) : JsonValue()},
                    {"weights", neutral_weights_sentence(row, output.format)}};
  addToken(output, output.past + row.row, object);
  if (const auto file = imported_file(output.values)) object["file"] = mask_file_sentence(*file);
  JsonArray elsewhere;
  for (const RowElsewhere& other : output.elsewhere)
    elsewhere.push_back(
        JsonObject{{"places", other.places}, {"count", other.row.count}, {"visible", rangesOf(other.row.visible)}});
  object["place"] = output.place.empty() ? JsonValue() : JsonValue(output.place);
  object["elsewhere"] = elsewhere;
  JsonArray columns;
  const auto terms = output.mask->terms();
  for (const MaskColumn& column : output.mask->columns())
    columns.push_back(
        JsonObject{{"title", column.title}, {"term", terms[column.term]}, {"comparison", column.comparison}});
  object["columns"] = columns;
  JsonArray keys;
  for (const Range& range : output.listed)
    for (Index key = range.begin; key < range.end; ++key) keys.push_back(keyOf(output, key));
  object["keys"] = keys;
  return indented_json(object);
}

}  // namespace vqscope
