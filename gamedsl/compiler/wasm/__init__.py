"""The Core compiled to a WebAssembly module that any host can run, without a linker."""
