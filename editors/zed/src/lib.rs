//! Starts `gamedsl lsp` for Zed.

use zed_extension_api::{self as zed, settings::LspSettings, Command, LanguageServerId, Result, Worktree};

struct Gamedsl;

impl zed::Extension for Gamedsl {
    fn new() -> Self {
        Gamedsl
    }

    /// The command on the PATH, or that of the settings: `"lsp": {"gamedsl": {"binary": {"path": ...}}}`.
    fn language_server_command(&mut self, server: &LanguageServerId, worktree: &Worktree) -> Result<Command> {
        let binary = LspSettings::for_worktree(server.as_ref(), worktree)?.binary;
        let (path, arguments) = binary.map_or((None, None), |found| (found.path, found.arguments));
        let command = path
            .or_else(|| worktree.which("gamedsl"))
            .ok_or("gamedsl is not on the PATH: pip install 'gamedsl[lsp]'")?;
        Ok(Command {
            command,
            args: arguments.unwrap_or_else(|| vec!["lsp".into()]),
            env: worktree.shell_env(),
        })
    }
}

zed::register_extension!(Gamedsl);
