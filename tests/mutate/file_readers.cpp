// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/json/json_reader.h"
#include "core/io/png/png_image.h"
#include "core/io/tensor/tensor_file.h"
#include "core/io/tensor/tensor_list.h"
#include "core/mask/import/mask_array.h"
#include "tests/core/io/npy/npy_bytes.h"
#include "tests/core/io/pickle/pickle_bytes.h"
#include "tests/core/io/tensor/tensor_bytes.h"
#include "tests/mutate/reader.h"

#include <QBuffer>
#include <QImage>

#include <zlib.h>

namespace vqscope::mutate {
namespace {

using test::ZipBytes;

Sentences sentences_of(const ImportedReading& reading) {
  Sentences all = reading.warnings;
  all.push_back(reading.why);
  return all;
}

Sentences sentences_of(const Result<ReadMask>& imported) {
  return imported ? sentences_of(imported->reading) : Sentences{imported.error().message};
}

Sentences read_tensors(const Bytes& bytes, const std::string& file) {
  Sentences all;
  const auto source = test::source_of(bytes);
  const auto listed = list_tensors(source, file);
  if (!listed) return {listed.error().message};
  for (const auto& tensor : *listed) {
    all.push_back(tensor.problem);
    const auto found = find_tensor(source, {file, tensor.name, {}}, TensorUse::flags);
    if (!found) {
      all.push_back(found.error().message);
    } else if (const auto values = read_tensor(*found); !values) {
      all.push_back(values.error().message);
    }
    const Sentences of_mask = sentences_of(read_tensor_mask(source, {file, tensor.name, {}}));
    all.insert(all.end(), of_mask.begin(), of_mask.end());
    if (all.size() > 32) break;
  }
  return all;
}

std::vector<Bytes> npy_inputs() {
  const std::vector<float> numbers{0, 1, 2, -1e30F, 4, 5};
  const std::vector<std::int64_t> wholes{0, 1, 1, 0, 1, 1};
  return {test::npy_array("<f4", {2, 3}, test::bytes_of_values(numbers)),
          test::npy_array("<f4", {3, 2}, test::bytes_of_values(numbers), true),
          test::npy_array("|b1", {2, 2, 2}, std::string("\0\1\1\1\0\0\1\1", 8)),
          test::npy_array("<i8", {1, 1, 2, 3}, test::bytes_of_values(wholes)),
          test::npy_array(">f2", {2, 2}, std::string("\x3c\0\xfc\0\0\0\0\0", 8)),
          test::npy_array("<f8", {}, test::bytes_of_values<double>({0.5}))};
}

Bytes archive(bool deflate, bool zip64, const Bytes& array) {
  ZipBytes zip;
  zip.add("q.npy", array, deflate);
  zip.add("notes.txt", "no array", deflate);
  zip.add("k.npy", npy_inputs()[1], !deflate);
  return zip.bytes(zip64);
}

Corpus npz_corpus() {
  Corpus corpus{
      .inputs = {archive(false, false, npy_inputs()[0]), archive(true, false, npy_inputs()[0]),
                 archive(true, true, npy_inputs()[1]),
                 archive(true, false, test::npy_array("|b1", {300, 300}, std::string(90'000, '\1')))},
      .words = {"PK\3\4", "PK\1\2", "PK\5\6", "PK\6\6", "PK\6\7", "q.npy", ".npy", "'shape': (", "\x93NUMPY"}};
  return corpus;
}

/// The inputs of NPY within an archive whose checksums and offsets are right.
Sentences read_inner_npz(const Bytes& array) { return read_tensors(archive(true, false, array), "t.npz"); }

Bytes safetensors(std::string header, std::size_t data) {
  std::ranges::replace(header, '\'', '"');
  return test::safetensors_file(header, std::string(data, '\1'));
}

Corpus safetensors_corpus() {
  return {
      .inputs = {safetensors("{'k':{'dtype':'BF16','shape':[2,1],'data_offsets':[8,12]},"
                             "'q':{'dtype':'F32','shape':[2,1],'data_offsets':[0,8]}}",
                             12),
                 safetensors("{'__metadata__':{'format':'pt'},'w':{'dtype':'I64','shape':[1,1,2],'data_offsets':"
                             "[0,16]}}",
                             16)},
      .words = {"\"dtype\":\"F64\"", "\"shape\":[", "\"data_offsets\":[0,8]", "__metadata__", "F8_E4M3", "[]", "{}"}};
}

/// Values, views and arrays, with opcodes of all protocols.
std::vector<Bytes> pickle_inputs() {
  const Bytes tensors = test::pickled("}(" + test::pickled_text("a.b") + test::pickled_tensor({2, 2}, {2, 1}) +
                                      test::pickled_text("c") + "](" + test::pickled_tensor({3}, {0}, 1) + "K\1Neu");
  std::vector<Bytes> inputs = files_in("tests/data/torch");
  for (const Bytes& each : {tensors, Bytes("(dp0\nS'a'\np1\nI1\nsS'b'\nF2.5\ns."), Bytes("cos\nsystem\n(S'id'\ntR."),
                            "\x80\4\x95" + test::number_bytes(6, 8) + "\x8c\1a\x94K\2\x86."})
    inputs.push_back(each);
  return inputs;
}

Corpus pickle_corpus() {
  return {.inputs = pickle_inputs(),
          .words = {"ctorch._utils\n_rebuild_tensor_v2\n", "ccollections\nOrderedDict\n", "cos\nsystem\n",
                    "ctorch\nHalfStorage\n", "]q\1h\1a", "(K\1K\2t", "\x8a\x08\xff\xff\xff\xff\xff\xff\xff\x7f", "\x95",
                    "R", "Q", "b", "\x81", "u", "."}};
}

/// The values of an archive whose storage is there.
Sentences read_torch(const Bytes& pickle) {
  return read_tensors(test::torch_archive(pickle, std::string(16, '\1')), "t.pt");
}

Bytes png(QImage::Format format, int width, int height) {
  QImage image(width, height, format);
  if (format == QImage::Format_Mono || format == QImage::Format_Indexed8)
    image.setColorTable({qRgb(0, 0, 0), qRgb(255, 255, 255)});
  image.fill(1);
  QByteArray bytes;
  QBuffer buffer(&bytes);
  buffer.open(QIODevice::WriteOnly);
  image.save(&buffer, "png");
  return bytes.toStdString();
}

Corpus png_corpus() {
  return {
      .inputs = {png(QImage::Format_Mono, 9, 5), png(QImage::Format_Grayscale8, 16, 16),
                 png(QImage::Format_ARGB32, 5, 7), png(QImage::Format_Indexed8, 64, 2),
                 png(QImage::Format_RGBA64, 3, 3), png(QImage::Format_Grayscale8, 300, 300)},
      .words = {"IHDR", "IDAT", "IEND", "PLTE", "tRNS", "gAMA", "iCCP", "zTXt", "acTL", "P1\n1 8000000\n", "<svg/>"}};
}

/// The checksum of each chunk, as far as chunks follow each other.
void mend_png(Bytes& bytes) {
  for (std::size_t at = 8; at + 12 <= bytes.size();) {
    std::uint64_t length = 0;
    for (std::size_t i = 0; i < 4; ++i) length = length << 8 | static_cast<unsigned char>(bytes[at + i]);
    if (length > bytes.size() - at - 12) return;
    const auto* chunk = reinterpret_cast<const Bytef*>(bytes.data() + at + 4);
    const auto sum = crc32_z(0, chunk, static_cast<z_size_t>(length + 4));
    for (std::size_t i = 0; i < 4; ++i) bytes[at + 8 + length + i] = static_cast<char>(sum >> (8 * (3 - i)) & 0xff);
    at += 12 + length;
  }
}

Sentences read_png(const Bytes& bytes) {
  const auto image = vqscope::read_png(bytes);
  return image ? sentences_of(read_image_mask(image->pixels, image->extent)) : Sentences{image.error().message};
}

Sentences read_npy(const Bytes& bytes) {
  Sentences all = read_tensors(bytes, "t.npy");
  for (auto& each : sentences_of(read_npy_mask(MemorySource(bytes)))) all.push_back(std::move(each));
  return all;
}

Corpus csv_corpus() {
  return {.inputs = {"1,0,0\n1,1,0\n1,1,1\n", "query\\key,0,1\n0,1,0\n1,1,1\n", "# c\n0 -inf\n0 0\n",
                     "0;-1e9\r\n0;0\r\n", "true\tfalse\ntrue\ttrue\n", "0.5,-3.25\n1e-3,-10000\n"},
          .words = {"-inf", "nan", "True", "False", "\n", ",", ";", "\t", "1e9", "\"1\"", "#"}};
}

}  // namespace

void mend_safetensors(Bytes& bytes) {
  const auto brace = bytes.rfind('}');
  if (bytes.size() < 8 || brace == std::string::npos || brace < 8) return;
  bytes.replace(0, 8, test::number_bytes(brace - 7, 8));
}

std::vector<Reader> file_readers() {
  const Corpus json = {.inputs = files_in("resources/configs"),
                       .words = {"null", "true", "\\u0041", "\\ud83d\\ude00", "\"\":", "[", "]", "{", "}", "1e5", ","}};
  const std::vector<Bytes> npy_words{"'descr':", "'shape':", "(", ",)", "True", "'<f4'", "'|O'", "[('a','<f4')]", "L"};
  return {{"json", json,
           [](const Bytes& bytes) {
             const auto value = read_json(bytes);
             return Sentences{value ? value->shown() : value.error().message};
           }},
          {"npy", {npy_inputs(), npy_words}, read_npy},
          {"npz", npz_corpus(), [](const Bytes& bytes) { return read_tensors(bytes, "t.npz"); }},
          {"npz_inner", {npy_inputs(), npy_words}, read_inner_npz},
          {"safetensors", safetensors_corpus(), [](const Bytes& bytes) { return read_tensors(bytes, "t.safetensors"); },
           mend_safetensors},
          {"pickle", pickle_corpus(), [](const Bytes& bytes) { return read_tensors(bytes, "t.pkl"); }},
          {"torch", pickle_corpus(), read_torch},
          {"csv", csv_corpus(), [](const Bytes& bytes) { return sentences_of(read_csv_mask(bytes)); }},
          {"png", png_corpus(), read_png, mend_png}};
}

}  // namespace vqscope::mutate
