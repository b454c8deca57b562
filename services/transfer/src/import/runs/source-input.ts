import type { Context } from '@quire/context';
import { invalidInput, QuireError, type Issue } from '@quire/errors';
import type { ImportSource, SourceInput } from '@quire/import-sources';
import { rowId } from '@quire/operation';
import { z } from 'zod';
import type { TransferDeps } from '../../transfer-deps.js';
import { accessTokenSchema, openConnection } from '../connections/index.js';

const url = z.url({ protocol: /^https?$/ });
const addressInput = z.object({
  type: z.literal('url').default('url'),
  url,
  token: z.string().max(8192).optional(),
});
const tokenInput = z.object({
  type: z.literal('oauth'),
  url,
  accessToken: accessTokenSchema,
  siteId: z.string().min(1).max(253).optional(),
});
const connectionInput = z.object({ type: z.literal('oauth'), connection: rowId });

/**
 * Reads the field `input` of a form: where the source reads from, unless the form has a file (contract 7). It is an
 * address, an address with an access token, or a connection of the user.
 * @throws QuireError NO_FILE without the field, VALIDATION_ERROR that names the property, NOT_FOUND for an unknown
 *   connection
 */
export async function readSourceInput(
  ctx: Context,
  deps: TransferDeps,
  { id, requiresFile }: ImportSource,
  text: string | undefined,
): Promise<SourceInput> {
  if (requiresFile || text === undefined)
    throw new QuireError(
      'NO_FILE',
      'The form must contain a file in the field "file", or an address in "input"',
    );
  const value = readJson(text);
  if (value.connection !== undefined) {
    const { connection } = parse(connectionInput, value);
    return openConnection(ctx, deps, { id: connection, source: id });
  }
  if (value.type === 'oauth') {
    const { siteId, ...input } = parse(tokenInput, value);
    return { ...input, ...(siteId !== undefined && { siteId }) };
  }
  const { token, ...input } = parse(addressInput, value);
  return { ...input, ...(token !== undefined && { token }) };
}

/** @throws QuireError VALIDATION_ERROR with paths below `input` */
function parse<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw invalidInput(
    parsed.error.issues.map(({ path, message }): Issue => ({
      path: ['input', ...path].join('.'),
      message,
    })),
  );
}

function readJson(text: string): { type?: unknown; connection?: unknown } {
  try {
    return parse(z.looseObject({}), JSON.parse(text));
  } catch (error) {
    if (error instanceof QuireError) throw error;
    throw invalidInput([{ path: 'input', message: 'must be JSON' }]);
  }
}
