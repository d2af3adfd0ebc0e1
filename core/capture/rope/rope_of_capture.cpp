// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/capture/rope/rope_of_capture.h"

#include "core/base/sentence.h"
#include "core/base/text.h"
#include "core/capture/store/layer_tensor.h"
#include "core/io/bytes/path_text.h"

#include <algorithm>
#include <cmath>

namespace vqscope {
namespace {

constexpr Index most_read = Index{1} << 26;

/// A tensor of the layer, its axes as [B, heads, rows, columns]; `reading` counts those that fit.
class OpenedTensor {
 public:
  static Result<OpenedTensor> open(const Capture& capture, Index layer, TensorRole role, std::size_t reading = 0) {
    auto tensor = open_tensor(capture, layer, role, reading);
    if (!tensor) return tensor.error();
    return OpenedTensor{*capture.find(layer, role), std::move(**tensor)};
  }

  const std::array<Index, 4>& extent() const { return m_tensor.reading.extent; }
  double unit() const { return m_tensor.numbers.unit(); }
  /// Of so many rows as many as are read: all tell the same.
  Index heads_of(Index rows) const {
    return std::clamp<Index>(most_read / std::max<Index>(1, rows * extent()[3]), 1, extent()[1]);
  }

  /// The last rows of a sample as [rows, heads, columns], of so many heads.
  Result<std::vector<float>> last_rows(Index batch, Index rows, Index heads) const {
    const auto& [samples, all_heads, all, columns] = extent();
    if (batch >= samples)
      return invalid("--batch is {} but {} has {} {}", batch, shortened(m_stored.name), samples,
                     samples == 1 ? "sample" : "samples");
    if (rows > most_rope_rows || columns > most_rope_columns || rows * columns > most_read)
      return too_large("{}: {} has {} rows of {} columns, but a rotation is told from at most {} numbers, {} columns",
                       shown_path(m_stored.file), shortened(m_stored.name), rows, columns, most_read,
                       most_rope_columns);
    std::vector<float> by_heads(static_cast<std::size_t>(rows * heads * columns));
    const std::array<Range, 4> block{Range{batch, batch + 1}, {0, heads}, {all - rows, all}, {0, columns}};
    if (auto read = m_tensor.read(block, by_heads); !read) return read.error();
    if (!std::ranges::all_of(by_heads, [](float x) { return std::isfinite(x); }))
      return invalid("{}: {} has a number that is not finite", shown_path(m_stored.file), shortened(m_stored.name));
    std::vector<float> by_rows(by_heads.size());
    for (Index head = 0; head < heads; ++head)
      for (Index row = 0; row < rows; ++row)
        std::copy_n(by_heads.begin() + (head * rows + row) * columns, columns,
                    by_rows.begin() + (row * heads + head) * columns);
    return by_rows;
  }

 private:
  OpenedTensor(CapturedTensor stored, LayerTensor tensor) : m_stored(std::move(stored)), m_tensor(std::move(tensor)) {}

  CapturedTensor m_stored;
  LayerTensor m_tensor;
};

Result<RotatedVectors> rotated(const Capture& capture, Index layer, std::array<TensorRole, 2> roles, Index batch,
                               std::size_t reading) {
  const auto before = OpenedTensor::open(capture, layer, roles[0], reading);
  if (!before) return before.error();
  const auto after = OpenedTensor::open(capture, layer, roles[1], reading);
  if (!after) return after.error();
  const auto& [samples, heads, rows, columns] = before->extent();
  if (after->extent()[1] != heads || after->extent()[2] < rows || after->extent()[3] != columns)
    return invalid("layer {}: {} and {} have other heads, rows or columns", layer, name_of(roles[0]),
                   name_of(roles[1]));
  const Index read_heads = rows > most_rope_rows || columns > most_rope_columns ? 1 : before->heads_of(rows);
  RotatedVectors vectors{std::string(name_of(roles[0])), rows, read_heads, columns, {}, {}, after->unit()};
  if (rows < 2) return vectors;  // tells nothing
  for (const auto& [tensor, into] : {std::pair(&*before, &vectors.before), std::pair(&*after, &vectors.after)}) {
    auto read = tensor->last_rows(batch, rows, read_heads);
    if (!read) return read.error();
    *into = std::move(*read);
  }
  return vectors;
}

Result<WhichRope> of_tables(const Capture& capture, Index layer, Index batch) {
  const auto cos = OpenedTensor::open(capture, layer, TensorRole::cos);
  if (!cos) return cos.error();
  const auto sin = OpenedTensor::open(capture, layer, TensorRole::sin);
  if (!sin) return sin.error();
  const Index rows = cos->extent()[2], columns = cos->extent()[3];
  const Index sample = std::min(batch, cos->extent()[0] - 1);
  const auto cosines = cos->last_rows(sample, rows, 1);
  if (!cosines) return cosines.error();
  if (cos->extent() != sin->extent()) return invalid("layer {}: cos and sin must have the same shape", layer);
  const auto sines = sin->last_rows(sample, rows, 1);
  if (!sines) return sines.error();
  const auto tables = tables_of(*cosines, *sines, rows, columns, std::max(cos->unit(), sin->unit()));
  return tables ? which_rope(*tables) : tables.error();
}

}  // namespace

Result<WhichRope> which_rope_of_capture(const Capture& capture, Index layer, Index batch) {
  if (!capture.layers.contains(layer))
    return invalid("--layer is {} but must be one of the {} layers of {}, {} to {}", layer, capture.layers.size(),
                   capture.path, capture.layers.begin()->first, capture.layers.rbegin()->first);
  const auto has = [&](TensorRole role) { return capture.find(layer, role) != nullptr; };
  std::vector<std::vector<RotatedVectors>> readings;
  std::optional<Error> error;
  for (std::size_t reading = 0; reading < 2; ++reading) {
    std::vector<RotatedVectors> vectors;
    for (const auto roles :
         {std::array{TensorRole::q, TensorRole::q_rot}, std::array{TensorRole::k, TensorRole::k_rot}}) {
      if (!has(roles[0]) || !has(roles[1])) continue;
      auto next = rotated(capture, layer, roles, batch, reading);
      if (!next && !error) error = next.error();
      if (!next || next->rows < 2) continue;
      if (!vectors.empty() && (next->rows != vectors.front().rows || next->dims != vectors.front().dims)) continue;
      vectors.push_back(std::move(*next));
    }
    if (!vectors.empty()) readings.push_back(std::move(vectors));
  }
  if (!readings.empty()) return which_rope_of_readings(readings);
  if (error) return *error;
  if (has(TensorRole::cos) && has(TensorRole::sin)) return of_tables(capture, layer, batch);
  return invalid("layer {} of {} has neither q with q_rot, k with k_rot nor cos with sin, of 2 rows or more", layer,
                 capture.path);
}

}  // namespace vqscope
