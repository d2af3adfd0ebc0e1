// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/npy/npy_header.h"

#include "core/base/sentence.h"
#include "core/io/bytes/byte_source.h"

#include <array>

namespace vqscope {
namespace {

constexpr std::string_view magic = "\x93NUMPY";
/// NumPy itself refuses headers above 10,000 bytes; a structured dtype of many fields may have
/// more.
constexpr std::uint64_t longest_header = std::uint64_t{1} << 20;
constexpr std::size_t most_npy_dimensions = 32;

Error bad_header(const std::string& what) { return invalid("the NPY header " + what); }

/// Parses the dictionary, a Python literal, from front to back.
class HeaderParser {
 public:
  explicit HeaderParser(std::string_view text) : m_text(text) {}

  Result<NpyHeader> parse() {
    if (!take('{')) return wanted("a dictionary");
    while (!take('}')) {
      if (auto entry = parse_entry(); !entry) return entry.error();
      if (take(',')) continue;
      if (!take('}')) return wanted("a comma or the end of the dictionary");
      break;
    }
    skip_blank();
    if (!m_text.empty()) return wanted("nothing after the dictionary");
    for (const auto& [seen, key] :
         {std::pair(m_has_descr, "descr"), std::pair(m_has_order, "fortran_order"), std::pair(m_has_shape, "shape")})
      if (!seen) return bad_header(fmt::format("has no entry '{}'", key));
    return m_header;
  }

 private:
  Result<void> parse_entry() {
    const auto key = take_string();
    if (!key || !take(':')) return wanted("a quoted name and a colon");
    if (*key == "descr") return once(m_has_descr, *key, [&] { return parse_descr(); });
    if (*key == "fortran_order") return once(m_has_order, *key, [&] { return parse_order(); });
    if (*key == "shape") return once(m_has_shape, *key, [&] { return parse_shape(); });
    return bad_header("has the unknown entry '" + printable(*key) + "' but must be descr, fortran_order or shape");
  }

  template <class Parse>
  Result<void> once(bool& seen, std::string_view key, const Parse& parse_value) {
    if (seen) return bad_header(fmt::format("has two entries '{}'", key));
    seen = true;
    return parse_value();
  }

  Result<void> parse_descr() {
    const auto descr = take_string();
    if (!descr) return unreadable_dtype("structured");
    constexpr std::string_view kinds = "biuf";
    std::string_view name = *descr;
    char order = '=';
    if (!name.empty() && std::string_view("<>|=").find(name[0]) != std::string_view::npos) {
      order = name[0];
      name.remove_prefix(1);
    }
    if (name == "?") name = "b1";
    const auto kind = name.empty() ? std::string_view::npos : kinds.find(name[0]);
    const auto bytes = parse_index(name.substr(std::min<std::size_t>(1, name.size())));
    if (kind == std::string_view::npos || !bytes || !is_size(name[0], *bytes)) return unreadable_dtype(*descr);
    m_header.dtype = {
        std::array{NpyKind::boolean, NpyKind::signed_integer, NpyKind::unsigned_integer, NpyKind::real}[kind],
        static_cast<int>(*bytes), order == '>'};
    return {};
  }

  static bool is_size(char kind, Index bytes) {
    if (kind == 'b') return bytes == 1;
    return bytes == 2 || bytes == 4 || bytes == 8 || (kind != 'f' && bytes == 1);
  }

  /// " (complex64)" for <c8.
  static std::string meaning_of(std::string_view descr) {
    if (descr.ends_with('O')) return " (object)";
    if (const auto bytes = parse_index(descr.substr(std::min<std::size_t>(2, descr.size())));
        bytes && *bytes <= 32 && descr[1] == 'c')
      return fmt::format(" (complex{})", to_text(8 * *bytes));
    return {};
  }

  static Error unreadable_dtype(std::string_view descr) {
    return bad_header("names the dtype " + printable(descr) + meaning_of(descr) +
                      " but must be bool, int8 to int64, uint8 to uint64, float16, float32 or float64");
  }

  Result<void> parse_order() {
    for (const bool value : {true, false})
      if (take_word(value ? "True" : "False")) {
        m_header.fortran = value;
        return {};
      }
    return wanted("True or False for fortran_order");
  }

  Result<void> parse_shape() {
    if (!take('(')) return wanted("a tuple for shape");
    while (!take(')')) {
      if (m_header.shape.size() == most_npy_dimensions)
        return bad_header(fmt::format("has more than {} dimensions", most_npy_dimensions));
      const auto size = take_size();
      if (!size) return wanted("a size from 0 to 2^63 - 1 in shape");
      m_header.shape.push_back(*size);
      if (take(',')) continue;
      if (!take(')')) return wanted("a comma or the end of shape");
      break;
    }
    return {};
  }

  std::optional<Index> take_size() {
    skip_blank();
    const auto end = std::min(m_text.find_first_not_of("0123456789"), m_text.size());
    const auto size = parse_index(m_text.substr(0, end));
    m_text.remove_prefix(end);
    // Python 2 wrote long integers with an L.
    if (m_text.starts_with('L')) m_text.remove_prefix(1);
    return size;
  }

  std::optional<std::string_view> take_string() {
    skip_blank();
    if (m_text.empty() || (m_text[0] != '\'' && m_text[0] != '"')) return std::nullopt;
    const auto end = m_text.find(m_text[0], 1);
    if (end == std::string_view::npos) return std::nullopt;
    const auto text = m_text.substr(1, end - 1);
    m_text.remove_prefix(end + 1);
    return text;
  }

