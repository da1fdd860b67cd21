use std::process::ExitCode;

fn main() -> ExitCode {
    couloir::cli::main()
}
