// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/import/stored_shape.h"

#include "core/base/sentence.h"

namespace vqscope {

std::string mask_shape_text(std::span<const Index> shape) {
  std::string sizes;
  for (const Index size : shape) sizes += fmt::format("{}{}", sizes.empty() ? "" : ", ", size);
  return "[" + sizes + "]";
}

std::string mask_broadcast_text(std::span<const Index> shape, Index queries) {
  if (shape.size() < 3) return {};
  std::string text;
  const bool has_heads = shape.size() == 4;
  if (has_heads && shape[0] == 1 && shape[1] == 1)
    text = "one for all samples and heads";
  else if (has_heads && (shape[0] == 1 || shape[1] == 1))
    text = fmt::format("one for all {}", shape[0] == 1 ? "samples" : "heads");
  const bool serves_queries = shape[shape.size() - 2] == 1 && queries > 1;
  if (serves_queries) text += fmt::format("{}one row for all {} queries", text.empty() ? "" : ", ", queries);
  return text;
}

}  // namespace vqscope
