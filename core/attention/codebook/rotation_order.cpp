// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/codebook/rotation_order.h"

#include "core/base/sentence.h"

#include <algorithm>

namespace vqscope {
namespace {

constexpr const char* quantise_first = "quantise_first";
constexpr const char* clipped = "quantise_first_clipped";

}  // namespace

ParameterSpec rotation_order_parameter(const std::string& group, const std::vector<Relevance>& relevant) {
  ParameterSpec spec = make_parameter(
      "rotation_order", group, "Whether keys are rotated before or after codewords replace them.",
      {.default_value = std::string("rotate_first"),
       .choices = {{"rotate_first", "codewords replace rotated keys, as of the KV cache of a RoPE model"},
                   {quantise_first,
                    "codewords replace unrotated keys and are rotated at each key's position; the "
                    "linear form is refused"},
                   {clipped,
                    "the same, with distances beyond block_len counted as block_len (ReRoPE), so that the "
                    "linear form is exact"}},
       .relevant = relevant});
  Relevance rotated{"rope_type", {}};
  for (const RopeType& type : rope_types()) rotated.values.push_back(type.id);
  spec.relevant.push_back(std::move(rotated));
  return spec;
}

RotationOrder rotation_order_of(const ParameterValues& values) {
  const auto *type = values.find("rope_type"), *order = values.find("rotation_order");
  if (!type || !order || std::get<std::string>(*type) == "none") return RotationOrder::rotate_first;
  const auto& id = std::get<std::string>(*order);
  if (id == quantise_first) return RotationOrder::quantise_first;
  return id == clipped ? RotationOrder::quantise_first_clipped : RotationOrder::rotate_first;
}

/// Rotation at position 0 multiplies by the attention factor of the keys, which stay as they are.
std::vector<float> far_queries(const Rotation& rotation, std::span<const float> queries, Index width, Index clip,
                               const std::stop_token& stop) {
  const auto size = static_cast<std::size_t>(width);
  std::vector<double> row(size), turned(size);
  std::vector<float> far(queries.size());
  for (std::size_t begin = 0; begin < queries.size() && !stop.stop_requested(); begin += size) {
    std::ranges::copy(queries.subspan(begin, size), row.begin());
    rotation.apply(row, clip, turned);
    rotation.apply(turned, 0, row);
    for (std::size_t i = 0; i < size; ++i) far[begin + i] = static_cast<float>(row[i]);
  }
  return far;
}

Result<void> check_linear_order(RotationOrder order) {
  if (order != RotationOrder::quantise_first) return {};
  return invalid(
      "form is linear, but with rotation_order = quantise_first the score of a codeword depends on the position of its "
      "key: form must be quadratic, or rotation_order rotate_first or quantise_first_clipped");
}

std::string rotation_order_sentence(RotationOrder order, Index block_len) {
  switch (order) {
    case RotationOrder::rotate_first: return "codewords replace rotated keys: the linear form is exact";
    case RotationOrder::quantise_first:
      return "codewords are rotated at the positions of their keys: only the quadratic form computes them";
    case RotationOrder::quantise_first_clipped: break;
  }
  return fmt::format("codewords are rotated by distances of at most {} tokens: the linear form is exact", block_len);
}

}  // namespace vqscope
