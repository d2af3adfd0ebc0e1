// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/zip/inflated.h"

#include "core/base/sentence.h"

#include <zlib.h>
#include <string>

namespace vqscope {
namespace {

constexpr std::size_t input_bytes = std::size_t{1} << 16;
constexpr std::size_t window_bytes = std::size_t{1} << 18;

}  // namespace

/// A position in the deflated bytes, and a window of the inflated bytes before it.
class InflatedSource::Stream {
 public:
  Stream(const ByteSource& deflated, std::uint64_t size, std::size_t window)
      : m_deflated(deflated), m_size(size), m_window_bytes(window) {
    m_ready = inflateInit2(&m_zlib, -MAX_WBITS) == Z_OK;
  }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  ~Stream() { inflateEnd(&m_zlib); }

  std::uint64_t begin() const { return m_end - m_window.size(); }
  std::uint64_t end() const { return m_end; }
  std::string_view window() const { return m_window; }

  /// The next window.
  Result<void> advance() {
    m_window.resize(static_cast<std::size_t>(std::min<std::uint64_t>(m_window_bytes, m_size - m_end)));
    m_zlib.next_out = reinterpret_cast<Bytef*>(m_window.data());
    for (std::size_t done = 0; done < m_window.size();) {
      const std::size_t some = std::min(m_window.size() - done, window_bytes);
      m_zlib.avail_out = static_cast<uInt>(some);
      if (auto filled = fill(); !filled) return filled;
      done += some;
    }
    m_end += m_window.size();
    return {};
  }

 private:
  /// Calls zlib before feeding it: it may still hold output after it has used up its input.
  Result<void> fill() {
    while (m_zlib.avail_out > 0) {
      const int status = m_ready ? inflate(&m_zlib, Z_NO_FLUSH) : Z_MEM_ERROR;
      if (status == Z_STREAM_END && m_zlib.avail_out > 0) return invalid("is cut short: " + expected());
      if (status == Z_BUF_ERROR) {  // the input so far gives no more output
        if (auto fed = feed(); !fed) return fed;
        continue;
      }
      if (status != Z_OK && status != Z_STREAM_END)
        return invalid("is damaged: {}", m_zlib.msg ? m_zlib.msg : zError(status));
    }
    return {};
  }

  Result<void> feed() {
    const auto some = std::min<std::uint64_t>(input_bytes, m_deflated.size() - m_used);
    if (some == 0) return invalid("is cut short: " + expected());
    m_input.resize(static_cast<std::size_t>(some));
    if (auto read = m_deflated.read(m_used, m_input); !read) return read;
    m_used += some;
    m_zlib.next_in = reinterpret_cast<Bytef*>(m_input.data());
    m_zlib.avail_in = static_cast<uInt>(some);
    return {};
  }

  std::string expected() const {
    return fmt::format("its deflated bytes end before the {} that it should have", m_size);
  }

  const ByteSource& m_deflated;
  std::uint64_t m_size;
  std::size_t m_window_bytes;
  z_stream m_zlib{};
  bool m_ready = false;
  std::string m_input;
  std::string m_window;
  std::uint64_t m_used = 0;  ///< of the deflated bytes
  std::uint64_t m_end = 0;   ///< of the window
};

InflatedSource::InflatedSource(std::shared_ptr<const ByteSource> deflated, std::uint64_t size)
    : m_deflated(std::move(deflated)),
      m_size(size),
      m_stream(std::make_unique<Stream>(*m_deflated, size, window_bytes)) {}

InflatedSource::~InflatedSource() = default;

Result<void> InflatedSource::read(std::uint64_t offset, std::span<char> out) const {
  assert(offset <= m_size && out.size() <= m_size - offset);
  if (offset < m_stream->begin())
    m_stream = std::make_unique<Stream>(*m_deflated, m_size, static_cast<std::size_t>(m_size));
  while (!out.empty()) {
    if (offset >= m_stream->end()) {
      if (auto advanced = m_stream->advance(); !advanced) return advanced;
      continue;
    }
    const auto ready = m_stream->window().substr(static_cast<std::size_t>(offset - m_stream->begin()));
    const std::size_t some = std::min(ready.size(), out.size());
    std::copy_n(ready.data(), some, out.data());
    out = out.subspan(some);
    offset += some;
  }
  return {};
}

}  // namespace vqscope
