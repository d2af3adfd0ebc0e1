// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/field/field.h"
#include "core/method/curve_set.h"
#include "core/method/method.h"

#include <memory>
#include <optional>
#include <string>
#include <variant>

namespace vqscope {

/// What a person asks for: a method with its values, and of a matrix perhaps a block alone.
struct ExportJob {
  const Method* method = nullptr;
  ParameterValues values;
  std::optional<Rect> cells;
  std::optional<ParameterValues> minus;              ///< of a matrix: subtract the one with these values
  std::shared_ptr<const Field> field = nullptr;      ///< of these values, the difference too; nothing: it is made
  std::shared_ptr<const CurveSet> curves = nullptr;  ///< of these values; nothing: they are made
  std::optional<std::string> remark = std::nullopt;  ///< of these values; nothing: it is asked for
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
  std::string remark = {};  ///< of the method on the values; none of a difference, of which it would be one side's

  const FieldBlock* block() const { return std::get_if<FieldBlock>(&data); }
  const CurveSet* curves() const { return std::get_if<CurveSet>(&data); }
};

/// The values and the block are checked, those of a field that is there already were; a block beyond the matrix gets a
/// sentence with the matrix's size.
Result<Numbers> make_numbers(const ExportJob& job, const Work& work = {});

/// Ranges that were not given are the whole side; empty ones and ones beyond `extent` are refused.
Result<Rect> block_within(const Extent& extent, std::optional<Range> rows, std::optional<Range> cols);

}  // namespace vqscope
