// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/capture/rope/rope_file.h"

#include "core/base/sentence.h"
#include "core/io/bytes/file_source.h"
#include "core/io/tensor/tensor_file.h"
#include "core/io/tensor/tensor_list.h"
#include "core/method/shared/number_type.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace vqscope {
namespace {

constexpr std::uint64_t most_numbers = std::uint64_t{1} << 28;

struct ReadTensor {
  std::string name;
  std::vector<Index> shape;
  std::vector<float> values;
  double unit = 0;
};

/// The file with what it lists.
struct RopeFile {
  std::string path;
  std::shared_ptr<const ByteSource> bytes;
  std::vector<ListedTensor> tensors;
  std::uint64_t numbers = 0;  ///< read so far

  bool has(std::string_view name) const {
    return std::any_of(tensors.begin(), tensors.end(), [name](const ListedTensor& each) { return each.name == name; });
  }

  Result<ReadTensor> read(const std::string& name) {
    const auto stored = find_tensor(bytes, {path, name, {}});
    if (!stored) return stored.error();
    ReadTensor tensor{name, stored->shape, {}, 0};
    numbers += stored->header.count();
    if (numbers > most_numbers)
      return too_large("{}: the tensors have {} numbers or more but at most {} are read", path, numbers, most_numbers);
    auto values = read_tensor(*stored);
    if (!values) return values.error();
    tensor.values = std::move(*values);
    for (const float value : tensor.values)
      if (!std::isfinite(value)) return invalid("{}: {} has a number that is not finite", path, name);
    const std::string dtype = stored->header.dtype.name();
    tensor.unit = number_type(dtype == "bfloat16" || dtype == "float16" ? dtype : "float32").unit();
    return tensor;
  }
};

/// One way to read the axes of a tensor, all in elements.
struct AxesOfRows {
  Index rows = 0, heads = 1, dims = 0;
  Index row_stride = 0, head_stride = 0;
};

/// Of a sample: its last axis is that of the columns; the axis of the rows comes first or second.
std::vector<AxesOfRows> axes_of(std::span<const Index> shape) {
  const Index dims = shape.back();
  if (shape.size() == 2) return {{shape[0], 1, dims, dims, 0}};
  const Index a = shape[0], b = shape[1];
  return {{b, a, dims, dims, b * dims}, {a, b, dims, b * dims, dims}};
}

struct SamplePair {
  std::string name;
  std::vector<Index> shape;  ///< without the batch
  std::span<const float> before, after;
  double unit = 0;
};

RotatedVectors arranged(const SamplePair& pair, const AxesOfRows& axes) {
  const auto size = static_cast<std::size_t>(axes.rows * axes.heads * axes.dims);
  RotatedVectors vectors{pair.name, axes.rows, axes.heads, axes.dims, {}, {}, pair.unit};
  vectors.before.reserve(size);
  vectors.after.reserve(size);
  for (Index row = 0; row < axes.rows; ++row)
    for (Index head = 0; head < axes.heads; ++head) {
      const auto at = static_cast<std::ptrdiff_t>(row * axes.row_stride + head * axes.head_stride);
      vectors.before.insert(vectors.before.end(), pair.before.begin() + at, pair.before.begin() + at + axes.dims);
      vectors.after.insert(vectors.after.end(), pair.after.begin() + at, pair.after.begin() + at + axes.dims);
    }
  return vectors;
}

/// Some rows and heads, from first to last.
AxesOfRows spread(AxesOfRows axes) {
  constexpr Index most_of_rows = 256, most_of_heads = 16;
  const Index rows = std::min(axes.rows, most_of_rows), heads = std::min(axes.heads, most_of_heads);
  axes.row_stride *= axes.rows / rows;
  axes.head_stride *= axes.heads / heads;
  axes.rows = rows, axes.heads = heads;
  return axes;
}

/// Rows first, by the order of axes under which a rotation explains some of the rows best.
Result<WhichRope> by_best_order(const std::vector<SamplePair>& pairs) {
  const auto arranged_by = [&](const std::vector<AxesOfRows>& axes) {
    std::vector<RotatedVectors> all;
    for (std::size_t i = 0; i < pairs.size(); ++i) all.push_back(arranged(pairs[i], axes[i]));
    return all;
  };
  std::vector<AxesOfRows> best;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t order = 0; order < 2; ++order) {
    std::vector<AxesOfRows> axes, some;
    for (const SamplePair& pair : pairs)
      if (const auto all = axes_of(pair.shape); order < all.size())
        axes.push_back(all[order]), some.push_back(spread(all[order]));
    if (axes.size() != pairs.size() || axes.front().rows < 2) continue;
    if (std::ranges::any_of(
            axes, [&](const auto& each) { return each.rows != axes.front().rows || each.dims != axes.front().dims; }))
      continue;
    if (auto fits = check_rope_extent(spread(axes.front()).rows, axes.front().dims); !fits) return fits.error();
    const double left = share_left(arranged_by(some));
    if (best.empty() || left < least) best = std::move(axes), least = left;
  }
  if (best.empty())
    return invalid("no axis has the rows: {} and the others need the same number of rows, 2 or more",
                   pairs.front().name);
  return which_rope(arranged_by(best));
}

