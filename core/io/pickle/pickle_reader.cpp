// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/pickle/pickle_reader.h"

#include "core/base/guard.h"
#include "core/base/sentence.h"
#include "core/io/bytes/byte_reader.h"
#include "core/io/bytes/byte_source.h"
#include "core/io/pickle/pickle_machine.h"
#include "core/io/pickle/pickle_text.h"

#include <bit>
#include <cmath>

namespace vqscope {
namespace {

constexpr int newest_protocol = 5;
/// Texts up to this size are kept; of longer ones the place is.
constexpr std::uint64_t longest_kept_text = 4096;
constexpr std::size_t longest_line = std::size_t{1} << 26;

/// Reads opcodes with their arguments and applies them to the machine.
class PickleReader {
 public:
  PickleReader(const ByteSource& source, std::uint64_t begin) : m_reader(source) { m_reader.skip(begin); }

  Result<Pickle> read() {
    for (;;) {
      const std::uint64_t place = m_reader.place();
      const auto opcode = static_cast<unsigned char>(m_reader.number(1));
      if (m_reader.failed()) return m_reader.error();
      if (opcode == '.') break;
      apply(opcode);
      if (m_reader.failed()) return m_reader.error();
      if (m_machine.failed())
        return Error{m_machine.error().code, fmt::format("{} (byte {})", m_machine.error().message, place), {}};
    }
    return m_machine.finish(m_reader.place());
  }

 private:
  void apply(unsigned char opcode) {
    if (apply_number(opcode) || apply_text(opcode) || apply_container(opcode) || apply_memo(opcode)) return;
    switch (opcode) {
      case 0x80:
        if (const auto version = m_reader.number(1); version > newest_protocol)
          m_machine.fail(invalid("the pickle has protocol {}, must be at most {}", version, newest_protocol));
        return;
      case 0x95: return read_frame();
      case '(': return m_machine.mark();
      case '0': return m_machine.pop();
      case '1': return m_machine.pop_mark();
      case '2': return m_machine.duplicate();
      case 'c': {
        const std::string module = line();
        return m_machine.push_name(module, line());
      }
      case 0x93: return m_machine.stack_name();
      case 'R': return m_machine.reduce();
      case 0x81: return m_machine.reduce();
      case 0x92: return m_machine.new_object_with_keywords();
      case 'i': {
        const std::string module = line();
        m_machine.push_name(module, line());
        return m_machine.call_after_mark(false);
      }
      case 'o': return m_machine.call_after_mark(true);
      case 'b': return m_machine.build();
      case 'P': {
        m_machine.push_text(PickleKind::text, line());
        return m_machine.refer_outside();
      }
      case 'Q': return m_machine.refer_outside();
      default: m_machine.fail(invalid("the pickle is damaged, or not supported: opcode {:#04x}", int{opcode}));
    }
  }

  bool apply_number(unsigned char opcode) {
    switch (opcode) {
      case 'N': return m_machine.push_none(), true;
      case 0x88:
      case 0x89: return m_machine.push_boolean(opcode == 0x88), true;
      case 'I': return push_old_integer(line()), true;
      case 'J': return m_machine.push_whole(static_cast<std::int32_t>(m_reader.number(4))), true;
      case 'K': return m_machine.push_whole(static_cast<Index>(m_reader.number(1))), true;
      case 'M': return m_machine.push_whole(static_cast<Index>(m_reader.number(2))), true;
      case 'L': return push_old_integer(line()), true;
      case 0x8a: return push_long(m_reader.number(1)), true;
      case 0x8b: return push_long(m_reader.number(4)), true;
      case 'F': return push_old_real(line()), true;
      case 'G': return push_real(), true;
      default: return false;
    }
  }

  bool apply_text(unsigned char opcode) {
    using enum PickleKind;
    switch (opcode) {
      case 'S': return push_decoded(unquoted(line()), false), true;
      case 'V': return push_decoded(unescaped_unicode(line()), true), true;
      case 'U': return push_bytes(text, false, 1), true;
      case 'T': return push_bytes(text, false, 4), true;
      case 0x8c: return push_bytes(text, true, 1), true;
      case 'X': return push_bytes(text, true, 4), true;
      case 0x8d: return push_bytes(text, true, 8), true;
      case 'C': return push_bytes(bytes, false, 1), true;
      case 'B': return push_bytes(bytes, false, 4), true;
      case 0x8e: return push_bytes(bytes, false, 8), true;
      case 0x96: return push_bytes(bytes, false, 8), true;
      default: return false;
    }
  }

