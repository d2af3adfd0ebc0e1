// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/io/tensor/tensor_file.h"
#include "core/mask/import/dump_mask.h"

#include <memory>
#include <stop_token>

namespace vqscope {

/// What the numbers of a dump are.
enum class DumpKind {
  boolean,         ///< the file's own bool
  zero_one,        ///< 0 and one other whole number
  zero_one_float,  ///< 0.0 and 1.0: scaled_dot_product_attention would add it, not mask with it
  additive,        ///< 0 and very negative numbers or -inf
  bias,            ///< other numbers too: a threshold tells masked from biased
  image,           ///< black and white
};

/// Which cells of a boolean, 0/1 or image dump are visible; additive dumps have 0 visible always.
enum class DumpPolarity { visible_true, masked_true };

/// How a dump was read, for a person to confirm or to override.
struct DumpReading {
  DumpKind kind = DumpKind::boolean;
  DumpPolarity polarity = DumpPolarity::visible_true;
  double threshold = 0;  ///< of additive and bias: a cell is visible when its value is above
  std::string why;       ///< a sentence: kind, polarity and what they were concluded from
  std::vector<std::string> warnings;
};

struct DumpOptions {
  Index batch = 0;                       ///< of an array [batch, head, q, kv] or [batch, q, kv]
  Index head = 0;                        ///< of an array [batch, head, q, kv] or [head, q, kv]
  Index q_length = 0;                    ///< of an array whose one row is meant for all queries: how many; 0: one
  std::optional<DumpPolarity> polarity;  ///< overrides the detected one
  std::optional<double> threshold;       ///< overrides that of additive and bias
  std::uint64_t most_intervals = std::uint64_t{1} << 25;  ///< a quarter of a GiB
  std::stop_token stop;
};

struct MaskDump {
  std::shared_ptr<const DumpMask> mask;
  DumpReading reading;
  std::vector<Index> leading = {};  ///< sizes of the array's dimensions before q and kv
};

/// An NPY file: [q, kv], [batch or head, q, kv] or [batch, head, q, kv]; a leading dimension of 1 serves every index.
Result<MaskDump> read_npy_dump(const ByteSource& source, const DumpOptions& options = {});

/// The same of a tensor in a .npz or .safetensors file, or in .npy, of any dtype; `name.leading` picks within the
/// dimensions before those that `options` picks within. Errors name the file and the tensor.
Result<MaskDump> read_tensor_dump(std::shared_ptr<const ByteSource> file, const TensorName& name,
                                  const DumpOptions& options = {});

/// 0/1, true/false or additive values between commas, semicolons, tabs or blanks. A first line that does not begin with
/// a number is a header; after the header cell `query\key`, or an empty one, so is the first column. Errors name line
/// and column.
Result<MaskDump> read_csv_dump(std::string_view text, const DumpOptions& options = {});

/// Row-major grey values, rows x cols of them; 128 and up is white. visible_true means that white is visible.
Result<MaskDump> read_image_dump(std::span<const std::uint8_t> grey, Extent extent, const DumpOptions& options = {});

}  // namespace vqscope
