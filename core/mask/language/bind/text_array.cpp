// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/language/bind/text_array.h"

#include "core/base/sentence.h"
#include "core/mask/language/parse/arithmetic.h"

#include <algorithm>

namespace vqscope::language {
namespace {

Result<ArrayPtr> running_sum(const BoundArray& of) {
  std::vector<Index> sums;
  Index sum = 0;
  for (Index i = 0; i < of.size(); ++i) {
    const auto next = add(sum, of.at(i));
    if (!next) return invalid("the running sum does not fit in 64 bits at index {}", i);
    sums.push_back(sum = *next);
  }
  return ArrayPtr(std::make_shared<BoundArray>(std::move(sums)));
}

/// Element i is the number of values below i, or up to i; the last element holds for every larger
/// i.
Result<ArrayPtr> counts(const BoundArray& of, bool up_to) {
  std::vector<ArrayPiece> pieces;
  Index begin = 0;
  for (Index count = 0; count < of.size(); ++count) {
    const Index value = of.at(count);
    if (count > 0 && value < of.at(count - 1))
      return invalid("its boundaries must not decrease, found {} after {}", value, of.at(count - 1));
    const Index end = up_to ? value : add(value, 1).value_or(highest);
    if (end <= begin) continue;
    pieces.push_back({{begin, end}, count, 0});
    begin = end;
  }
  pieces.push_back({{begin, add(begin, 1).value_or(highest)}, of.size(), 0});
  return ArrayPtr(std::make_shared<BoundArray>(std::move(pieces)));
}

}  // namespace

Result<ArrayPtr> array_of_text(const ArrayUse& use, std::span<const ArrayPtr> before) {
  if (use.source == ArraySource::literal) return ArrayPtr(std::make_shared<BoundArray>(use.values));
  const BoundArray& of = *before[static_cast<std::size_t>(use.of)];
  if (use.source == ArraySource::running_sum) return running_sum(of);
  return counts(of, use.source == ArraySource::count_up_to);
}

}  // namespace vqscope::language
