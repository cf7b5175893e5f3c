//! The `aiwg-gate` program.

fn main() -> std::process::ExitCode {
    aiwg_gate::cli::main().into()
}
