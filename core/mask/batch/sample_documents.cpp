// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/batch/sample_documents.h"

#include "core/base/sentence.h"

#include <map>

namespace vqscope {
namespace {

/// The tokens that are not padding.
Result<Range> real_tokens(std::span<const Index> ids, const SamplePadding& padding) {
  const auto length = static_cast<Index>(ids.size());
  const bool left = padding.side == PaddingSide::left;
  Range real{left ? padding.padding : 0, left ? length : length - padding.padding};
  const auto pads = [&](Index token) { return ids[static_cast<std::size_t>(token)] < 0; };
  while (real.size() > 0 && pads(real.begin)) ++real.begin;
  while (real.size() > 0 && pads(real.end - 1)) --real.end;
  for (Index token = real.begin; token < real.end; ++token)
    if (pads(token))
      return invalid("token {} is {}, padding between real tokens", token, ids[static_cast<std::size_t>(token)]);
  if (real.begin > 0 && real.end < length && real.size() > 0)
    return invalid("tokens {} and {} are padding on both sides of the documents", real.begin - 1, real.end);
  return real;
}

}  // namespace

Result<SampleDocuments> sample_documents(std::span<const Index> ids, const SamplePadding& padding) {
  const auto real = real_tokens(ids, padding);
  if (!real) return real.error();
  const auto length = static_cast<Index>(ids.size());
  SampleDocuments documents;
  documents.padding = {length - real->size(), real->begin > 0 ? PaddingSide::left : PaddingSide::right};
  std::map<Index, Index> ends;  // of the documents so far
  for (Index token = real->begin; token < real->end; ++token) {
    const Index id = ids[static_cast<std::size_t>(token)];
    const auto [known, is_new] = ends.try_emplace(id, token);
    if (!is_new && known->second != token)
      return invalid("token {} is of document {}, which ended before token {}", token, id, known->second);
    if (is_new)
      documents.lengths.push_back(1);
    else
      ++documents.lengths.back();
    known->second = token + 1;
  }
  return documents;
}

}  // namespace vqscope
