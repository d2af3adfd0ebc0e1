// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/field/field.h"
#include "core/method/coming_curves.h"
#include "core/method/curve_set.h"
#include "core/method/method.h"

#include <memory>
#include <optional>
#include <string>
#include <variant>

namespace vqscope {

/// A mask as numbers that are added to scores: 0 where a cell is visible.
struct AdditiveNpy {
  float masked = 0;
  bool float16 = false;  ///< else float32; `masked` is then -65504
};

/// How NPY holds a matrix.
struct NpyForm {
  bool flat = false;     ///< one dimension, row by row
  bool float32 = false;  ///< whatever the cells are
  std::optional<AdditiveNpy> additive = {};
};

/// An export request: a method with its values, and for a matrix an optional block.
struct ExportJob {
  const Method* method = nullptr;
  ParameterValues values;
  std::optional<Rect> cells;
  std::optional<ParameterValues> minus;              ///< of a matrix to subtract
  std::shared_ptr<const Field> field = nullptr;      ///< for these values and `minus`; null: made
  std::shared_ptr<const CurveSet> curves = nullptr;  ///< for these values; null: made
  ComingCurves coming = nullptr;                     ///< for these values, unless there are `curves`; empty: made
  std::optional<std::string> remark = std::nullopt;  ///< for these values; nothing: made
  NpyForm npy = {};
};

/// [rows, cols] of a field, row-major.
struct FieldBlock {
  std::shared_ptr<const Field> field;
  Rect cells;
};

/// A checked job, ready to be written.
struct Numbers {
  const Method* method = nullptr;
  ParameterValues values;
  std::optional<ParameterValues> minus;
  std::variant<FieldBlock, CurveSet> data;
  std::string remark = {};  ///< of the method on the values; empty for a difference
  NpyForm npy = {};

  const FieldBlock* block() const { return std::get_if<FieldBlock>(&data); }
  const CurveSet* curves() const { return std::get_if<CurveSet>(&data); }
};

/// Checks the values (not those of a field that is passed in) and the block. The error for a block
/// beyond the matrix names the size of the matrix.
Result<Numbers> make_numbers(const ExportJob& job, const Work& work = {});

/// Missing ranges are the whole side; empty ranges and those beyond `extent` are refused.
Result<Rect> block_within(const Extent& extent, std::optional<Range> rows, std::optional<Range> cols);

}  // namespace vqscope
