// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/import/json_cells.h"

#include "core/base/sentence.h"
#include "core/base/text.h"
#include "core/io/bytes/part_source.h"
#include "core/io/json/json_reader.h"
#include "core/io/npy/npy_writer.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

namespace vqscope {
namespace {

/// A truth value takes about a hundred bytes while the text is read.
constexpr std::size_t largest_json_mask = std::size_t{1} << 24;

constexpr double exact_integers = 0x1p53;  // up to here, a double is the integer itself

/// Whether the text may have such a member: most other JSON texts need not be parsed.
bool may_have_mask(std::string_view text, std::string_view name) {
  const auto has = [&](std::string_view key) {
    return text.find(fmt::format("\"{}\"", key)) != std::string_view::npos;
  };
  if (!name.empty()) return has(name);
  return trimmed(text).starts_with('[') || has("mask") || has("attn_mask");
}

/// The member that is the mask; null: there is none.
const ConfigValue* mask_in(const ConfigValue& json, std::string_view name) {
  if (!json.object()) return name.empty() ? &json : nullptr;
  if (!name.empty()) return json.find(name);
  for (const char* usual : {"mask", "attn_mask"})
    if (const ConfigValue* found = json.find(usual)) return found;
  return nullptr;
}

/// Collects the cells of nested lists of one shape.
class JsonCells {
 public:
  Result<void> take(const ConfigValue& value, std::size_t depth) {
    if (const auto* list = value.list()) {
      if (auto fits = take_size(list->size(), depth); !fits) return fits;
      for (const ConfigValue& each : *list)
        if (auto taken = take(each, depth + 1); !taken) return taken;
      return {};
    }
    if (const auto* integers = value.integers()) return take_numbers(*integers, depth);
    if (const auto* reals = value.reals()) {
      m_whole = false;
      return take_numbers(*reals, depth);
    }
    return take_cell(value, depth);
  }

  std::string npy() const {
    std::string bytes = npy_header(m_true_or_false ? "|b1" : m_whole ? "<i8" : "<f8", m_shape);
    for (const double cell : m_cells)
      if (m_true_or_false)
        bytes += static_cast<char>(cell != 0);
      else
        append(m_whole ? static_cast<std::uint64_t>(static_cast<Index>(cell)) : std::bit_cast<std::uint64_t>(cell),
               bytes);
    return bytes;
  }

  std::size_t dimensions() const { return m_shape.size(); }

 private:
  static void append(std::uint64_t number, std::string& bytes) {
    for (int shift = 0; shift < 64; shift += 8) bytes += static_cast<char>(number >> shift & 0xff);
  }

  Result<void> take_size(std::size_t size, std::size_t depth) {
    const auto length = static_cast<Index>(size);
    if (depth == m_shape.size() && m_cells.empty()) m_shape.push_back(length);
    if (depth >= m_shape.size()) return invalid("the lists are not nested alike");
    if (m_shape[depth] != length)
      return invalid("a list has {} items after one of {}; all rows must be alike", length, m_shape[depth]);
    return {};
  }

  template <class Number>
  Result<void> take_numbers(const std::vector<Number>& numbers, std::size_t depth) {
    if (auto fits = take_size(numbers.size(), depth); !fits) return fits;
    if (depth + 1 != m_shape.size()) return invalid("the lists are not nested alike");
    m_true_or_false = false;
    for (const Number number : numbers) add(static_cast<double>(number));
    return {};
  }

  Result<void> take_cell(const ConfigValue& value, std::size_t depth) {
    if (depth != m_shape.size()) return invalid("the lists are not nested alike");
    const auto* flag = value.boolean();
    const auto number = flag ? std::optional(*flag ? 1.0 : 0.0) : value.number();
    if (!number) return invalid("{} is {} but must be a number or a truth value", value.place.text(), value.shown());
    m_true_or_false = m_true_or_false && flag;
    m_whole = m_whole && (flag || value.integer());
    add(*number);
    return {};
  }

  void add(double cell) {
    m_whole = m_whole && std::abs(cell) <= exact_integers;
    m_cells.push_back(cell);
  }

  std::vector<Index> m_shape;
  std::vector<double> m_cells;
  bool m_true_or_false = true;
  bool m_whole = true;
};

}  // namespace

Result<std::shared_ptr<const ByteSource>> npy_of_json(const ByteSource& file, std::string_view name) {
  std::string text(static_cast<std::size_t>(std::min<std::uint64_t>(file.size(), largest_json_mask)), '\0');
  if (auto done = file.read(0, text); !done) return done.error();
  if (!may_have_mask(text, name)) return std::shared_ptr<const ByteSource>();
  if (file.size() > largest_json_mask)
    return too_large("the text has {}, more than the limit of {} for a mask in JSON; save it as .npz",
                     byte_count(static_cast<double>(file.size())), byte_count(static_cast<double>(largest_json_mask)));
  const auto json = read_json(text, {.most_bytes = largest_json_mask, .python_numbers = true, .packs_numbers = true});
  if (!json) return json.error();
  const ConfigValue* mask = mask_in(*json, name);
  const bool is_list = mask && (mask->list() || mask->integers() || mask->reals());
  if (!mask || (name.empty() && !is_list)) return std::shared_ptr<const ByteSource>();
  JsonCells cells;
  if (auto taken = cells.take(*mask, 0); !taken) return within("the mask", taken.error());
  if (cells.dimensions() < 2) return invalid("the mask is {} but must be lists of rows", mask->shown());
  return std::shared_ptr<const ByteSource>(std::make_shared<OwnedSource>(cells.npy()));
}

}  // namespace vqscope
