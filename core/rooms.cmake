# vqscope_room(NAME DEPENDS ROOM... LINKS LIBRARY... PRIVATE_LINKS LIBRARY...)
#
# The folder NAME beside the CMakeLists.txt that calls is a static library of its own, which links the rooms that it
# depends on and no other: a call of a room below does not link. Of the same parent rooms are named as they are, others
# with their parent: core/base. Rooms are listed in their order; tests/rooms.py reads the lists, and checks every
# #include against them. Tests of a room are in tests/PARENT/NAME (tests/CMakeLists.txt).
function(vqscope_room name)
  cmake_parse_arguments(PARSE_ARGV 1 room "QT" "" "DEPENDS;LINKS;PRIVATE_LINKS")
  cmake_path(GET CMAKE_CURRENT_SOURCE_DIR FILENAME parent)
  set(room ${parent}_${name})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${name}/*.cpp ${name}/*.h)
  add_library(${room} STATIC ${sources})
  target_include_directories(${room} PUBLIC ${PROJECT_SOURCE_DIR})
  if(VQSCOPE_UNITY)
    set_target_properties(${room} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 16)
  endif()
  foreach(above IN LISTS room_DEPENDS)
    if(NOT above MATCHES "/")
      string(PREPEND above ${parent}/)
    endif()
    string(REPLACE "/" "_" library ${above})
    if(NOT TARGET ${library})
      message(FATAL_ERROR "The room ${parent}/${name} depends on ${above}, which does not stand above it")
    endif()
    target_link_libraries(${room} PUBLIC ${library})
  endforeach()
  target_link_libraries(${room} PUBLIC ${room_LINKS} PRIVATE ${room_PRIVATE_LINKS} vqscope_flags)
  if(NOT room_QT)
    # Not PUBLIC: sentences are made in sources, and nobody else parses fmt's headers.
    target_link_libraries(${room} PRIVATE fmt::fmt)
    if(TARGET vqscope_core_headers)
      vqscope_precompiled(${room} vqscope_core_headers)
    endif()
  endif()
  target_link_libraries(vqscope_${parent} INTERFACE ${room})
  set_property(GLOBAL APPEND PROPERTY VQSCOPE_ROOMS ${parent}/${name})
  foreach(header IN LISTS sources)
    cmake_path(REPLACE_EXTENSION header LAST_ONLY cpp OUTPUT_VARIABLE own)
    if(header MATCHES "\\.h$" AND NOT (parent STREQUAL core AND EXISTS ${own}))
      target_sources(vqscope_headers_of_${parent} INTERFACE FILE_SET HEADERS BASE_DIRS ${PROJECT_SOURCE_DIR} FILES ${header})
    endif()
  endforeach()
endfunction()

# vqscope_rooms(PARENT): vqscope_PARENT is all the rooms of the folder that calls, together. The target headers compiles
# each of their headers alone: one that needs what its users happen to include before it does not compile. A header of
# the core with a source of its own is compiled alone by that source, which includes it first (tests/rooms.py), wherever
# sources are compiled one by one and nothing is precompiled, as clang-tidy does.
function(vqscope_rooms parent)
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

# A room with Qt in it: its headers are parsed once for all of them. It lives on pointers, and computes little.
function(vqscope_qt_room name)
  vqscope_room(${name} QT ${ARGN})
  cmake_path(GET CMAKE_CURRENT_SOURCE_DIR FILENAME parent)
  set(room ${parent}_${name})
  target_link_libraries(${room} PUBLIC vqscope_qt)
  vqscope_precompiled(${room} vqscope_qt_headers)
  set_target_properties(${room} PROPERTIES VQSCOPE_POINTER_CHECKS ON)
  get_target_property(headers ${room} SOURCES)
  list(FILTER headers INCLUDE REGEX "\\.h$")
  vqscope_moc(${room} ${headers})
endfunction()
