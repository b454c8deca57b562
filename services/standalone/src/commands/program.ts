import { Command } from 'commander';
import { addAuditCommands } from './audit.js';
import { addInstallationCommands, addKeyCommands, addTokenCommands } from './commands.js';
import { addImportCommands } from './import/index.js';
import type { RunCommand } from './run-command.js';
import { addTenantCommands } from './tenants.js';

/**
 * Every command of `cms` (design 11). Its parse methods throw CommanderError for unknown commands and options, after a
 * line on stderr, and for `--help`, after the text on stdout.
 */
export function createProgram(run: RunCommand): Command {
  const program = new Command('cms')
    .description('Administers an installation of Quire.')
    .usage('<command>')
    .helpCommand(false)
    .helpOption('--help', 'Print this text.')
    .showSuggestionAfterError(false)
    // `import` and its subcommand have options of the same names.
    .enablePositionalOptions()
    .exitOverride()
    .configureHelp({
      visibleCommands: leavesOf,
      subcommandTerm: (command) => `${pathOf(command)} ${command.usage()}`,
    });
  addTokenCommands(program, run);
  addKeyCommands(program, run);
  addTenantCommands(program, run);
  addAuditCommands(program, run);
  addImportCommands(program, run);
  addInstallationCommands(program, run);
  return program;
}

/** The commands that run: groups such as `tenant` only hold others, `import` does both. */
function leavesOf({ commands }: Command): Command[] {
  return commands.flatMap((command) => {
    const leaves = leavesOf(command);
    return leaves.length === 0 || command.registeredArguments.length > 0 ? [command, ...leaves] : leaves;
  });
}

/** The words that call a command: `tenant create`. */
function pathOf(command: Command): string {
  const { parent } = command;
  return parent?.parent ? `${pathOf(parent)} ${command.name()}` : command.name();
}