Result<SamplePair> sample_of(const std::string& path, const ReadTensor& before, const ReadTensor& after, Index batch) {
  if (before.shape != after.shape) return invalid("{}: {} has another shape than {}", path, after.name, before.name);
  if (before.shape.size() < 2 || before.shape.size() > 4)
    return invalid("{}: {} has {} axes but must have 2 to 4: [T, d] to [B, H, T, d]", path, before.name,
                   before.shape.size());
  std::vector<Index> shape = before.shape;
  std::size_t offset = 0;
  Index samples = 1;
  if (shape.size() == 4) {
    samples = shape.front();
    shape.erase(shape.begin());
  }
  if (batch >= samples)
    return invalid("--batch is {} but {} has {} {}", batch, before.name, samples, samples == 1 ? "sample" : "samples");
  const std::size_t size = before.values.size() / static_cast<std::size_t>(samples);
  if (size == 0) return invalid("{}: {} is empty", path, before.name);
  offset = static_cast<std::size_t>(batch) * size;
  return SamplePair{before.name, shape, std::span(before.values).subspan(offset, size),
                    std::span(after.values).subspan(offset, size), after.unit};
}

Result<WhichRope> of_tables(RopeFile& file, const std::string& cos_name, const std::string& sin_name, Index batch) {
  const auto cos = file.read(cos_name);
  if (!cos) return cos.error();
  const auto sin = file.read(sin_name);
  if (!sin) return sin.error();
  if (cos->shape != sin->shape || cos->shape.size() < 2)
    return invalid("{}: {} and {} must have the same shape, [T, r] or [T, r / 2]", file.path, cos_name, sin_name);
  const Index cols = cos->shape.back(), rows = cos->shape[cos->shape.size() - 2];
  if (rows < 2 || cols < 1) return invalid("{}: {} has {} rows but must have 2 or more", file.path, cos_name, rows);
  const auto size = static_cast<std::size_t>(rows * cols);
  const auto samples = static_cast<Index>(cos->values.size() / size);
  if (batch >= samples)
    return invalid("--batch is {} but {} has {} {}", batch, cos_name, samples, samples == 1 ? "table" : "tables");
  const auto at = static_cast<std::size_t>(batch) * size;
  const auto tables = tables_of(std::span(cos->values).subspan(at, size), std::span(sin->values).subspan(at, size),
                                rows, cols, std::max(cos->unit, sin->unit));
  return tables ? which_rope(*tables) : tables.error();
}

}  // namespace

Result<WhichRope> which_rope_of_file(const std::string& path, const RopeTensorNames& names, Index batch) {
  const auto bytes = open_file(path);
  if (!bytes) return bytes.error();
  const auto tensors = list_tensors(*bytes, path);
  if (!tensors) return tensors.error();
  RopeFile file{path, *bytes, *tensors};
  if (!names.cos.empty()) return of_tables(file, names.cos, names.sin, batch);
  std::vector<std::pair<std::string, std::string>> wanted;
  if (!names.before.empty())
    wanted.emplace_back(names.before, names.after);
  else
    for (const char* name : {"q", "k"})
      if (file.has(name) && file.has(std::string(name) + "_rot")) wanted.emplace_back(name, std::string(name) + "_rot");
  if (wanted.empty() && file.has("cos") && file.has("sin")) return of_tables(file, "cos", "sin", batch);
  if (wanted.empty())
    return invalid(
        "{}: neither q with q_rot, k with k_rot nor cos with sin is there; name two tensors by --before and --after, "
        "or --cos and --sin. It holds {}",
        path, listed_text(*tensors, 160));
  std::vector<ReadTensor> read;
  for (const auto& [before, after] : wanted)
    for (const std::string& name : {before, after}) {
      auto tensor = file.read(name);
      if (!tensor) return tensor.error();
      read.push_back(std::move(*tensor));
    }
  std::vector<SamplePair> pairs;
  for (std::size_t i = 0; i < read.size(); i += 2) {
    auto pair = sample_of(path, read[i], read[i + 1], batch);
    if (!pair) return pair.error();
    pairs.push_back(std::move(*pair));
  }
  return by_best_order(pairs);
}

}  // namespace vqscope
