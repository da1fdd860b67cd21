use std::process::ExitCode;

use couloir::process::memory::OrOneSentence;

#[global_allocator]
static MEMORY: OrOneSentence = OrOneSentence;

fn main() -> ExitCode {
    couloir::cli::main()
}
