// The entry point of scrubjay_tests; every *_test.cpp registers its cases with doctest.
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>
