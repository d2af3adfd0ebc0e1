// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/io/npy/npy_runs.h"
#include "core/mask/import/imported_mask.h"

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace vqscope {

/// Kind of the numbers of an imported mask.
enum class ImportedKind {
  boolean,         ///< the file's own bool
  zero_one,        ///< 0 and one other whole number
  zero_one_float,  ///< 0.0 and 1.0: scaled_dot_product_attention would add it, not mask with it
  additive,        ///< 0 and very negative numbers or -inf
  bias,            ///< other numbers too: a threshold separates masked from biased
  image,           ///< black and white
};

/// Which cells of an imported mask of booleans, of 0 and 1 or of an image are visible; of additive
/// numbers always 0.
enum class ImportedPolarity { visible_true, masked_true };

/// Kind of numbers that a source can hold, before any is read.
enum class ImportedCells { boolean, whole, real, text, grey };

/// Source of the polarity.
enum class PolaritySource {
  stated,   ///< by the user
  guessed,  ///< from the cells
  unknown,  ///< the cells give no evidence: true is taken for visible
};

/// How an imported mask was read, for the user to confirm or override.
struct ImportedReading {
  ImportedCells cells = ImportedCells::boolean;
  ImportedKind kind = ImportedKind::boolean;
  ImportedPolarity polarity = ImportedPolarity::visible_true;
  PolaritySource decided = PolaritySource::unknown;  ///< of the polarity; unknown for additive imported masks
  std::string evidence;                              ///< of a guess: "no key after its query is true"
  double threshold = 0;  ///< of additive and bias: a cell is visible when its value is above
  std::string what;      ///< the kind: "whole numbers, 0 and 1"
  std::string why;       ///< a sentence: kind, polarity and what they were concluded from
  std::vector<std::string> warnings;
};

struct ImportOptions {
  std::optional<Index> batch;                ///< of an array [batch, head, q, kv] or [batch, q, kv]; nothing: the first
  std::optional<Index> head;                 ///< of an array [batch, head, q, kv] or [head, q, kv]; nothing: the first
  Index q_length = 0;                        ///< of an array whose one row is meant for all queries: how many; 0: one
  std::optional<ImportedPolarity> polarity;  ///< overrides the detected one
  std::optional<double> threshold;           ///< overrides that of additive and bias
  /// Intervals, and runs of equal rows, of the masks that are kept at a time: a quarter of a GiB.
  std::uint64_t most_intervals = std::uint64_t{1} << 25;
  std::stop_token stop;
};

struct ReadMask {
  std::shared_ptr<const ImportedMask> mask;
  ImportedReading reading;
  std::vector<Index> leading = {};  ///< sizes of the array's dimensions before q and kv
  Index stored_rows = 0;            ///< of the array: 1 where one row serves all queries
};

/// An imported mask's cells, row by row; can be read repeatedly.
struct ImportedRows {
  ImportedCells cells = ImportedCells::real;
  Extent extent;
  /// Calls visit(row, runs) for each row in order until it fails.
  std::function<Result<void>(const std::function<Result<void>(Index, std::span<const ValueRun>)>& visit)> each;
};

/// Reads all cells to find their kind, then again to keep the visible intervals if they have too
/// many runs to be kept meanwhile: memory grows with the intervals, not with the cells.
Result<ReadMask> read_mask_rows(const ImportedRows& rows, const ImportOptions& options);

/// An imported mask of a file with several masks, read with the kind and the polarity that the
/// file's masks together show: a guess with their `evidence`. Warns if the imported mask's own
/// cells show the opposite.
ReadMask read_as(const ReadMask& imported, const ImportedReading& of_the_file, const std::string& evidence);

}  // namespace vqscope
