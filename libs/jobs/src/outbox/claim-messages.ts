import type { Queryable } from '@quire/database';

export interface StoredMessage {
  id: string;
  job: string;
  message: object;
  createdAt: string;
  dueAt: string | null;
  /** Trace context of the request that wrote it. */
  trace: string | null;
}

/** The site and the job of messages. */
export interface MessageGroup {
  tenant: string;
  job: string;
}

export interface MessageClaim {
  messages: StoredMessage[];
  /** The group at which the next claim continues; undefined when this claim has seen the last one. */
  next: MessageGroup | undefined;
  /** Whether a group has more messages than its share. */
  hasMore: boolean;
}

/** Groups that one claim reads. */
const maxGroups = 200;
/** Site of messages without one, and of those that an earlier version writes. */
const noTenant = '-';

/** The site of a message, as the index has it. */
export const tenantOfMessage = `coalesce(tenant_id, '${noTenant}') COLLATE "C"`;
const group = `(${tenantOfMessage}, job COLLATE "C")`;
const nextGroup = (after: string) => `
  SELECT ${tenantOfMessage} AS tenant, job COLLATE "C" AS job FROM outbox
  WHERE failed_at IS NULL AND ${group} > ${after} ORDER BY 1, 2 LIMIT 1`;

/**
 * The recursion finds the next group by the index, so a claim costs the same whether the messages are one site's or
 * wait by the million. Each group has an equal share of the claim.
 */
const claimStatement = {
  prepared: true,
  text: `
    WITH RECURSIVE found (tenant, job) AS (
      (${nextGroup('($1, $2)')})
      UNION ALL
      SELECT n.tenant, n.job FROM found, LATERAL (${nextGroup('(found.tenant, found.job)')}) n
    ), groups AS MATERIALIZED (
      SELECT tenant, job, job = ANY($3) AND (tenant, job) NOT IN (SELECT * FROM unnest($5::text[], $6::text[])) AS "isClaimed"
      FROM found LIMIT ${maxGroups}
    ), share AS MATERIALIZED (
      SELECT greatest(1, $4::int / greatest(1, count(*))) AS size FROM groups WHERE "isClaimed"
    )
    SELECT g.tenant, g.job, share.size AS share, m.id, m.message, m.created_at AS "createdAt", m.due_at AS "dueAt", m.trace
    FROM groups g CROSS JOIN share LEFT JOIN LATERAL (
      SELECT id, message, created_at, due_at, trace FROM outbox
      WHERE failed_at IS NULL AND ${tenantOfMessage} = g.tenant AND job COLLATE "C" = g.job AND g."isClaimed"
      ORDER BY id LIMIT (SELECT size FROM share) FOR UPDATE SKIP LOCKED
    ) m ON true`,
};

/** Whether there are messages of any job, paused or not: a cheap question before a claim. */
export async function hasMessages(sql: Queryable): Promise<boolean> {
  return (await sql.query({ prepared: true, text: nextGroup("('', '')") })).length > 0;
}

type ClaimedRow = MessageGroup & { share: number } & (StoredMessage | { id: null });

/**
 * Claims messages of these jobs for this transaction: an equal share for each site and job, the oldest first, in turn.
 * Rows that others have locked are skipped. Messages of other jobs remain: during a rolling update the newer program
 * sends jobs that the older one does not know. So do those of paused groups, at no cost of their number.
 * @param claim.limit number of messages; with more groups each has one
 * @param claim.after the group after which to begin (`next` of the claim before)
 */
export async function claimMessages(
  sql: Queryable,
  claim: {
    jobs: readonly string[];
    limit: number;
    after?: MessageGroup | undefined;
    paused?: readonly MessageGroup[];
  },
): Promise<MessageClaim> {
  const { tenant = '', job = '' } = claim.after ?? {};
  const values = [tenant, job, claim.jobs, claim.limit, ...columnsOfGroups(claim.paused ?? [])];
  const rows = await sql.query<ClaimedRow>({ ...claimStatement, values });
  const groups = new Map<string, StoredMessage[]>();
  for (const row of rows) {
    const name = `${row.tenant} ${row.job}`;
    const messages = groups.get(name) ?? [];
    groups.set(name, messages);
    if (row.id !== null) messages.push(row);
  }
  const last = rows.at(-1);
  return {
    messages: inTurn([...groups.values()]),
    next: groups.size === maxGroups && last ? { tenant: last.tenant, job: last.job } : undefined,
    hasMore: [...groups.values()].some((messages) => messages.length === last?.share),
  };
}

/** Groups as two parallel lists, the parameters of `unnest`. */
export const columnsOfGroups = (groups: readonly MessageGroup[]) =>
  [groups.map(({ tenant }) => tenant), groups.map(({ job }) => job)] as const;

/** The first of each list, then the second of each, and so on. */
function inTurn<Item>(lists: readonly (readonly Item[])[]): Item[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_, index) =>
    lists.flatMap((list) => list.slice(index, index + 1)),
  ).flat();
}
