// SPDX-License-Identifier: GPL-3.0-or-later
// Any bytes as a file of tensors: either a sentence that names the file, or a tensor with as many numbers as its shape
// says. The first byte picks the kind of file, whether a tensor is named and what is picked of its leading dimensions.

#include "core/io/tensor/tensor_file.h"

#include <array>
#include <cstdio>
#include <cstdlib>

using namespace vqscope;

namespace {

constexpr std::array<const char*, 3> files{"t.npy", "t.npz", "t.safetensors"};  // the first bytes decide

void fail(const std::string& why) {
  std::fprintf(stderr, "%s\n", why.c_str());
  std::abort();
}

TensorName name_from(std::uint8_t choice) {
  TensorName name{.file = files[choice % files.size()], .name = {}, .leading = {}};
  const int rest = choice / static_cast<int>(files.size());
  if (rest % 2 == 1) name.name = "q";
  for (int i = 0; i < rest / 2 % 3; ++i) name.leading.push_back(i - 1);
  return name;
}

void check_error(const TensorName& name, const Error& error) {
  if (error.message.size() <= name.file.size() || !error.message.starts_with(name.file))
    fail("an error does not name the file: " + error.message);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return -1;
  const TensorName name = name_from(data[0]);
  const auto file = std::make_shared<MemorySource>(std::string_view(reinterpret_cast<const char*>(data) + 1, size - 1));
  const auto found = find_tensor(file, name);
  if (!found) return check_error(name, found.error()), 0;
  Index numbers = 1;
  for (const Index length : found->shape) numbers *= length;
  const auto values = read_tensor(*found);
  if (!values) return check_error(name, values.error()), 0;
  if (values->size() != static_cast<std::size_t>(numbers)) fail("the shape does not say how many numbers there are");
  std::stop_source stopped;
  stopped.request_stop();
  if (const auto none = read_tensor(*found, stopped.get_token()); numbers > 0 && none) fail("a stop was not heard");
  return 0;
}
