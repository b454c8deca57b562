import { InvalidArgumentError, Option, type Command } from 'commander';
import { CommandError } from '../command-error.js';
import { exportSite } from '../export/export-site.js';
import { abandonImport } from '../import/abandon-import.js';
import { importSite } from '../import/import-site.js';
import type { CommandIo } from './command-io.js';
import {
  chooseSite,
  openApi,
  runSiteCommand,
  withSiteOptions,
  type CommandDeps,
  type SiteOptions,
} from './run-site-command.js';

interface ExportCommandOptions extends SiteOptions {
  comments: boolean;
  force?: true;
}

interface ImportCommandOptions extends SiteOptions {
  map?: Map<string, string | null>;
  title?: 'package' | 'target';
  tagline?: 'package' | 'target';
  yes?: true;
}

const importScopes = 'Needs the scopes transfer:analyze and transfer:execute of an Admin.';

/** `cms site`: the whole site in a file. */
export function addSiteCommand(program: Command, io: CommandIo): void {
  const site = program.command('site');
  addExportCommand(site, io);
  addImportCommand(site, io);
  addAbandonCommand(site, io);
}

function addExportCommand(site: Command, io: CommandIo): void {
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
        const { comments, force = false } = options;
        await exportSite(await transferDeps(deps, options), { file, comments, force });
      },
    ),
  );
}

function addImportCommand(site: Command, io: CommandIo): void {
  const titleSource = (flag: string, what: string) =>
    new Option(`--${flag} <source>`, `The ${what} after the import. The default is package.`).choices([
      'package',
      'target',
    ]);
  withSiteOptions(
    site
      .command('import')
      .argument('<file>', 'The tar archive of cms site export.')
      .description(
        `Import a whole site from a tar archive into an empty site. Uploads the package, shows what will happen, and writes after a yes. Ctrl-C or a broken line interrupts the upload; the same command continues it. ${importScopes}`,
      )
      .option(
        '--map <principal=user>',
        'The user of this site for one of the package: its id or e-mail address, and the id of the user, or none. May be repeated.',
        collectMapping,
      )
      .addOption(titleSource('title', 'title'))
      .addOption(titleSource('tagline', 'tagline'))
      .option('--yes', 'Import without a question when the plan has no blockers.'),
  ).action((file: string, options: ImportCommandOptions) =>
    runSiteCommand(
      io,
      {
        json: options.json,
        interruption: 'Interrupted; a started import goes on at the site, and the same command continues',
      },
      async (deps) => {
        const { map: mappings = new Map<string, null>(), title, tagline } = options;
        await importSite(await transferDeps(deps, options), {
          file,
          mappings,
          ...(title && { siteTitle: title }),
          ...(tagline && { siteTagline: tagline }),
          confirm: () => confirmImport(deps, options),
        });
      },
    ),
  );
}

function addAbandonCommand(site: Command, io: CommandIo): void {
  withSiteOptions(
    site
      .command('abandon')
      .description(
        `Cancel the unfinished import of a site, and delete what it has written: the site is empty then, and open for writes. ${importScopes}`,
      ),
  ).action((options: SiteOptions) =>
    runSiteCommand(
      io,
      { json: options.json, interruption: 'Interrupted; run the same command again' },
      async (deps) => abandonImport(await transferDeps(deps, options)),
    ),
  );
}

async function transferDeps(deps: CommandDeps, options: SiteOptions) {
  const { output, sleep, signal } = deps;
  return { api: openApi(deps, await chooseSite(deps, options)), output, sleep, signal };
}

/** @throws CommandError without a terminal */
async function confirmImport(
  { confirm, signal }: CommandDeps,
  { yes, json }: ImportCommandOptions,
): Promise<boolean> {
  if (yes) return true;
  if (!confirm || json) throw new CommandError('Nothing was written: confirm the plan with --yes');
  return confirm('The import replaces the empty site, which is read-only until it ends.', signal);
}

/** @throws InvalidArgumentError for a text that is not PRINCIPAL=USER */
function collectMapping(
  value: string,
  earlier = new Map<string, string | null>(),
): Map<string, string | null> {
  const [, principal, user] = /^(.+)=([^=]+)$/.exec(value) ?? [];
  if (principal === undefined || user === undefined) throw new InvalidArgumentError('Write principal=user.');
  return new Map([...earlier, [principal, user === 'none' ? null : user]]);
}
