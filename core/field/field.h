// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"
#include "core/base/result.h"
#include "core/base/work.h"
#include "core/field/tile_grid.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace vqscope {

class BlockView;
class Mask;
struct PhaseMatrix;
struct RelativeFunction;

/// Cell (q, kv) is f(kv - (past_len + q)).
struct RelativeForm {
  const RelativeFunction* function = nullptr;
  Index past_len = 0;
};

/// The closed form of a field's cells, for callers that need not visit each cell: a function of
/// relative position, angles, whether a mask's keys are visible, the blocks of a mask. Nothing:
/// cells. Pointers live as long as the field.
using FieldForm =
    std::variant<std::monostate, RelativeForm, const PhaseMatrix*, std::shared_ptr<const Mask>, const BlockView*>;

/// How two values are subtracted.
enum class DifferenceKind {
  plain,   ///< a - b
  angular  ///< radians, wrapped to (-π, π]; means are directions
};

/// Type of a cell; also the dtype of its NPY file (bool, int32, float32).
enum class CellType { boolean, int32, float32 };

/// Destination of Field::read, row-major, exactly as long as the block has cells.
using CellSpan = std::variant<std::span<std::uint8_t>, std::span<std::int32_t>, std::span<float>, std::span<double>>;

/// Which planes a caller wants, how much work it allows, and how it stops it.
struct SummaryOptions {
  bool extremes = true;
  bool mean = true;
  bool reasons = false;  ///< for fields with reasons: the deciding reason of each tile
  /// A field without a closed form visits cells; above this number it samples each tile instead and
  /// marks the summary.
  Index max_cells = Index{1} << 22;
  /// Such a field fails with Errc::too_large instead, before it looks at a cell.
  bool exact_only = false;
  int threads = 1;
  std::stop_token stop;
};

/// Per tile of a tile grid, row-major. float32 is the picture's precision; numbers come from at()
/// and read(). Means and extremes leave NaN cells out; a tile of NaN alone is NaN.
struct Summary {
  Index rows = 0;
  Index cols = 0;
  bool exact = true;
  std::vector<float> min;
  std::vector<float> max;
  std::vector<float> mean;           ///< of a cyclic field: the direction of the mean vector, in the field's unit
  std::vector<float> coherence;      ///< of a cyclic field: its length, 1 = all alike, 0 = wrapped around
  std::vector<std::uint8_t> reason;  ///< index into Field::reasons(); 0 where nothing is masked

  /// Sizes the wanted planes, keeping their memory from the last frame.
  void shape(const TileGrid& grid, const SummaryOptions& options);
};

/// Numbers of cells by label, labels ascending.
using LabelCounts = std::vector<std::pair<std::int32_t, std::uint64_t>>;

/// A line across the picture at the cell border `at`: the trained length, a clamp.
struct Mark {
  enum class Axis { row, col };
  Axis axis = Axis::row;
  double at = 0;
  std::string label;
};

/// The report on one cell: a list of (name, value), then a reason with the numbers in it.
struct CellReport {
  std::vector<std::pair<std::string, std::string>> facts;
  std::string why;
};

/// A matrix that is computed, never stored. Immutable, so any thread may read it.
class Field {
 public:
  Field() = default;
  Field(const Field&) = delete;
  Field& operator=(const Field&) = delete;
  virtual ~Field() = default;

  virtual Extent extent() const = 0;
  virtual CellType cell_type() const = 0;

  /// The definition, readable beside the paper. Every fast path is tested against it.
  virtual double at(Index row, Index col) const = 0;

  /// All cells of a block, row-major, converted to the destination's type.
  virtual void read(const Rect& block, CellSpan out) const;

  /// Computes what all cells are made of, where there is such a thing and it is not there yet; at()
  /// and read() wait for it otherwise. Errors are Errc::cancelled and what memory is short of.
  virtual Result<void> prepare(const Work& work) const;

  /// Cost of at(), in units of a few operations: fewer cells are sampled if each is expensive.
  virtual double cell_cost() const { return 1; }

  /// For every tile the min, max and mean of all the cells in it: exact, or `out.exact` is false.
  /// Errors are Errc::cancelled and, with exact_only, Errc::too_large. By default it visits the
  /// cells.
  virtual Result<void> summarize(const TileGrid& grid, const SummaryOptions& options, Summary& out) const;

  /// Smallest and largest value that any cell can have, for colour scales that do not jump while
  /// panning.
  virtual std::pair<double, double> value_range() const = 0;

  /// A range that contains the values of many cells, where value_range() is a bound that no cell
  /// may reach; nothing: value_range() is tight. Takes a millisecond or two the first time.
  virtual std::optional<std::pair<double, double>> typical_range() const { return std::nullopt; }

  /// For a field of labels: how many cells of the block have each label, exactly, in a time that
  /// does not grow with the cells; false: there is no such way.
  virtual bool count_labels(const Rect& /*block*/, LabelCounts& /*out*/) const { return false; }

  virtual CellReport report(Index row, Index col) const;
  virtual std::vector<Mark> marks() const { return {}; }

  /// Names of the reasons that Summary::reason counts from 1; a mask's terms.
  virtual std::vector<std::string> reasons() const { return {}; }

  /// Single numbers of the whole matrix, as ("sparsity", 0.5), which JSON files hold beside the
  /// values; none once a stop is requested.
  virtual std::vector<std::pair<std::string, double>> facts(const std::stop_token& /*stop*/) const { return {}; }

  virtual FieldForm form() const { return {}; }

  /// The closed form of this minus `other`, cell by cell, or nothing where there is none. Both have
  /// the same extent.
  virtual std::shared_ptr<const Field> minus(const Field& /*other*/, DifferenceKind /*kind*/) const { return nullptr; }

  /// The mask over queries and keys that the field shows, which lives as long as the field; null of
  /// other fields.
  virtual const Mask* mask() const { return nullptr; }
};

}  // namespace vqscope
