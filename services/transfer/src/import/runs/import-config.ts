import type { Context } from '@quire/context';
import { invalidInput, QuireError, type Issue } from '@quire/errors';
import { authApi, contentImportApi } from '@quire/internal-api';
import { z } from 'zod';
import type { TransferClients } from '../../clients/index.js';
import type { ImportConfig } from './import-state.js';

const typeName = z.string().min(1).max(200);

/** The field `config` of a request (contract 1.4). */
export const importConfigSchema = z.object({
  postTypeMappings: z.record(
    typeName,
    z.object({ collection: z.string().min(1).max(63), enabled: z.boolean().default(true) }),
  ),
  skipExisting: z.boolean().default(true),
  authorMappings: z.record(z.string().max(1000), z.string().min(1).nullable()).default({}),
  locale: z
    .string()
    .max(64)
    .regex(/^[a-z]{2,3}(-[a-z0-9]{2,8})*$/i, 'is not a locale code')
    .optional(),
  importSections: z.boolean().default(true),
  importComments: z.boolean().default(true),
  importMenus: z.boolean().default(true),
  stream: z.boolean().default(false),
});

export type ImportRequest = z.output<typeof importConfigSchema>;

/** The field `config` of a request that resumes an import: its other properties are those of the first request. */
const resumeConfigSchema = z.object({ importId: z.string(), stream: z.boolean().default(false) });

export type ResumeRequest = z.output<typeof resumeConfigSchema>;

/**
 * The import that the text of the field `config` names. An `importId` of null, as an analysis has it, names none.
 * @throws QuireError VALIDATION_ERROR for an `importId` that is no text
 */
export function parseResumeConfig(text: string | undefined): ResumeRequest | undefined {
  const config = jsonOf(text ?? '');
  const namesImport =
    typeof config === 'object' && config !== null && 'importId' in config && config.importId !== null;
  return namesImport ? parsed(resumeConfigSchema, config) : undefined;
}

/** @throws QuireError VALIDATION_ERROR naming each mistake in the text of the field `config` */
export function parseImportConfig(text: string | undefined): ImportRequest {
  if (text === undefined) throw invalidInput([{ path: 'config', message: 'is required' }]);
  const config = jsonOf(text);
  if (config === undefined) throw invalidInput([{ path: 'config', message: 'must be JSON' }]);
  return parsed(importConfigSchema, config);
}

function parsed<Schema extends z.ZodType>(schema: Schema, config: unknown): z.output<Schema> {
  const { success, data, error } = schema.safeParse(config);
  if (success) return data;
  throw invalidInput(
    error.issues.map(({ path, message }): Issue => ({ path: ['config', ...path].join('.'), message })),
  );
}

/** The value of a JSON text; undefined for another text. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/**
 * Checks a configuration against the site, and completes it.
 * @throws QuireError VALIDATION_ERROR for an unknown collection, user or locale; SERVICE_UNAVAILABLE
 */
export async function resolveImportConfig(
  ctx: Context,
  clients: TransferClients,
  request: ImportRequest,
): Promise<ImportConfig> {
  const targets = await clients.content.call(contentImportApi.getImportTargets, ctx);
  const mappings = enabledMappings(request);
  const known = new Set(targets.collections.map(({ slug }) => slug));
  const issues: Issue[] = Object.entries(mappings)
    .filter(([, collection]) => !known.has(collection))
    .map(([type, collection]) => ({
      path: `config.postTypeMappings.${type}.collection`,
      message: `the collection '${collection}' does not exist; prepare it first`,
    }));
  const locale = request.locale ?? targets.defaultLocale;
  if (targets.locales && !targets.locales.includes(locale))
    issues.push({ path: 'config.locale', message: `must be one of: ${targets.locales.join(', ')}` });
  issues.push(...(await unknownUsers(ctx, clients, request)));
  if (issues.length > 0) throw invalidInput(issues);
  const { skipExisting, authorMappings, importSections, importComments, importMenus } = request;
  return { mappings, skipExisting, authorMappings, locale, importSections, importComments, importMenus };
}

function enabledMappings({ postTypeMappings }: ImportRequest): Record<string, string> {
  return Object.fromEntries(
    Object.entries(postTypeMappings)
      .filter(([, { enabled }]) => enabled)
      .map(([type, { collection }]) => [type, collection]),
  );
}

async function unknownUsers(
  ctx: Context,
  { auth }: TransferClients,
  { authorMappings }: ImportRequest,
): Promise<Issue[]> {
  const ids = [...new Set(Object.values(authorMappings).filter((id) => id !== null))];
  if (ids.length > authApi.maxUserIds)
    return [{ path: 'config.authorMappings', message: `may name at most ${authApi.maxUserIds} users` }];
  if (ids.length === 0) return [];
  const { items } = await auth.call(authApi.usersByIds, ctx, { ids });
  const known = new Set(items.map(({ id }) => id));
  return Object.entries(authorMappings)
    .filter(([, id]) => id !== null && !known.has(id))
    .map(([login]) => ({ path: `config.authorMappings.${login}`, message: 'is no user of the site' }));
}

/** @throws QuireError NOT_FOUND */
export function importNotFound(): QuireError {
  return new QuireError('NOT_FOUND', 'There is no such import');
}
