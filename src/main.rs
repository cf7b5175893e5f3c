//! The `aiwg-gate` program.

/// Syntax trees are many small pieces that come and go together; reading them is a quarter faster with this one.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> std::process::ExitCode {
    aiwg_gate::cli::main().into()
}
