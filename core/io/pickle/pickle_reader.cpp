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
/// A state dictionary has about 35 for each tensor, a list one for each number.
constexpr std::uint64_t most_instructions = std::uint64_t{1} << 21;
/// Texts up to this size are kept; of longer ones the place is, and of all once they are this much together.
constexpr std::uint64_t longest_kept_text = 4096;
constexpr std::uint64_t most_kept_text = std::uint64_t{1} << 24;
/// Names, numbers and places of the memo, in protocol 0.
constexpr std::uint64_t longest_word = 4096;
constexpr std::uint64_t longest_line = std::uint64_t{1} << 31;

/// Reads opcodes with their arguments and applies them to the machine.
class PickleReader {
 public:
  PickleReader(const ByteSource& source, std::uint64_t begin)
      : m_reader(source), m_machine(source.size() - std::min(begin, source.size())) {
    m_reader.skip(begin);
  }

  Result<Pickle> read() {
    for (std::uint64_t count = 0;; ++count) {
      const std::uint64_t place = m_reader.place();
      const auto opcode = m_reader.byte();
      if (m_reader.failed()) return m_reader.error();
      if (opcode == '.') break;
      if (count == most_instructions)
        m_machine.fail(too_large("the pickle has more than {} instructions", most_instructions));
      else
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
          m_machine.fail(invalid("the pickle has protocol {} but must be at most {}", version, newest_protocol));
        return;
      case 0x95: return read_frame();
      case '(': return m_machine.mark();
      case '0': return m_machine.pop();
      case '1': return m_machine.pop_mark();
      case '2': return m_machine.duplicate();
      case 'c': return push_name();
      case 0x93: return m_machine.stack_name();
      case 'R':
      case 0x81: return m_machine.reduce();
      case 0x92: return m_machine.new_object_with_keywords();
      case 'i': return push_name(), m_machine.call_after_mark(false);
      case 'o': return m_machine.call_after_mark(true);
      case 'b': return m_machine.build();
      case 'P': m_machine.push_text(PickleKind::text, PickledForm::plain, word()); return m_machine.refer_outside();
      case 'Q': return m_machine.refer_outside();
      default: m_machine.fail(invalid("the pickle is damaged, or not supported: opcode {:#04x}", int{opcode}));
    }
  }

  bool apply_number(unsigned char opcode) {
    switch (opcode) {
      case 'N': return m_machine.push_none(), true;
      case 0x88:
      case 0x89: return m_machine.push_boolean(opcode == 0x88), true;
      case 'I': return push_old_integer(word()), true;
      case 'J': return m_machine.push_whole(static_cast<std::int32_t>(m_reader.number(4))), true;
      case 'K': return m_machine.push_whole(m_reader.byte()), true;
      case 'M': return m_machine.push_whole(static_cast<Index>(m_reader.number(2))), true;
      case 'L': return push_old_integer(word()), true;
      case 0x8a: return push_long(m_reader.number(1)), true;
      case 0x8b: return push_long(m_reader.number(4)), true;
      case 'F': return push_old_real(word()), true;
      case 'G': return push_real(), true;
      default: return false;
    }
  }

  bool apply_text(unsigned char opcode) {
    using enum PickleKind;
    switch (opcode) {
      case 'S': return push_line(PickledForm::quoted), true;
      case 'V': return push_line(PickledForm::escaped), true;
      case 'U': return push_bytes(text, PickledForm::plain, 1), true;
      case 'T': return push_bytes(text, PickledForm::plain, 4), true;
      case 0x8c: return push_bytes(text, PickledForm::utf8, 1), true;
      case 'X': return push_bytes(text, PickledForm::utf8, 4), true;
      case 0x8d: return push_bytes(text, PickledForm::utf8, 8), true;
      case 'C': return push_bytes(bytes, PickledForm::plain, 1), true;
      case 'B': return push_bytes(bytes, PickledForm::plain, 4), true;
      case 0x8e:
      case 0x96: return push_bytes(bytes, PickledForm::plain, 8), true;
      default: return false;
    }
  }

  bool apply_container(unsigned char opcode) {
    using enum PickleKind;
    switch (opcode) {
      case ']': return m_machine.push_items(list), true;
      case ')': return m_machine.push_items(tuple), true;
      case '}': return m_machine.push_items(dictionary), true;
      case 0x8f: return m_machine.push_items(set), true;
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
        const auto place = parse_index(word());
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

  /// A short line without its end.
  std::string word() {
    const auto size = m_reader.line(longest_word);
    if (!size && !m_reader.failed()) m_machine.fail(damaged("a line has no end"));
    std::string text(m_reader.view(static_cast<std::size_t>(size.value_or(0))));
    m_reader.skip(1);
    if (text.ends_with('\r')) text.pop_back();
    return text;
  }

  void push_name() {
    const std::string module = word();
    const std::string name = word();
    m_machine.push_name(module, name);
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
    constexpr std::size_t most_used = 10;
    if (size > most_used) m_reader.skip(size - most_used);
    const std::string bytes(m_reader.view(static_cast<std::size_t>(std::min<std::uint64_t>(size, most_used))));
    if (m_reader.failed()) return;
    const bool negative = !bytes.empty() && (bytes.back() & 0x80) != 0;
    if (size <= 8) {
      std::uint64_t number = little_endian(bytes);
      if (negative && size < 8) number |= ~std::uint64_t{0} << 8 * size;
      return m_machine.push_whole(static_cast<Index>(number));
    }
    if (size == 10 && bytes == std::string_view("\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19"))
      return m_machine.push_text(PickleKind::text, PickledForm::plain, old_torch_magic);
    m_machine.push_real(negative ? -HUGE_VAL : HUGE_VAL);
  }

  /// A text of protocol 0 up to the end of the line.
  void push_line(PickledForm form) {
    const std::uint64_t place = m_reader.place();
    const auto size = m_reader.line(longest_line);
    if (!size) return m_reader.failed() ? void() : m_machine.fail(damaged("a line has no end"));
    m_kept += *size <= longest_kept_text ? *size : 0;
    if (*size > longest_kept_text || m_kept > most_kept_text) {
      m_machine.push_place(PickleKind::text, form, place, *size);
      return m_reader.skip(*size + 1);
    }
    const auto text = decoded(form, m_reader.view(static_cast<std::size_t>(*size)));
    m_reader.skip(1);
    if (!text) return m_machine.fail(damaged("a text is not quoted as in Python"));
    m_machine.push_text(PickleKind::text, form, *text);
  }

  void push_bytes(PickleKind kind, PickledForm form, std::size_t size_bytes) {
    const std::uint64_t size = m_reader.number(size_bytes);
    const std::uint64_t place = m_reader.place();
    m_kept += size <= longest_kept_text ? size : 0;
    if (size > longest_kept_text || m_kept > most_kept_text) {
      m_reader.skip(size);
      return m_machine.push_place(kind, form, place, size);
    }
    const std::string_view text = m_reader.view(static_cast<std::size_t>(size));
    if (!m_reader.failed()) m_machine.push_text(kind, form, text, static_cast<Index>(place));
  }

  ByteReader m_reader;
  PickleMachine m_machine;
  std::uint64_t m_kept = 0;  ///< bytes of the texts that are kept
};

}  // namespace

Result<Pickle> read_pickle(const ByteSource& source, std::uint64_t begin) {
  return guarded([&] { return PickleReader(source, begin).read(); });
}

}  // namespace vqscope
