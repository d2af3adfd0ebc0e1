# vqscope_part(NAME DEPENDS PART...)
#
# The rooms that follow, up to the next call, belong to the part NAME. They depend on rooms of their own part and of those
# after DEPENDS, which the first call names (tests/rooms.py). vqscope::NAME links all rooms of the part. VQSCOPE_NAME=OFF,
# of a part with such an option, leaves out its rooms and their tests.
function(vqscope_part name)
  if(NOT TARGET vqscope_${name})
    add_library(vqscope_${name} INTERFACE)
    add_library(vqscope::${name} ALIAS vqscope_${name})
  endif()
  set(VQSCOPE_PART ${name} PARENT_SCOPE)
endfunction()

# vqscope_room(NAME DEPENDS ROOM... LINKS LIBRARY... PRIVATE_LINKS LIBRARY...)
#
# The folder NAME beside the CMakeLists.txt that calls is a static library of its own, which links the rooms that it
# depends on and no other: a call of a room below does not link. Of the same parent rooms are named as they are, others
# with their parent: core/base. Rooms are listed in their order; tests/rooms.py reads the lists, and checks every
# #include against them. Tests of a room are in tests/PARENT/NAME (tests/CMakeLists.txt).
function(vqscope_room name)
  cmake_parse_arguments(PARSE_ARGV 1 room "QT" "" "DEPENDS;LINKS;PRIVATE_LINKS")
  string(TOUPPER VQSCOPE_${VQSCOPE_PART} built)
  if(DEFINED ${built} AND NOT ${built})
    return()
  endif()
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
  target_link_libraries(vqscope_${VQSCOPE_PART} INTERFACE ${room})
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
  if(NOT TARGET ${room})
    return()
  endif()
  target_link_libraries(${room} PUBLIC vqscope_qt)
  vqscope_precompiled(${room} vqscope_qt_headers)
  set_target_properties(${room} PROPERTIES VQSCOPE_POINTER_CHECKS ON)
  get_target_property(headers ${room} SOURCES)
  list(FILTER headers INCLUDE REGEX "\\.h$")
  vqscope_moc(${room} ${headers})
endfunction()

# vqscope_composition(LIBRARY SOURCE LINKS ROOM... LAB ROOM...)
#
# SOURCE stands beside the rooms, which call what it defines: the only source of its folder that knows which parts this
# build has. It links the rooms after LAB if the lab is built.
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