  bool apply_container(unsigned char opcode) {
    using enum PickleKind;
    switch (opcode) {
      case ']': return m_machine.push_items(list, {}), true;
      case ')': return m_machine.push_items(tuple, {}), true;
      case '}': return m_machine.push_items(dictionary, {}), true;
      case 0x8f: return m_machine.push_items(set, {}), true;
      case 'l': return m_machine.collect(list), true;
      case 't': return m_machine.collect(tuple), true;
      case 'd': return m_machine.collect(dictionary), true;
      case 0x91: return m_machine.collect(set), true;
      case 0x85:
      case 0x86:
      case 0x87: return m_machine.collect_tuple(opcode - 0x84u), true;
      case 'a': return m_machine.append(), true;
      case 'e':
      case 0x90: return m_machine.append_all(), true;
      case 's': return m_machine.set_item(), true;
      case 'u': return m_machine.set_items(), true;
      default: return false;
    }
  }

  bool apply_memo(unsigned char opcode) {
    switch (opcode) {
      case 'p':
      case 'g': {
        const auto place = parse_index(line());
        if (!place || *place < 0) return m_machine.fail(damaged("the number of a memo is missing")), true;
        return use_memo(opcode == 'g', static_cast<std::uint64_t>(*place)), true;
      }
      case 'q':
      case 'h': return use_memo(opcode == 'h', m_reader.number(1)), true;
      case 'r':
      case 'j': return use_memo(opcode == 'j', m_reader.number(4)), true;
      case 0x94: return m_machine.memoize(), true;
      default: return false;
    }
  }

  void use_memo(bool get, std::uint64_t place) { get ? m_machine.recall(place) : m_machine.remember(place); }

  static Error damaged(const char* what) { return invalid("the pickle is damaged: {}", what); }

  /// A frame is a hint for buffers; what it holds follows.
  void read_frame() {
    const auto size = m_reader.number(8);
    if (!m_reader.failed() && size > m_reader.left()) m_machine.fail(damaged("a frame ends behind the file"));
  }

  std::string line() {
    std::string text;
    for (;;) {
      const auto c = static_cast<char>(m_reader.number(1));
      if (m_reader.failed() || c == '\n') break;
      if (text.size() == longest_line) {
        m_machine.fail(damaged("a line has no end"));
        break;
      }
      text += c;
    }
    if (text.ends_with('\r')) text.pop_back();
    return text;
  }

  void push_old_integer(std::string_view text) {
    if (text == "00" || text == "01") return m_machine.push_boolean(text == "01");
    if (text.ends_with('L')) text.remove_suffix(1);
    if (const auto whole = parse_index(text)) return m_machine.push_whole(*whole);
    push_old_real(text);
  }

  void push_old_real(std::string_view text) {
    const auto real = parse_real(text);
    real ? m_machine.push_real(*real) : m_machine.fail(damaged("a number is expected"));
  }

  /// Highest byte first.
  void push_real() {
    const std::uint64_t bits = __builtin_bswap64(m_reader.number(8));
    m_machine.push_real(std::bit_cast<double>(bits));
  }

  /// Two's complement, lowest byte first.
  void push_long(std::uint64_t size) {
    const std::string bytes = m_reader.text(size);
    if (m_reader.failed()) return;
    const bool negative = !bytes.empty() && (bytes.back() & 0x80) != 0;
    if (size <= 8) {
      std::uint64_t number = little_endian(bytes);
      if (negative && size < 8) number |= ~std::uint64_t{0} << 8 * size;
      return m_machine.push_whole(static_cast<Index>(number));
    }
    if (size == 10 && bytes == std::string_view("\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19"))
      return m_machine.push_text(PickleKind::text, std::string(old_torch_magic));
    m_machine.push_real(negative ? -HUGE_VAL : HUGE_VAL);
  }

  void push_decoded(const std::optional<std::string>& text, bool unicode) {
    if (!text) return m_machine.fail(damaged("a text is not quoted as in Python"));
    m_machine.push_text(PickleKind::text, *text, unicode);
  }

  void push_bytes(PickleKind kind, bool unicode, std::size_t size_bytes) {
    const std::uint64_t size = m_reader.number(size_bytes);
    const std::uint64_t place = m_reader.place();
    std::string text;
    if (size <= longest_kept_text)
      text = m_reader.text(size);
    else
      m_reader.skip(size);
    if (!m_reader.failed()) m_machine.push_text(kind, std::move(text), unicode, place, size);
  }

  ByteReader m_reader;
  PickleMachine m_machine;
};

}  // namespace

Result<Pickle> read_pickle(const ByteSource& source, std::uint64_t begin) {
  return guarded([&] { return PickleReader(source, begin).read(); });
}

}  // namespace vqscope
