// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/method/qkv/head_tensor.h"

#include "core/base/sentence.h"

#include <algorithm>
#include <cmath>

namespace vqscope {
namespace {

/// One index of a dimension.
StoredTensor slice_of(StoredTensor tensor, std::size_t dimension, Index index) {
  NpyHeader& header = tensor.header;
  const auto at = static_cast<std::ptrdiff_t>(dimension);
  header.strides = strides_of(header);
  header.fortran = false;
  header.data_offset += header.strides[dimension] * static_cast<std::uint64_t>(index * header.dtype.bytes);
  header.strides.erase(header.strides.begin() + at);
  header.shape.erase(header.shape.begin() + at);
  tensor.shape = header.shape;
  return tensor;
}

}  // namespace

Result<HeadTensor> HeadTensor::find(const std::string& parameter, const std::string& text) {
  auto stored = open_tensor(text);
  if (!stored) return invalid("{}: {}", parameter, stored.error().message);
  if (stored->shape.size() == 1) stored->shape.push_back(1);
  HeadTensor tensor(fmt::format("{} = {}", parameter, shortened(text, 120)), std::move(*stored));
  const std::size_t rank = tensor.m_stored.shape.size();
  if (rank == 2 || rank == 3) return tensor;
  return invalid(
      "{} but must be [T, d], [heads, T, d] or [T, heads, d]; FILE:NAME[0] selects from the leading dimensions",
      tensor.shown());
}

Result<std::vector<float>> HeadTensor::read(HeadLayout layout, Index head, const std::stop_token& stop) const {
  const std::size_t dimension = layout == HeadLayout::heads_first ? 0 : 1;
  auto numbers = read_tensor(has_heads() ? slice_of(m_stored, dimension, head) : m_stored, stop);
  if (!numbers) return numbers.error().code == Errc::cancelled ? numbers.error() : within(m_title, numbers.error());
  const auto odd = std::ranges::find_if(*numbers, [](float x) { return !std::isfinite(x); });
  if (odd == numbers->end()) return numbers;
  const auto at = static_cast<Index>(odd - numbers->begin());
  return invalid("{} has {} at {}row {}, column {} but must be finite", m_title, to_text(*odd),
                 has_heads() ? fmt::format("head {}, ", head) : std::string(), at / cols(), at % cols());
}

Result<ChosenHead> choose_head(const std::vector<const HeadTensor*>& qkv, const ParameterValues& values,
                               bool fewer_queries) {
  std::vector<NamedShape> shapes;
  for (const HeadTensor* each : qkv) shapes.push_back(each->shape());
  const auto* wanted = values.find("tensor_layout");
  const auto layout = choose_layout(shapes, wanted ? std::get<std::string>(*wanted) : "automatic", fewer_queries);
  if (!layout) return layout.error();
  ChosenHead chosen{.layout = *layout};
  const HeadTensor& first = *qkv.front();
  if (std::ranges::none_of(qkv, [](const HeadTensor* each) { return each->has_heads(); })) return chosen;
  chosen.heads = first.heads(layout->layout);
  const auto* queries = values.find("num_heads");
  if (first.title().starts_with("k_tensor") && queries && std::get<Index>(*queries) > 0)
    chosen.heads = std::get<Index>(*queries);  // the queries themselves are not read
  if (qkv.size() > 1) chosen.kv_heads = qkv[1]->heads(layout->layout);
  for (const HeadTensor* each : qkv)
    if (const Index some = each->heads(layout->layout); some < 1 || chosen.heads % some != 0)
      return invalid("{}, {}: several heads of q can share one of k and v, {} and {} heads cannot", first.shown(),
                     each->shown(), chosen.heads, some);
  if (const auto* head = values.find("head")) chosen.head = std::max<Index>(std::get<Index>(*head), 0);
  if (chosen.head < chosen.heads) return chosen;
  return invalid("head is {}, {}: head must be 0 to {}", chosen.head, first.shown(), chosen.heads - 1);
}

std::string head_sentence(const HeadTensor& q, const ChosenHead& chosen) {
  if (chosen.heads == 0) return {};
  std::string text = layout_sentence(q.shape(), chosen.layout);
  if (text.empty()) text = q.shown();
  return fmt::format("{}; head {} of {} is used", text, chosen.head, chosen.heads);
}

std::vector<ParameterSpec> head_parameters(const std::string& group, const std::vector<Relevance>& relevant) {
  return {make_parameter("head", group, "Head of the tensors, from 0; several heads of q can share one of k and v.",
                         {.default_value = Index{0}, .minimum = 0, .maximum = 1023, .relevant = relevant}),
          tensor_layout_parameter(group, relevant)};
}

}  // namespace vqscope
