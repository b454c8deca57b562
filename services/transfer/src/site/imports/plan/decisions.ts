import type { Context } from '@quire/context';
import { QuireError } from '@quire/errors';
import { authApi } from '@quire/internal-api';
import { canonicalDigestOf } from '@quire/site-package';
import type { TransferDeps } from '../../../transfer-deps.js';
import { decisionsSchema, type Decisions } from './plan.js';

/** Faults that an error names. */
const maxNamed = 20;

/**
 * Checks the decisions of a request. Ids of principals that the package does not have are accepted; plans ignore them.
 * @throws QuireError TRANSFER_DECISIONS_INVALID with the unknown properties, the invalid values, or the users that do
 *   not exist
 */
export async function checkDecisions(
  ctx: Context,
  deps: Pick<TransferDeps, 'clients'>,
  submitted: unknown,
): Promise<Decisions> {
  const { data, error } = decisionsSchema.safeParse(submitted);
  if (error) {
    const faults = error.issues.map(({ path, message }) => `${['decisions', ...path].join('.')}: ${message}`);
    throw invalid(`The decisions are invalid: ${faults.slice(0, maxNamed).join('; ')}`, { faults });
  }
  const users = Object.values(data.principalMappings ?? {}).filter((user) => user !== null);
  const known = await existingUsers(ctx, deps, users);
  const unknown = [...new Set(users)].filter((user) => !known.has(user));
  if (unknown.length === 0) return data;
  throw invalid(`The decisions name users that do not exist: ${unknown.slice(0, maxNamed).join(', ')}`, {
    users: unknown,
  });
}

/** The ids of those users that exist. @throws QuireError SERVICE_UNAVAILABLE */
export async function existingUsers(
  ctx: Context,
  { clients }: Pick<TransferDeps, 'clients'>,
  ids: readonly string[],
): Promise<Set<string>> {
  const distinct = [...new Set(ids)];
  const known = new Set<string>();
  for (let start = 0; start < distinct.length; start += authApi.maxUserIds) {
    const page = distinct.slice(start, start + authApi.maxUserIds);
    const { items } = await clients.auth.call(authApi.usersByIds, ctx, { ids: page });
    for (const { id } of items) known.add(id);
  }
  return known;
}

/** Whether two requests decide the same, in whatever order of properties. */
export function isSameDecisions(left: Decisions = {}, right: Decisions = {}): boolean {
  return canonicalDigestOf(left) === canonicalDigestOf(right);
}

function invalid(message: string, named: Record<string, readonly string[]>): QuireError {
  const details = Object.fromEntries(
    Object.entries(named).map(([name, values]) => [name, values.slice(0, maxNamed)]),
  );
  return new QuireError('TRANSFER_DECISIONS_INVALID', message, { details });
}
