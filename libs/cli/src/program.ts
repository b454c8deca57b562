import { Command } from 'commander';
import type { CommandIo } from './commands/command-io.js';
import { addLoginCommand } from './commands/login.js';
import { addLogoutCommand } from './commands/logout.js';
import { addSiteCommand } from './commands/site.js';
import { addWhoamiCommand } from './commands/whoami.js';

/** Adds the commands on sites to a program. Their actions throw CommandError. */
export function addSiteCommands(program: Command, io: CommandIo): void {
  addLoginCommand(program, io);
  addWhoamiCommand(program, io);
  addLogoutCommand(program, io);
  addSiteCommand(program, io);
}

/**
 * A program without commands. Its parse methods throw CommanderError for unknown commands and options, after a line on
 * stderr, and for `--help`, after the text on stdout, which lists the commands of groups too.
 */
export function createProgram(description: string): Command {
  return new Command('cms')
    .description(description)
    .usage('<command>')
    .helpCommand(false)
    .helpOption('--help', 'Print this text.')
    .showSuggestionAfterError(false)
    .exitOverride()
    .configureHelp({
      visibleCommands: leavesOf,
      subcommandTerm: (command) => `${pathOf(command)} ${command.usage()}`,
    });
}

/** The commands that run: groups such as `site` only hold others, `import` does both. */
function leavesOf({ commands }: Command): Command[] {
  return commands.flatMap((command) => {
    const leaves = leavesOf(command);
    return leaves.length === 0 || command.registeredArguments.length > 0 ? [command, ...leaves] : leaves;
  });
}

/** The words that call a command: `site export`. */
function pathOf(command: Command): string {
  const { parent } = command;
  return parent?.parent ? `${pathOf(parent)} ${command.name()}` : command.name();
}
