import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { ConfigurationError, type SiteLimits } from '@quire/config';
import type { SiteOptions } from '@quire/tenancy';
import { commandLineActor, jsonOption } from './queues/index.js';
import { collect, type RunCommand } from './run-command.js';

/** The value that removes a limit, a setting or the plan. */
const none = 'none';
const byteUnits: Readonly<Record<string, number>> = {
  KiB: 2 ** 10,
  MiB: 2 ** 20,
  GiB: 2 ** 30,
  TiB: 2 ** 40,
};

interface LimitName {
  limit: keyof SiteLimits;
  isBytes: boolean;
}

/** Limits by their names on the command line. */
const limitNames: Readonly<Record<string, LimitName>> = {
  entries: { limit: 'entries', isBytes: false },
  media: { limit: 'mediaBytes', isBytes: true },
  uploads: { limit: 'uploadBytes', isBytes: true },
  requests: { limit: 'requestsPerSecond', isBytes: false },
};

/** Commands on the limits and settings of sites. */
export function addTenantOptionCommands(tenant: Command, run: RunCommand): void {
  tenant
    .command('limit')
    .description(
      'Limit a site: its entries, the bytes of its media files and of one upload, its requests in a second. The limits that are not named remain.',
    )
    .argument('<id>', 'The site.')
    .argument(
      '[limits...]',
      'entries=100000, media=5GiB, uploads=20MiB or requests=50; with the value none a limit is removed.',
    )
    .option('--plan <name>', 'The name of the plan, for operators; none removes it.')
    .option(...jsonOption)
    .action((id: string, texts: string[], { plan, json }: { plan?: string; json?: true }) =>
      run(async ({ adminService }) => {
        if (texts.length === 0 && plan === undefined)
          throw new ConfigurationError('Name a limit, such as entries=100000, or a --plan');
        const limits = Object.fromEntries(texts.map(limitOf));
        const options = { limits, plan: plan === none ? null : plan };
        const changed = await adminService.tenants.setLimits(id, options, commandLineActor());
        return json ? JSON.stringify(changed, null, 2) : `The tenant ${id} has ${describeLimits(changed)}`;
      }),
    );
  tenant
    .command('configure')
    .description(
      'Set settings of a site in place of those of the installation: locales, defaultLocale, mailFrom and signIn.',
    )
    .argument('<id>', 'The site.')
    .option('--file <file>', 'A JSON file with all settings of the site. Others are removed.')
    .option(
      '--set <key=value>',
      'A setting, such as defaultLocale=de, locales=["de","en"] or signIn.signup=false; with the value none it is removed. May be repeated.',
      collect,
    )
    .option(...jsonOption)
    .action((id: string, { file, set, json }: { file?: string; set?: string[]; json?: true }) =>
      run(async ({ adminService: { tenants } }) => {
        if ((file === undefined) === (set === undefined))
          throw new ConfigurationError('Name a --file with all settings, or settings with --set');
        const actor = commandLineActor();
        const changed =
          file === undefined
            ? await tenants.changeSettings(id, (set ?? []).map(patchOf), actor)
            : await tenants.setSettings(id, await readSettings(file), actor);
        if (json) return JSON.stringify(changed, null, 2);
        return `The settings of the tenant ${id} are ${JSON.stringify(changed.settings)}`;
      }),
    );
}

/** @throws ConfigurationError for another text than `entries=100000` */
function limitOf(text: string): [string, number | null] {
  const [name, value] = splitAssignment(text);
  const known = Object.hasOwn(limitNames, name) ? limitNames[name] : undefined;
  if (!known)
    throw new ConfigurationError(`${name}: is not a limit; there are ${Object.keys(limitNames).join(', ')}`);
  if (value === none) return [known.limit, null];
  const [, digits, unit] = /^(\d{1,15})([KMGT]iB)?$/.exec(value) ?? [];
  if (digits === undefined || (unit !== undefined && !known.isBytes))
    throw new ConfigurationError(
      `${name}: must be a whole number${known.isBytes ? ', also with KiB, MiB, GiB or TiB' : ''}, or ${none}`,
    );
  return [known.limit, Number(digits) * (unit === undefined ? 1 : (byteUnits[unit] ?? 1))];
}

/** The JSON merge patch of an assignment. A key with dots is a path. */
function patchOf(assignment: string): unknown {
  const [path, value] = splitAssignment(assignment);
  return path.split('.').reduceRight<unknown>((inner, key) => ({ [key]: inner }), valueOf(value));
}

/** JSON, else the text itself. */
function valueOf(text: string): unknown {
  if (text === none) return null;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** @throws ConfigurationError for a text without a name and = */
function splitAssignment(text: string): [name: string, value: string] {
  const end = text.indexOf('=');
  if (end < 1) throw new ConfigurationError(`${text}: must be a name, = and a value`);
  return [text.slice(0, end), text.slice(end + 1)];
}

/** @throws ConfigurationError when the file is missing or no JSON */
async function readSettings(path: string): Promise<unknown> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new ConfigurationError(`${path}: the file cannot be read (${error.code ?? 'error'})`);
  });
  try {
    return JSON.parse(text);
  } catch {
    throw new ConfigurationError(`${path}: is not JSON`);
  }
}

function describeLimits({ limits, plan }: SiteOptions): string {
  const texts = Object.entries(limitNames).flatMap(([name, { limit, isBytes }]) => {
    const value = limits[limit];
    return value === undefined ? [] : [`${name}=${isBytes ? formatBytes(value) : value}`];
  });
  const listed = texts.length > 0 ? `the limits ${texts.join(' ')}` : 'no limits';
  return plan === null ? listed : `${listed}, and the plan ${plan}`;
}

/** In the largest unit of which it is a multiple. */
function formatBytes(bytes: number): string {
  const [unit, size] = Object.entries(byteUnits).findLast(([, each]) => bytes % each === 0) ?? ['', 1];
  return `${bytes / size}${unit}`;
}
