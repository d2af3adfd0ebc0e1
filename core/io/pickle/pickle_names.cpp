// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/pickle/pickle_names.h"

#include <algorithm>
#include <array>
#include <span>

namespace vqscope {
namespace {

using Names = std::span<const std::string_view>;

constexpr std::array<std::string_view, 15> builtin_names{"bool",  "bytearray", "bytes", "complex", "dict",
                                                         "float", "frozenset", "int",   "list",    "object",
                                                         "range", "set",       "slice", "str",     "tuple"};
constexpr std::array<std::string_view, 7> collection_names{"ChainMap", "Counter",     "OrderedDict", "UserDict",
                                                           "UserList", "defaultdict", "deque"};
constexpr std::array<std::string_view, 1> codec_names{"encode"};
constexpr std::array<std::string_view, 1> copy_names{"_reconstructor"};
constexpr std::array<std::string_view, 1> namespace_names{"Namespace"};
constexpr std::array<std::string_view, 2> array_names{"dtype", "ndarray"};
constexpr std::array<std::string_view, 2> array_functions{"_reconstruct", "scalar"};
constexpr std::array<std::string_view, 1> buffer_functions{"_frombuffer"};
constexpr std::array<std::string_view, 14> rebuild_functions{"_rebuild_tensor",
                                                             "_rebuild_tensor_v2",
                                                             "_rebuild_tensor_v3",
                                                             "_rebuild_parameter",
                                                             "_rebuild_parameter_with_state",
                                                             "_rebuild_qtensor",
                                                             "_rebuild_sparse_tensor",
                                                             "_rebuild_sparse_csr_tensor",
                                                             "_rebuild_meta_tensor_no_storage",
                                                             "_rebuild_nested_tensor",
                                                             "_rebuild_device_tensor_from_numpy",
                                                             "_rebuild_device_tensor_from_cpu_tensor",
                                                             "_rebuild_xla_tensor",
                                                             "_rebuild_wrapper_subclass"};
constexpr std::array<std::string_view, 2> tensor_functions{"_rebuild_from_type", "_rebuild_from_type_v2"};
constexpr std::array<std::string_view, 3> parameter_names{"Buffer", "Parameter", "UninitializedParameter"};
constexpr std::array<std::string_view, 6> storage_names{"UntypedStorage", "TypedStorage",   "_UntypedStorage",
                                                        "_TypedStorage",  "_LegacyStorage", "_load_from_bytes"};
constexpr std::array<std::string_view, 1> layout_functions{"_get_layout"};
/// Of torch itself: what is no dtype and no storage.
constexpr std::array<std::string_view, 28> torch_names{"Size",
                                                       "Tensor",
                                                       "device",
                                                       "per_tensor_affine",
                                                       "per_tensor_symmetric",
                                                       "per_channel_affine",
                                                       "per_channel_symmetric",
                                                       "per_channel_affine_float_qparams",
                                                       "strided",
                                                       "sparse_coo",
                                                       "sparse_csr",
                                                       "sparse_csc",
                                                       "sparse_bsr",
                                                       "sparse_bsc",
                                                       "contiguous_format",
                                                       "preserve_format",
                                                       "channels_last",
                                                       "channels_last_3d",
                                                       "DoubleTensor",
                                                       "FloatTensor",
                                                       "HalfTensor",
                                                       "BFloat16Tensor",
                                                       "LongTensor",
                                                       "IntTensor",
                                                       "ShortTensor",
                                                       "CharTensor",
                                                       "BoolTensor",
                                                       "ByteTensor"};
constexpr std::array<std::string_view, 16> dtype_stems{"float",  "bfloat",  "int",   "uint",  "bool", "complex",
                                                       "half",   "double",  "long",  "short", "qint", "quint",
                                                       "cfloat", "cdouble", "chalf", "bits"};
constexpr std::array<std::string_view, 1> encoding_names{"BatchEncoding"};
constexpr std::array<std::string_view, 1> feature_names{"BatchFeature"};
constexpr std::array<std::string_view, 1> fast_encoding_names{"Encoding"};
constexpr std::array<std::string_view, 6> path_names{"Path",          "PosixPath",       "PurePath",
                                                     "PurePosixPath", "PureWindowsPath", "WindowsPath"};
constexpr std::array<std::string_view, 5> time_names{"date", "datetime", "time", "timedelta", "timezone"};
constexpr std::array<std::string_view, 1> simple_names{"SimpleNamespace"};
constexpr std::array<std::string_view, 1> jagged_functions{"_rebuild_njt"};
constexpr std::array<std::string_view, 1> setting_names{"AttributeDict"};

struct Module {
  std::string_view name;
  Names names;
};

constexpr std::array modules{Module{"builtins", builtin_names},
                             Module{"__builtin__", builtin_names},
                             Module{"collections", collection_names},
                             Module{"_codecs", codec_names},
                             Module{"copyreg", copy_names},
                             Module{"copy_reg", copy_names},
                             Module{"argparse", namespace_names},
                             Module{"types", simple_names},
                             Module{"pathlib", path_names},
                             Module{"pathlib._local", path_names},
                             Module{"datetime", time_names},
                             Module{"numpy", array_names},
                             Module{"numpy.core.multiarray", array_functions},
                             Module{"numpy._core.multiarray", array_functions},
                             Module{"numpy.core.numeric", buffer_functions},
                             Module{"numpy._core.numeric", buffer_functions},
                             Module{"torch", torch_names},
                             Module{"torch._utils", rebuild_functions},
                             Module{"torch._tensor", tensor_functions},
                             Module{"torch.tensor", tensor_functions},
                             Module{"torch.nn.parameter", parameter_names},
                             Module{"torch.storage", storage_names},
                             Module{"torch.nested._internal.nested_tensor", jagged_functions},
                             Module{"pytorch_lightning.utilities.parsing", setting_names},
                             Module{"lightning.pytorch.utilities.parsing", setting_names},
                             Module{"lightning_fabric.utilities.data", setting_names},
                             Module{"lightning.fabric.utilities.data", setting_names},
                             Module{"torch.serialization", layout_functions},
                             Module{"transformers.tokenization_utils_base", encoding_names},
                             Module{"transformers.feature_extraction_utils", feature_names},
                             Module{"transformers.image_processing_base", feature_names},
                             Module{"tokenizers", fast_encoding_names}};

bool is_identifier(std::string_view name) {
  return std::ranges::all_of(name, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  });
}

/// torch.float32, torch.float8_e4m3fn, numpy.bool_: a stem, digits, and the form of a small float.
bool is_dtype(std::string_view name) {
  return std::ranges::any_of(dtype_stems, [&](std::string_view stem) {
    if (!name.starts_with(stem)) return false;
    const auto rest = name.substr(stem.size());
    return rest.empty() || rest == "_" || (rest[0] >= '0' && rest[0] <= '9');
  });
}

}  // namespace

bool is_allowed_name(std::string_view module, std::string_view name) {
  if (!is_identifier(name)) return false;
  for (const auto& [known, names] : modules)
    if (module == known && std::ranges::count(names, name) > 0) return true;
  if (module == "torch" || module == "torch.cuda") {
    if (name.ends_with("Storage")) return true;
    return module == "torch" && is_dtype(name);
  }
  if (module == "numpy") return is_dtype(name);
  if (module == "transformers.cache_utils") return name.ends_with("Cache") || name.ends_with("Layer");
  // Data classes of tensors, one for each kind of model.
  if (module.starts_with("transformers."))
    return module.ends_with("_outputs") ||
           (module.find(".modeling_") != std::string_view::npos && name.ends_with("Output"));
  return false;
}

}  // namespace vqscope
