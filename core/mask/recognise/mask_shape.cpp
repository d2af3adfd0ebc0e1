// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/recognise/mask_shape.h"

#include "core/base/sentence.h"

#include <algorithm>
#include <utility>

namespace vqscope {
namespace {

std::string keys_text(Index count) { return to_text(count) + (count == 1 ? " key" : " keys"); }
std::string queries_text(Index count) { return to_text(count) + (count == 1 ? " query" : " queries"); }

/// Puts `range` among the sorted intervals `out`.
void widen(Range range, std::vector<Range>& out) {
  if (range.size() <= 0) return;
  const auto touches = [&](const Range& each) { return each.begin <= range.end && range.begin <= each.end; };
  for (const Range& each : out)
    if (touches(each)) range = {std::min(range.begin, each.begin), std::max(range.end, each.end)};
  std::erase_if(out, touches);
  out.insert(std::ranges::upper_bound(out, range.begin, {}, &Range::begin), range);
}

void append_joined(Range range, std::vector<Range>& out) {
  if (range.size() <= 0) return;
  if (!out.empty() && range.begin <= out.back().end)
    out.back().end = std::max(out.back().end, range.end);
  else
    out.push_back(range);
}

}  // namespace

Range MaskShape::document(Index token) const {
  const auto after = std::ranges::upper_bound(document_starts, token);
  const Index begin = after == document_starts.begin() ? 0 : *(after - 1);
  const Index end = after == document_starts.end() ? extent.cols : *after;
  return {std::max(begin, pad_left), std::min(end, extent.cols - pad_right)};
}

bool MaskShape::visible(Index q, Index kv) const {
  if (q < blind_first || q >= extent.rows - blind_last || hidden.contains(kv)) return false;
  const Index token = q + past_len;
  if (documents_widen && document(token).contains(kv)) return true;
  const Range keys = conditioned_keys(token);
  if (!keys.contains(kv)) return false;
  const Index behind = token - kv;
  const bool near_enough = !left || behind <= *left || kv - keys.begin < sinks;
  const bool not_ahead = !right || -behind <= *right || kv - keys.begin < prefix;
  return near_enough && not_ahead && behind % dilation == 0;
}

void MaskShape::row(Index q, std::vector<Range>& out) const {
  out.clear();
  if (q < blind_first || q >= extent.rows - blind_last) return;
  const Index token = q + past_len;
  append_conditioned(token, out);
  if (documents_widen) widen(document(token), out);
  if (hidden.size() > 0) hide(out);
}

void MaskShape::hide(std::vector<Range>& row) const {
  std::vector<Range> shown;
  for (const Range& each : row)
    for (const Range part :
         {Range{each.begin, std::min(each.end, hidden.begin)}, Range{std::max(each.begin, hidden.end), each.end}})
      append_joined(part, shown);
  row = std::move(shown);
}

void MaskShape::append_conditioned(Index token, std::vector<Range>& out) const {
  const Range keys = conditioned_keys(token);
  const Index end = std::min(keys.end, right ? std::max(token + *right + 1, keys.begin + prefix) : keys.end);
  const Index begin = left ? std::max(keys.begin, token - *left) : keys.begin;
  if (dilation == 1) {
    append_joined({keys.begin, std::min(end, std::min(begin, keys.begin + sinks))}, out);
    append_joined({begin, end}, out);
    return;
  }
  const Index rest = ((token - keys.begin) % dilation + dilation) % dilation;
  Index kv = keys.begin + rest;
  if (sinks == 0 && kv < begin) kv += (begin - kv + dilation - 1) / dilation * dilation;
  for (; kv < end; kv += dilation)
    if (kv >= begin || kv - keys.begin < sinks) append_joined({kv, kv + 1}, out);
}

Index MaskShape::size() const {
  const auto count = [](bool there) { return Index{there}; };
  const bool odd_offset = right && *right != 0 && *right != -1 && right != left;
  return count(past_len != 0) + 2 * count(odd_offset) +
         2 * (count(right.has_value()) + count(left.has_value()) + count(prefix > 0) + count(sinks > 0) +
              count(dilation > 1) + count(pad_left > 0) + count(pad_right > 0) + count(hidden.size() > 0) +
              count(blind_first > 0) + count(blind_last > 0)) +
         static_cast<Index>(document_starts.size()) + count(!document_starts.empty()) + count(documents_widen);
}

std::string MaskShape::documents_term() const { return "documents " + lengths_text(document_starts, extent.cols); }

std::vector<std::string> MaskShape::terms() const {
  std::vector<std::string> all;
  const std::string behind = past_len == 0 ? "" : fmt::format(" behind {} of cache", keys_text(past_len));
  const bool both_sides = right && left && *right > 0;
  if (right && !both_sides && *right == 0) all.push_back("causal" + behind);
  if (right && !both_sides && *right == -1) all.push_back("strictly causal (self excluded)" + behind);
  if (right && !both_sides && (*right > 0 || *right < -1))
    all.push_back(fmt::format("causal with offset {}{}", *right, behind));
  if (prefix > 0) all.push_back("prefix " + to_text(prefix));
  if (!document_starts.empty() && !documents_widen) all.push_back(documents_term());
  if (both_sides && *left == *right)
    all.push_back(fmt::format("bidirectional window {} to each side{}", *left, behind));
  else if (both_sides)
    all.push_back(fmt::format("window from {} back to {} ahead{}", *left, *right, behind));
  else if (left && !right)
    all.push_back(fmt::format("window from {} back and all keys ahead{}", *left, behind));
  else if (left)
    all.push_back("window " + to_text(*left + 1));
  if (sinks > 0) all.push_back("sinks " + to_text(sinks));
  if (dilation > 1) all.push_back("dilated by " + to_text(dilation));
  if (documents_widen) {
    const std::string narrow = all.size() > 1 ? "(" + join(all, " ∧ ") + ")" : join(all, " ∧ ");
    all = {narrow + " ∨ " + documents_term()};
    if (pad_left + pad_right + hidden.size() + blind_first + blind_last > 0)
      all.front() = fmt::format("({})", all.front());
  }
  if (pad_left > 0) all.push_back(fmt::format("key padding of {} on the left", pad_left));
  if (pad_right > 0) all.push_back(fmt::format("key padding of {} on the right", pad_right));
  if (hidden.size() == 1) all.push_back(fmt::format("key {} hidden", hidden.begin));
  if (hidden.size() > 1) all.push_back(fmt::format("keys {} to {} hidden", hidden.begin, hidden.end - 1));
  if (blind_first > 0) all.push_back(fmt::format("the first {} blind", queries_text(blind_first)));
  if (blind_last > 0) all.push_back(fmt::format("the last {} blind", queries_text(blind_last)));
  return all;
}

std::string MaskShape::text() const {
  std::vector<std::string> all;
  const std::string token = plus("q_idx", past_len);
  const std::string from_start =
      counts_from_documents() ? "kv_idx - document_start[kv_idx]" : plus("kv_idx", -pad_left);
  const auto either = [](const std::string& condition, const std::string& or_else) {
    return or_else.empty() ? "(" + condition + ")" : fmt::format("(({}) | ({}))", condition, or_else);
  };
  const auto below = [&](Index count) { return count > 0 ? fmt::format("{} < {}", from_start, count) : std::string(); };
  if (right) all.push_back(either("kv_idx <= " + plus("q_idx", past_len + *right), below(prefix)));
  if (left) all.push_back(either(fmt::format("{} - kv_idx < {}", token, *left + 1), below(sinks)));
  const std::string same_document = fmt::format("(document_id[{}] == document_id[kv_idx])", token);
  if (!document_starts.empty() && !documents_widen) all.push_back(same_document);
  if (dilation > 1) all.push_back(fmt::format("(({} - kv_idx) % {} == 0)", token, dilation));
  if (documents_widen) all = {fmt::format("({} | {})", join(all, " & "), same_document)};
  if (pad_left > 0) all.push_back(fmt::format("(kv_idx >= {})", pad_left));
  if (pad_right > 0) all.push_back(fmt::format("(kv_idx < {})", extent.cols - pad_right));
  if (hidden.size() > 0) all.push_back(fmt::format("((kv_idx < {}) | (kv_idx >= {}))", hidden.begin, hidden.end));
  if (blind_first > 0) all.push_back(fmt::format("(q_idx >= {})", blind_first));
  if (blind_last > 0) all.push_back(fmt::format("(q_idx < {})", extent.rows - blind_last));
  return "return " + (all.empty() ? "kv_idx >= 0" : join(all, " & "));
}

NamedArray MaskShape::document_start_array() const {
  NamedArray start{"document_start", {}};
  for (Index token = 0; token < std::max(extent.cols, extent.rows + past_len); ++token)
    start.values.push_back(document(token).begin);
  return start;
}

NamedArray MaskShape::document_length_array() const {
  NamedArray length{"document_length", {}};
  for (Index token = 0; token < std::max(extent.cols, extent.rows + past_len); ++token)
    length.values.push_back(document(token).size());
  return length;
}

NamedArray MaskShape::position_array() const {
  NamedArray position{"position_id", {}};
  for (Index token = 0; token < std::max(extent.cols, extent.rows + past_len); ++token) {
    const Range keys = document(token);
    position.values.push_back(keys.contains(token) ? token - keys.begin : 0);
  }
  return position;
}

std::vector<NamedArray> MaskShape::arrays() const {
  if (document_starts.empty()) return {};
  NamedArray id{"document_id", ids_of(document_starts, std::max(extent.cols, extent.rows + past_len))};
  if (counts_from_documents() && (prefix > 0 || sinks > 0)) return {id, document_start_array()};
  return {id};
}

std::string plus(const std::string& name, Index offset) {
  if (offset == 0) return name;
  return name + (offset > 0 ? " + " : " - ") + to_text(std::abs(offset));
}

std::vector<Index> ids_of(const std::vector<Index>& starts, Index tokens) {
  std::vector<Index> ids;
  std::size_t next = 0;
  for (Index token = 0; token < tokens; ++token) {
    if (next < starts.size() && starts[next] == token) ++next;
    ids.push_back(static_cast<Index>(next));
  }
  return ids;
}

std::string lengths_text(const std::vector<Index>& starts, Index end) {
  std::vector<Index> lengths;
  Index begin = 0;
  for (const Index start : starts) lengths.push_back(start - std::exchange(begin, start));
  lengths.push_back(end - begin);
  return lengths_text(lengths);
}

std::string lengths_text(const std::vector<Index>& lengths) {
  std::string some;
  for (std::size_t i = 0; i < std::min(lengths.size(), most_listed); ++i)
    some += (some.empty() ? "" : ", ") + to_text(lengths[i]);
  if (lengths.size() <= most_listed) return fmt::format("[{}]", some);
  return fmt::format("[{}, …] ({} of them)", some, lengths.size());
}

}  // namespace vqscope
