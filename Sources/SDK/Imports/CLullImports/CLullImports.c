/* A target in C needs a source. */
typedef int lull_imports_nothing;
