import type { Command } from 'commander';
import { ConfigurationError } from '@quire/config';
import { collect, tenantOption, type CommandDeps, type RunCommand } from '../run-command.js';
import { ImportApi } from './import-api.js';
import { runImport } from './run-import.js';
import { tableOf } from './tables.js';

/** Hours that the token of a command is valid: longer than an import takes. */
const tokenHours = 24;

interface ApiOptions {
  tenant: string;
  url?: string;
  token?: string;
}

interface ImportOptions extends ApiOptions {
  map: string[];
  media?: true;
  dryRun?: true;
}

/** The import of exports of the legacy platform (spec document 3), through the API of a running installation. */
export function addImportCommands(program: Command, run: RunCommand): void {
  const command = program
    .command('import')
    .enablePositionalOptions()
    .argument('<file>', 'The export file.')
    .description(
      'Import an export file (WXR) of the legacy platform into a running Quire. Ctrl-C pauses the import; the same command resumes it. A second import of a file changes only what the file has changed. Exits with 1 when an item or a media file failed.',
    )
    .option('--map <type=collection>', 'The collection of a post type. May be repeated.', collect, [])
    .option('--media', 'Download the media files too, and replace their addresses in the content.')
    .option('--dry-run', 'Print what the file holds and where it would go; change nothing.');
  withApiOptions(command).action((file: string, options: ImportOptions) =>
    run(async (deps) => {
      await withApi(deps, options, (api) =>
        runImport(api, deps, { file, ...options, mappings: parseMappings(options.map) }),
      );
    }),
  );
  const undo = command
    .command('undo')
    .argument('<id>', 'The id of the import, which its summary prints.')
    .description('Delete what an import created and no user has changed since.');
  withApiOptions(undo).action((id: string, options: ApiOptions) =>
    run((deps) => withApi(deps, options, (api) => undoImport(api, id))),
  );
}

function withApiOptions(command: Command): Command {
  return command
    .option(...tenantOption)
    .option('--url <origin>', 'The origin of the site. The default is this computer, at PORT.')
    .option('--token <token>', 'A token of an admin. The default is a new one, valid for a day.');
}

async function withApi<Result>(
  { adminService, installation }: CommandDeps,
  { tenant, url, token }: ApiOptions,
  use: (api: ImportApi) => Promise<Result>,
): Promise<Result> {
  const [siteHost] = url === undefined ? await adminService.hostsOf(tenant) : [];
  const expiresAt = new Date(Date.now() + tokenHours * 3_600_000);
  const api = new ImportApi({
    origin: url?.replace(/\/+$/, '') ?? `http://127.0.0.1:${installation.environment.PORT}`,
    host: siteHost,
    token:
      token ??
      (await adminService.createToken({ role: 'admin', scopes: [], name: 'cms import', tenant, expiresAt })),
  });
  try {
    return await use(api);
  } finally {
    await api.close();
  }
}

/** @throws ConfigurationError for a mapping that is not `type=collection` */
function parseMappings(texts: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    texts.map((text) => {
      const [type = '', collection = '', ...rest] = text.split('=');
      if (type === '' || collection === '' || rest.length > 0)
        throw new ConfigurationError(`--map must be type=collection, not '${text}'`);
      return [type, collection];
    }),
  );
}

async function undoImport(api: ImportApi, id: string): Promise<string> {
  const path = `import/legacy/imports/${encodeURIComponent(id)}/undo`;
  const { deleted, kept } = await api.call<Record<'deleted' | 'kept', Record<string, number>>>('POST', path);
  const kinds = [...new Set([...Object.keys(deleted), ...Object.keys(kept)])].sort();
  if (kinds.length === 0) return 'Nothing is left of the import';
  return tableOf([
    ['', 'deleted', 'kept'],
    ...kinds.map((kind) => [kind, deleted[kind] ?? 0, kept[kind] ?? 0]),
  ]);
}
