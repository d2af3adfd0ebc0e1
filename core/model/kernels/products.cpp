// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/kernels/products.h"

#include "core/model/kernels/product_builds.h"

#include <type_traits>

namespace vqscope {
namespace {

std::vector<const ProductBuild*> usable_builds() {
  std::vector<const ProductBuild*> usable{portable_products()};
#if defined(__x86_64__) || defined(__i386__)
  const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  const bool avx512 = avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
                      __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl");
  if (avx2 && avx2_products()) usable.push_back(avx2_products());
  if (avx512 && avx512_products()) usable.push_back(avx512_products());
#endif
  return usable;
}

template <class Real>
const Products<Real>* built_products(const ProductBuild& build) {
  if constexpr (std::is_same_v<Real, float>)
    return &build.of_floats;
  else
    return &build.of_doubles;
}

template <class Real>
const LayerKernels<Real>* built_layer_kernels(const ProductBuild& build) {
  if constexpr (std::is_same_v<Real, float>)
    return &build.layers_of_floats;
  else
    return &build.layers_of_doubles;
}

}  // namespace

template <class Real>
std::vector<const Products<Real>*> usable_products() {
  std::vector<const Products<Real>*> usable;
  for (const ProductBuild* build : usable_builds()) usable.push_back(built_products<Real>(*build));
  return usable;
}

template <class Real>
const Products<Real>& best_products() {
  static const Products<Real>& best = *usable_products<Real>().back();
  return best;
}

template <class Real>
std::vector<const LayerKernels<Real>*> usable_layer_kernels() {
  std::vector<const LayerKernels<Real>*> usable;
  for (const ProductBuild* build : usable_builds()) usable.push_back(built_layer_kernels<Real>(*build));
  return usable;
}

template <class Real>
const LayerKernels<Real>& best_layer_kernels() {
  static const LayerKernels<Real>& best = *usable_layer_kernels<Real>().back();
  return best;
}

template std::vector<const Products<float>*> usable_products();
template std::vector<const Products<double>*> usable_products();
template const Products<float>& best_products();
template const Products<double>& best_products();
template std::vector<const LayerKernels<float>*> usable_layer_kernels();
template std::vector<const LayerKernels<double>*> usable_layer_kernels();
template const LayerKernels<float>& best_layer_kernels();
template const LayerKernels<double>& best_layer_kernels();

}  // namespace vqscope