  bool take_word(std::string_view word) {
    skip_blank();
    if (!m_text.starts_with(word)) return false;
    m_text.remove_prefix(word.size());
    return true;
  }

  bool take(char c) { return take_word({&c, 1}); }

  void skip_blank() { m_text.remove_prefix(std::min(m_text.find_first_not_of(" \t\r\n"), m_text.size())); }

  Error wanted(const std::string& what) const {
    return bad_header(fmt::format("is damaged: expected {} before \"{}\"", what, printable(m_text.substr(0, 16))));
  }

  /// Bytes of a damaged file do not reach a terminal unescaped.
  static std::string printable(std::string_view text) {
    std::string shown(text.substr(0, 40));
    for (char& c : shown)
      if (c < ' ' || c > '~') c = '?';
    return shown;
  }

  std::string_view m_text;
  NpyHeader m_header;
  bool m_has_descr = false;
  bool m_has_order = false;
  bool m_has_shape = false;
};

Error cut_short(std::uint64_t size) {
  return invalid("the NPY file is cut short: its {} bytes end within the header", size);
}

Result<void> check_data(const NpyHeader& header, std::uint64_t file_size) {
  const auto bytes = tensor_bytes(header.dtype, header.shape);
  const std::uint64_t present = file_size - header.data_offset;
  if (bytes && *bytes <= present) return {};
  return invalid("the NPY file is cut short: shape {} of {} needs {} bytes of data, the file has {}",
                 header.shape_text(), header.dtype.name(), bytes ? std::to_string(*bytes) : "more than 2^64", present);
}

}  // namespace

std::string NpyDtype::name() const {
  const std::string bits = to_text(Index{8} * bytes);
  switch (kind) {
    case NpyKind::boolean: return "bool";
    case NpyKind::signed_integer: return "int" + bits;
    case NpyKind::unsigned_integer: return "uint" + bits;
    case NpyKind::real: return "float" + bits;
    case NpyKind::brain: return "bfloat" + bits;
  }
  return {};
}

std::optional<std::uint64_t> tensor_bytes(const NpyDtype& dtype, std::span<const Index> shape) {
  for (const Index size : shape)
    if (size == 0) return 0;
  auto bytes = static_cast<std::uint64_t>(dtype.bytes);
  for (const Index size : shape)
    if (__builtin_mul_overflow(bytes, static_cast<std::uint64_t>(size), &bytes)) return std::nullopt;
  return bytes;
}

std::vector<std::uint64_t> strides_of(const NpyHeader& header) {
  if (!header.strides.empty()) return header.strides;
  const std::size_t n = header.shape.size();
  std::vector<std::uint64_t> strides(n, 1);
  for (std::size_t i = 1; i < n; ++i) {
    const std::size_t inner = header.fortran ? i - 1 : n - i;
    strides[header.fortran ? i : n - 1 - i] = strides[inner] * static_cast<std::uint64_t>(header.shape[inner]);
  }
  return strides;
}

NpyHeader npy_slice(const NpyHeader& header, std::span<const Index> leading) {
  assert(leading.size() <= header.shape.size());
  if (leading.empty()) return header;
  NpyHeader slice = header;
  slice.fortran = false;
  slice.strides = strides_of(header);
  for (std::size_t i = 0; i < leading.size(); ++i)
    slice.data_offset +=
        static_cast<std::uint64_t>(leading[i]) * slice.strides[i] * static_cast<std::uint64_t>(header.dtype.bytes);
  const auto picked = static_cast<std::ptrdiff_t>(leading.size());
  slice.shape.erase(slice.shape.begin(), slice.shape.begin() + picked);
  slice.strides.erase(slice.strides.begin(), slice.strides.begin() + picked);
  return slice;
}

std::uint64_t NpyHeader::count() const { return *tensor_bytes(dtype, shape) / static_cast<std::uint64_t>(dtype.bytes); }

std::string NpyHeader::shape_text() const {
  std::string text;
  for (const Index size : shape) text += (text.empty() ? "" : ", ") + to_text(size);
  return fmt::format("({}{}", text, shape.size() == 1 ? ",)" : ")");
}

Result<NpyHeader> read_npy_header(const ByteSource& source) {
  std::array<char, 12> start{};
  const std::uint64_t size = source.size();
  const auto present = static_cast<std::size_t>(std::min<std::uint64_t>(size, start.size()));
  if (auto read = source.read(0, std::span(start).first(present)); !read) return read.error();
  if (std::string_view(start.data(), std::min(present, magic.size())) != magic)
    return invalid("not an NPY file: it does not begin with \\x93NUMPY");
  if (present < 10) return cut_short(size);
  const int version = static_cast<unsigned char>(start[6]);
  if (version < 1 || version > 3) return invalid("the NPY format is version {} but must be 1, 2 or 3", version);
  const std::size_t length_bytes = version == 1 ? 2 : 4;
  if (present < 8 + length_bytes) return cut_short(size);
  const std::uint64_t length = little_endian(std::string_view(start.data() + 8, length_bytes));
  if (length > size - 8 - length_bytes) return cut_short(size);
  if (length > longest_header)
    return bad_header(fmt::format("has {} bytes but must be at most {}", length, longest_header));
  std::string dictionary(static_cast<std::size_t>(length), '\0');
  if (auto read = source.read(8 + length_bytes, dictionary); !read) return read.error();
  auto header = HeaderParser(dictionary).parse();
  if (!header) return header;
  header->data_offset = 8 + length_bytes + length;
  if (auto checked = check_data(*header, size); !checked) return checked.error();
  return header;
}

}  // namespace vqscope
