import type { Command } from 'commander';
import { exportSite } from '../export/export-site.js';
import type { CommandIo } from './command-io.js';
import {
  chooseSite,
  openApi,
  runSiteCommand,
  withSiteOptions,
  type SiteOptions,
} from './run-site-command.js';

interface ExportCommandOptions extends SiteOptions {
  comments: boolean;
  force?: true;
}

/** `cms site`: the whole site in a file. */
export function addSiteCommand(program: Command, io: CommandIo): void {
  const site = program.command('site');
  withSiteOptions(
    site
      .command('export')
      .argument('<file>', 'The tar archive to write.')
      .description(
        'Export the whole site into a tar archive, and verify every file of it. Ctrl-C or a broken line interrupts the export; the same command continues it. Needs the scope transfer:export of an Admin.',
      )
      .option('--no-comments', 'Leave the comments out.')
      .option('--force', 'Replace an existing file.'),
  ).action((file: string, options: ExportCommandOptions) =>
    runSiteCommand(
      io,
      { json: options.json, interruption: 'Interrupted; the same command continues the export' },
      async (deps) => {
        const api = openApi(deps, await chooseSite(deps, options));
        const { output, sleep, signal } = deps;
        const { comments, force = false } = options;
        await exportSite({ api, output, sleep, signal }, { file, comments, force });
      },
    ),
  );
}
