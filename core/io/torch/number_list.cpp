// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/torch/number_list.h"

#include "core/io/bytes/part_source.h"

#include <bit>

namespace vqscope {
namespace {

constexpr std::size_t most_list_dimensions = 4;
constexpr std::size_t most_list_numbers = std::size_t{1} << 20;

bool is_list(const PickleValue& value) { return value.kind == PickleKind::list || value.kind == PickleKind::tuple; }

/// Collects the numbers of lists within lists.
class NumberWalk {
 public:
  explicit NumberWalk(const Pickle& pickle) : m_pickle(pickle) {}

  /// False if the value is something else, or the lists differ in length.
  bool walk(PickleRef ref, std::size_t depth) {
    const PickleValue& value = m_pickle[ref];
    if (!is_list(value)) return depth == shape.size() && depth > 0 && take(value);
    if (depth == most_list_dimensions || value.count == 0) return false;
    const Index size = value.count;
    if (depth == shape.size() && numbers.empty()) shape.push_back(size);
    if (depth >= shape.size() || shape[depth] != size) return false;
    for (const PickleRef item : m_pickle.items(ref))
      if (!walk(item, depth + 1)) return false;
    return true;
  }

  std::vector<Index> shape;
  std::vector<const PickleValue*> numbers;
  bool is_real = false;
  bool is_boolean = true;

 private:
  bool take(const PickleValue& value) {
    using enum PickleKind;
    if (value.kind != boolean && value.kind != whole && value.kind != real) return false;
    if (numbers.size() == most_list_numbers) return false;
    is_real = is_real || value.kind == real;
    is_boolean = is_boolean && value.kind == boolean;
    numbers.push_back(&value);
    return true;
  }

  const Pickle& m_pickle;
};

template <class T>
void append(T number, std::string& bytes) {
  static_assert(std::endian::native == std::endian::little);
  bytes.append(reinterpret_cast<const char*>(&number), sizeof(number));
}

}  // namespace

std::optional<NumberList> number_list(const Pickle& pickle, PickleRef value) {
  NumberWalk walk(pickle);
  if (!is_list(pickle[value]) || !walk.walk(value, 0)) return std::nullopt;
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
