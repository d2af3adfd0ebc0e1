// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/torch/number_list.h"

#include "core/io/bytes/part_source.h"

#include <algorithm>
#include <bit>

namespace vqscope {
namespace {

constexpr std::size_t most_list_dimensions = 4;

bool is_list(const PickleValue& value) { return value.kind == PickleKind::list || value.kind == PickleKind::tuple; }

/// Collects the numbers of lists within lists.
class NumberWalk {
 public:
  NumberWalk(const Pickle& pickle, std::size_t budget) : m_pickle(pickle), m_budget(budget) {}

  /// False if the value is something else.
  bool walk(PickleRef ref, std::size_t depth) {
    const PickleValue& value = m_pickle[ref];
    if (m_budget == 0) return false;
    --m_budget;
    if (!is_list(value)) return take(value, depth);
    if (depth == most_list_dimensions || (value.count == 0 && depth == 0)) return false;
    const Index size = value.count;
    if (depth == shape.size() && m_depth == 0) shape.push_back(size);
    if (depth >= shape.size()) return false;
    is_ragged = is_ragged || shape[depth] != size;
    return std::ranges::all_of(m_pickle.items(ref), [&](PickleRef item) { return walk(item, depth + 1); });
  }

  std::size_t budget() const { return m_budget; }

  std::vector<Index> shape;
  std::vector<const PickleValue*> numbers;
  bool is_real = false;
  bool is_boolean = true;
  bool is_ragged = false;

 private:
  bool take(const PickleValue& value, std::size_t depth) {
    using enum PickleKind;
    if (value.kind != boolean && value.kind != whole && value.kind != real) return false;
    if (m_depth == 0) m_depth = depth;
    if (depth == 0 || depth != m_depth) return false;
    is_real = is_real || value.kind == real;
    is_boolean = is_boolean && value.kind == boolean;
    numbers.push_back(&value);
    return true;
  }

  const Pickle& m_pickle;
  std::size_t m_budget;
  std::size_t m_depth = 0;  ///< of the numbers
};

template <class T>
void append(T number, std::string& bytes) {
  static_assert(std::endian::native == std::endian::little);
  bytes.append(reinterpret_cast<const char*>(&number), sizeof(number));
}

}  // namespace

bool holds_numbers(const Pickle& pickle, PickleRef value, std::size_t& budget) {
  NumberWalk walk(pickle, budget);
  const bool holds = is_list(pickle[value]) && walk.walk(value, 0) && !walk.numbers.empty();
  budget = walk.budget();
  return holds;
}

std::optional<NumberList> number_list(const Pickle& pickle, PickleRef value) {
  NumberWalk walk(pickle, most_listed_numbers);
  if (!is_list(pickle[value]) || !walk.walk(value, 0) || walk.numbers.empty()) return std::nullopt;
  if (walk.is_ragged) return NumberList{};
  NpyHeader header{.dtype = {NpyKind::signed_integer, 8}, .shape = walk.shape};
  if (walk.is_real) header.dtype.kind = NpyKind::real;
  if (walk.is_boolean) header.dtype = {NpyKind::boolean, 1};
  std::string bytes;
  bytes.reserve(walk.numbers.size() * static_cast<std::size_t>(header.dtype.bytes));
  for (const PickleValue* number : walk.numbers) {
    if (walk.is_boolean)
      append(static_cast<char>(number->whole), bytes);
    else if (walk.is_real)
      append(number->kind == PickleKind::real ? number->real() : static_cast<double>(number->whole), bytes);
    else
      append(number->whole, bytes);
  }
  return NumberList{std::make_shared<OwnedSource>(std::move(bytes)), std::move(header)};
}

}  // namespace vqscope
