// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/torch/torch_dtype.h"

#include "core/base/sentence.h"

#include <array>

namespace vqscope {
namespace {

struct Row {
  std::string_view name;
  std::string_view storage;  ///< without "Storage"
  std::string_view alias;
  std::optional<NpyDtype> known;
  int bytes = 1;  ///< of a dtype that is not read
};

const std::array<Row, 22>& rows() {
  using enum NpyKind;
  static const std::array<Row, 22> all{{{"bool", "Bool", "", NpyDtype{boolean, 1}},
                                        {"uint8", "Byte", "", NpyDtype{unsigned_integer, 1}},
                                        {"int8", "Char", "", NpyDtype{signed_integer, 1}},
                                        {"int16", "Short", "short", NpyDtype{signed_integer, 2}},
                                        {"int32", "Int", "int", NpyDtype{signed_integer, 4}},
                                        {"int64", "Long", "long", NpyDtype{signed_integer, 8}},
                                        {"uint16", "", "", NpyDtype{unsigned_integer, 2}},
                                        {"uint32", "", "", NpyDtype{unsigned_integer, 4}},
                                        {"uint64", "", "", NpyDtype{unsigned_integer, 8}},
                                        {"float16", "Half", "half", NpyDtype{real, 2}},
                                        {"bfloat16", "BFloat16", "", NpyDtype{brain, 2}},
                                        {"float32", "Float", "float", NpyDtype{real, 4}},
                                        {"float64", "Double", "double", NpyDtype{real, 8}},
                                        {"complex32", "ComplexHalf", "chalf", {}, 4},
                                        {"complex64", "ComplexFloat", "cfloat", {}, 8},
                                        {"complex128", "ComplexDouble", "cdouble", {}, 16},
                                        {"quint8", "QUInt8", "", {}},
                                        {"qint8", "QInt8", "", {}},
                                        {"qint32", "QInt32", "", {}, 4},
                                        {"quint4x2", "QUInt4x2", "", {}},
                                        {"quint2x4", "QUInt2x4", "", {}},
                                        {"uint8", "Untyped", "", NpyDtype{unsigned_integer, 1}}}};
  return all;
}

}  // namespace

std::optional<TorchDtype> torch_dtype(std::string_view full_name) {
  constexpr std::string_view storage = "Storage";
  std::string_view name = full_name.substr(full_name.rfind('.') + 1);
  if (name.starts_with('_')) name.remove_prefix(1);
  const bool is_storage = name.ends_with(storage);
  if (is_storage) name.remove_suffix(storage.size());
  for (const Row& row : rows())
    if (!name.empty() && (is_storage ? row.storage == name : row.name == name || row.alias == name))
      return TorchDtype{std::string(row.name), row.known};
  const bool is_dtype = full_name.starts_with("torch.") && full_name.rfind('.') == 5 && name.size() > 3;
  const bool has_digit = name.find_first_of("0123456789") != std::string_view::npos;
  return is_dtype && has_digit ? std::optional(TorchDtype{std::string(name), std::nullopt}) : std::nullopt;
}

int element_bytes(const TorchDtype& dtype) {
  if (dtype.known) return dtype.known->bytes;
  for (const Row& row : rows())
    if (row.name == dtype.name) return row.bytes;
  return 1;
}

TorchDtype array_dtype(std::string_view code, char order) {
  const char kind = code.empty() ? '?' : code[0];
  const auto bytes = parse_index(code.substr(std::min<std::size_t>(1, code.size()))).value_or(0);
  const bool big = order == '>';
  const auto known = [&](NpyKind of) {
    const NpyDtype dtype{of, static_cast<int>(bytes), big};
    return TorchDtype{dtype.name(), dtype};
  };
  const bool whole = bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8;
  if (code == "b1") return known(NpyKind::boolean);
  if (kind == 'i' && whole) return known(NpyKind::signed_integer);
  if (kind == 'u' && whole) return known(NpyKind::unsigned_integer);
  if (kind == 'f' && whole && bytes > 1) return known(NpyKind::real);
  switch (kind) {
    case 'c': return {bytes > 0 && bytes <= 32 ? "complex" + to_text(8 * bytes) : "complex", {}};
    case 'O': return {"object", {}};
    case 'U':
    case 'S': return {"str", {}};
    case 'M': return {"datetime64", {}};
    case 'm': return {"timedelta64", {}};
    case 'V': return {"structured", {}};
    default: return {shortened(code, 20), {}};
  }
}

Error unread_dtype(std::string_view title, std::string_view dtype) {
  return invalid(
      "{} has dtype {}, which cannot be read; must be bool, int8 to int64, uint8 to uint64, float16, bfloat16, float32 "
      "or float64",
      title, shortened(dtype, 40));
}

}  // namespace vqscope
