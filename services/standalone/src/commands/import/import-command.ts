import type { Command } from 'commander';
import { ConfigurationError } from '@quire/config';
import { checkCollectionSlug } from '@quire/content-model';
import { collect, tenantOption, type CommandDeps, type RunCommand } from '../run-command.js';
import { ImportApi } from './import-api.js';
import { runImport } from './run-import.js';
import { tableOf } from '../tables.js';

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
      'Import an export file (WXR) of the legacy platform into a running Quire. Ctrl-C pauses the import; the same command continues it, with the collections that it began with. A second import of a file changes only what the file has changed. Exits with 1 when an item or a media file failed, or a collection does not fit.',
    )
    .option(
      '--map <type=collection>',
      'The collection of a post type. May be repeated, once for each type.',
      collect,
      [],
    )
    .option('--media', 'Download the media files too, and replace their addresses in the content.')
    .option('--dry-run', 'Print what the file holds and where it would go; change nothing.');
  withApiOptions(command).action((file: string, options: ImportOptions) =>
    run(async (deps) => {
      const mappings = parseMappings(options.map);
      await withApi(deps, options, (api) => runImport(api, deps, { file, ...options, mappings }));
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
  const origin = url === undefined ? undefined : originOf(url);
  const [siteHost] = url === undefined ? await adminService.tenants.hostsOf(tenant) : [];
  const expiresAt = new Date(Date.now() + tokenHours * 3_600_000);
  const api = new ImportApi({
    origin: origin ?? `http://127.0.0.1:${installation.environment.PORT}`,
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

/** @throws ConfigurationError for a mapping that is not `type=collection`, or a second one of a type */
function parseMappings(texts: readonly string[]): ReadonlyMap<string, string> {
  const mappings = new Map(
    texts.map((text) => {
      const [type = '', collection = '', ...rest] = text.split('=');
      if (type === '' || collection === '' || rest.length > 0)
        throw new ConfigurationError(`--map must be type=collection, not '${text}'`);
      const problem = checkCollectionSlug(collection);
      if (problem) throw new ConfigurationError(`--map ${text}: ${problem.message}`);
      return [type, collection] as const;
    }),
  );
  if (mappings.size < texts.length) throw new ConfigurationError('--map may name each type once');
  return mappings;
}

/** @throws ConfigurationError for an address that is no origin */
function originOf(url: string): string {
  const { protocol, origin, href } = new URL(URL.canParse(url) ? url : 'about:blank');
  if (!['http:', 'https:'].includes(protocol) || href !== `${origin}/`)
    throw new ConfigurationError(`--url must be an origin such as https://cms.example, not '${url}'`);
  return origin;
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
