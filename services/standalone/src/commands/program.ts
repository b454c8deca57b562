import { addSiteCommands, createProgram as createCliProgram, processIo } from '@quire/cli';
import type { Command } from 'commander';
import { addAuditCommands } from './audit.js';
import { addBackupCommands } from './backup.js';
import { addInstallationCommands, addKeyCommands, addTokenCommands } from './commands.js';
import { addImportCommands } from './import/index.js';
import { addMigrateCommand } from './migrate.js';
import { addOperatorCommands } from './operators.js';
import { addOutboxCommands, addQueueCommands, addWorkCommands } from './queues/index.js';
import { addRestoreCommands } from './restore.js';
import type { RunCommand } from './run-command.js';
import { addTenantCommands } from './tenants.js';

/**
 * Every command of `cms` (design 11): those on the installation, and those of libs/cli on sites, which need none. The
 * first fail as `run` does, the others with CommandError. The parse methods throw CommanderError as well.
 */
export function createProgram(run: RunCommand, io = processIo()): Command {
  const program = createCliProgram('Administers an installation of Quire.')
    // `import` and its subcommand have options of the same names.
    .enablePositionalOptions();
  addTokenCommands(program, run);
  addKeyCommands(program, run);
  addTenantCommands(program, run);
  addAuditCommands(program, run);
  addQueueCommands(program, run);
  addOutboxCommands(program, run);
  addWorkCommands(program, run);
  addOperatorCommands(program, run);
  addImportCommands(program, run);
  addMigrateCommand(program, run);
  addBackupCommands(program, run);
  addRestoreCommands(program, run);
  addInstallationCommands(program, run);
  addSiteCommands(program, io);
  return program;
}
