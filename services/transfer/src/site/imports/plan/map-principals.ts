import type { Context } from '@quire/context';
import { authApi } from '@quire/internal-api';
import type { TransferDeps } from '../../../transfer-deps.js';
import type { NamedPrincipal } from '../analysis/analysis-cursor.js';
import type { IssueList } from '../analysis/issues/issue-list.js';
import { existingUsers } from './decisions.js';
import type { Decisions, Plan } from './plan.js';

/** Users of this site for the principals of a package. */
export interface MappedPrincipals {
  principals: Plan['principals'];
  mappings: Record<string, string | null>;
}

/**
 * Maps principals to users as the decisions say. Without a decision a principal becomes the user with the same address,
 * or no user. Several principals may become one user: no record needs users to differ.
 * @param issues gets `principal_conflict` for a user who does not exist any more
 */
export async function mapPrincipals(
  ctx: Context,
  deps: Pick<TransferDeps, 'clients'>,
  { named, decisions, issues }: { named: readonly NamedPrincipal[]; decisions: Decisions; issues: IssueList },
): Promise<MappedPrincipals> {
  const suggestions = await suggestedUsers(ctx, deps, named);
  const decided = decisions.principalMappings ?? {};
  const mappings = Object.fromEntries(
    named.map(({ id }) => [
      id,
      Object.hasOwn(decided, id) ? (decided[id] ?? null) : (suggestions.get(id) ?? null),
    ]),
  );
  const users = Object.values(mappings).filter((user) => user !== null);
  const existing = await existingUsers(ctx, deps, users);
  for (const [id, user] of Object.entries(mappings)) {
    if (user === null || existing.has(user)) continue;
    const message = 'A principal is mapped to a user who does not exist any more; send other decisions';
    issues.block({ code: 'principal_conflict', message, kind: 'principals', id, detail: { userId: user } });
  }
  const principals = named.map(({ references, ...principal }) => {
    const suggestedUserId = suggestions.get(principal.id);
    const total = Object.values(references).reduce((sum, count) => sum + count, 0);
    return { ...principal, references: total, ...(suggestedUserId !== undefined && { suggestedUserId }) };
  });
  return { principals, mappings };
}

/** Users with the addresses of principals, by the ids of the principals. */
async function suggestedUsers(
  ctx: Context,
  { clients }: Pick<TransferDeps, 'clients'>,
  named: readonly NamedPrincipal[],
): Promise<Map<string, string>> {
  const maxEmailLength = 320;
  const emails = [
    ...new Set(named.flatMap(({ email = '' }) => (email.length > maxEmailLength ? [] : [email]))),
  ];
  const users = new Map<string, string>();
  for (let start = 0; start < emails.length; start += authApi.maxUserIds) {
    const page = emails.slice(start, start + authApi.maxUserIds);
    const { items } = await clients.auth.call(authApi.usersByEmails, ctx, { emails: page });
    for (const { id, email } of items) users.set(email, id);
  }
  return new Map(
    named.flatMap(({ id, email }) => {
      const user = email === undefined ? undefined : users.get(email);
      return user === undefined ? [] : [[id, user] as const];
    }),
  );
}
