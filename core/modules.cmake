# What a release compiles HOT modules and those with Qt with: without -O3's way to tell where vectors
# pay, pictures of masks take up to three times as long.
set(vqscope_hot $<$<CONFIG:Release>:-O2>
    $<$<AND:$<CONFIG:Release>,$<CXX_COMPILER_ID:GNU>>:-fvect-cost-model=dynamic>)

# vqscope_part(NAME DEPENDS PART...)
#
# The modules that follow, up to the next call, belong to the part NAME. They depend on modules of
# their own part and of those after DEPENDS, which the first call names (tests/rooms.py).
# vqscope::NAME links all modules of the part. VQSCOPE_NAME=OFF, of a part with such an option,
# leaves out its modules and their tests.
function(vqscope_part name)
  if(NOT TARGET vqscope_${name})
    add_library(vqscope_${name} INTERFACE)
    add_library(vqscope::${name} ALIAS vqscope_${name})
  endif()
  set(VQSCOPE_PART ${name} PARENT_SCOPE)
endfunction()

# vqscope_module(NAME [HOT] DEPENDS MODULE... LINKS LIBRARY... PRIVATE_LINKS LIBRARY...)
#
# The folder NAME beside the CMakeLists.txt that calls is a static library of its own, which links
# the modules that it depends on and no other: a call of a module below does not link. A release
# compiles a HOT module, whose loops a benchmark measures, with -O2, and has precompiled headers of
# this level: with others GCC 12 crashes. Of the same parent modules are named as they are, others
# with their parent: core/base. Modules are listed in their order; tests/rooms.py reads the lists,
# and checks every #include against them. Tests of a module are in tests/PARENT/NAME
# (tests/CMakeLists.txt).
function(vqscope_module name)
  cmake_parse_arguments(PARSE_ARGV 1 module "QT;HOT" "" "DEPENDS;LINKS;PRIVATE_LINKS")
  string(TOUPPER VQSCOPE_${VQSCOPE_PART} built)
  if(DEFINED ${built} AND NOT ${built})
    return()
  endif()
  cmake_path(GET CMAKE_CURRENT_SOURCE_DIR FILENAME parent)
  set(module ${parent}_${name})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${name}/*.cpp ${name}/*.h)
  add_library(${module} STATIC ${sources})
  target_include_directories(${module} PUBLIC ${PROJECT_SOURCE_DIR})
  if(VQSCOPE_UNITY)
    set_target_properties(${module} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 10)
  endif()
  set(kind core_headers)
  if(module_HOT)
    target_compile_options(${module} PRIVATE ${vqscope_hot})
    set(kind hot_core_headers)
  endif()
  foreach(above IN LISTS module_DEPENDS)
    if(NOT above MATCHES "/")
      string(PREPEND above ${parent}/)
    endif()
    string(REPLACE "/" "_" library ${above})
    if(NOT TARGET ${library})
      message(FATAL_ERROR "The module ${parent}/${name} depends on ${above}, which does not stand above it")
    endif()
    target_link_libraries(${module} PUBLIC ${library})
  endforeach()
  target_link_libraries(${module} PUBLIC ${module_LINKS} PRIVATE ${module_PRIVATE_LINKS} vqscope_flags)
  if(NOT module_QT)
    # Not PUBLIC: sentences are made in sources, and nobody else parses fmt's headers.
    target_link_libraries(${module} PRIVATE fmt::fmt)
    if(TARGET vqscope_${kind})
      vqscope_precompiled(${module} vqscope_${kind})
    endif()
  endif()
  target_link_libraries(vqscope_${parent} INTERFACE ${module})
  target_link_libraries(vqscope_${VQSCOPE_PART} INTERFACE ${module})
  set_property(GLOBAL APPEND PROPERTY VQSCOPE_MODULES ${parent}/${name})
  foreach(header IN LISTS sources)
    cmake_path(REPLACE_EXTENSION header LAST_ONLY cpp OUTPUT_VARIABLE own)
    if(header MATCHES "\\.h$" AND NOT (parent STREQUAL core AND EXISTS ${own}))
      target_sources(vqscope_headers_of_${parent} INTERFACE FILE_SET HEADERS BASE_DIRS ${PROJECT_SOURCE_DIR} FILES ${header})
    endif()
  endforeach()
endfunction()

# vqscope_modules(PARENT): vqscope_PARENT is all the modules of the folder that calls, together. The
# target headers compiles each of their headers alone: one that needs what its users happen to
# include before it does not compile. A header of the core with a source of its own is compiled
# alone by that source, which includes it first (tests/rooms.py), wherever sources are compiled one
# by one and nothing is precompiled, as clang-tidy does.
function(vqscope_modules parent)
  add_library(vqscope_${parent} INTERFACE)
  add_library(vqscope_headers_of_${parent} INTERFACE)
  target_link_libraries(vqscope_headers_of_${parent} INTERFACE vqscope_${parent} vqscope_flags)
  target_compile_options(vqscope_headers_of_${parent} INTERFACE -O0)
  set_target_properties(vqscope_headers_of_${parent} PROPERTIES VERIFY_INTERFACE_HEADER_SETS ON)
  if(NOT TARGET headers)
    add_custom_target(headers)
  endif()
  # CMake's name for it; it exists from the end of the configuration on.
  add_dependencies(headers vqscope_headers_of_${parent}_verify_interface_header_sets)
endfunction()

# A module with Qt in it: its headers are parsed once for all of them. It lives on pointers, and
# computes little.
function(vqscope_qt_module name)
  vqscope_module(${name} QT ${ARGN})
  cmake_path(GET CMAKE_CURRENT_SOURCE_DIR FILENAME parent)
  set(module ${parent}_${name})
  if(NOT TARGET ${module})
    return()
  endif()
  target_link_libraries(${module} PUBLIC vqscope_qt)
  vqscope_precompiled(${module} vqscope_qt_headers)
  target_compile_options(${module} PRIVATE ${vqscope_hot})
  set_target_properties(${module} PROPERTIES VQSCOPE_POINTER_CHECKS ON)
  get_target_property(headers ${module} SOURCES)
  list(FILTER headers INCLUDE REGEX "\\.h$")
  vqscope_moc(${module} ${headers})
endfunction()

# vqscope_composition(LIBRARY SOURCE LINKS MODULE... LAB MODULE...)
#
# SOURCE stands beside the modules, which call what it defines: the only source of its folder that
# knows which parts this build has. It links the modules after LAB if the lab is built.
function(vqscope_composition library source)
  cmake_parse_arguments(PARSE_ARGV 2 part "" "" "LINKS;LAB")
  add_library(${library} STATIC ${source})
  target_include_directories(${library} PRIVATE ${PROJECT_SOURCE_DIR})
  target_link_libraries(${library} PRIVATE ${part_LINKS} vqscope_flags)
  target_compile_definitions(${library} PRIVATE VQSCOPE_LAB=$<BOOL:${VQSCOPE_LAB}>)
  if(VQSCOPE_LAB)
    target_link_libraries(${library} PRIVATE ${part_LAB})
  endif()
endfunction()
