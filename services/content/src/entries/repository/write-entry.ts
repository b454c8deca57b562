import { toColumn, type FieldDefinition } from '@quire/content-model';
import { identifier, Parameters, setsTrace, type Statement } from '@quire/database';
import { stringifyJson } from '@quire/values';
import { outboxInsert, type OutboxRow } from '@quire/jobs';
import type { CollectionDefinition, EntryStatus } from '../../schema/index.js';
import type { LeaseGuard } from '../entry-lock.js';
import { extendLease, leaseGuardCondition } from './lease-conditions.js';
import { entryColumns, type ContentSeo, type EntryRow, type EntryValues } from '../entry-row.js';
import { gracePeriodSeconds, schedulesTable } from './schedules.repository.js';

/** Revisions of an entry; the live one and the draft are never deleted (contract 6, Revision). */
const maxRevisions = 50;

/** A change of one entry, written by one statement. */
export interface EntryChange {
  /** System columns to set; an absent one keeps its value. */
  columns?: {
    slug?: string | null;
    status?: EntryStatus;
    authorId?: string | null;
    primaryBylineId?: string | null;
    /** "now" is the database's clock. */
    publishedAt?: string | 'now' | null;
    scheduledAt?: string | null;
    deletedAt?: 'now' | null;
    liveRevisionId?: string | null;
    draftRevisionId?: string | null;
    seo?: ContentSeo | null;
  };
  /** Live field values: null clears, an absent one keeps its value. */
  values?: EntryValues;
  /** Staging does not change `updatedAt`, trashing changes neither. */
  touches: { updatedAt: boolean; version: boolean };
  revision?: { id: string; data: EntryValues; authorId: string | null };
  dropRevision?: string | null;
  schedule?: { dueAt: string } | 'cancel';
  message?: OutboxRow;
  /** Fields whose new values are copied to all translations, drafts included. */
  synchronise?: readonly FieldDefinition[];
}

const columnOf = {
  slug: 'slug',
  status: 'status',
  authorId: 'author_id',
  primaryBylineId: 'primary_byline_id',
  publishedAt: 'published_at',
  scheduledAt: 'scheduled_at',
  deletedAt: 'deleted_at',
  liveRevisionId: 'live_revision_id',
  draftRevisionId: 'draft_revision_id',
  seo: '_seo',
} as const;

/** The circumstances of a change. */
export interface WriteContext {
  tenantId: string;
  /** Null for work of Quire itself. */
  userId: string | null;
  defaultLocale: string;
  guard: LeaseGuard | undefined;
  /** Trace context of the request, for the messages that the change sends. */
  trace: string | undefined;
  /** What the statement returns: the changed entry, or only its id, slug, status and time of deletion. */
  returns: 'entry' | 'state';
}

/** The columns of a changed entry `e` that the rest of its transaction needs; the comment is that of `entryColumns`. */
const changedState = ({ statementKey }: CollectionDefinition) =>
  `/* ${statementKey} */ e.id, e.slug, e.status, e.deleted_at AS "deletedAt"`;

/**
 * @returns the statement of a change. It returns no row and changes nothing if the entry or the version of its
 *   collection has changed since `row` and `definition` were read, or another user has acquired the lease.
 */
export function writeEntry(
  definition: CollectionDefinition,
  row: EntryRow,
  change: EntryChange,
  { tenantId, userId, defaultLocale, guard, trace, returns }: WriteContext,
): Statement {
  const parameters = new Parameters();
  const table = identifier(definition.table);
  const id = parameters.add(row.id, 'text');
  const changed = `
    UPDATE ${table} e SET ${assignments(definition, change, userId, parameters).join(', ')}
    WHERE e.id = ${id} AND e.version = ${parameters.add(row.version)}
      AND e.updated_at = ${parameters.add(row.updatedAt)}
      AND (e.deleted_at IS NULL) = ${parameters.add(row.deletedAt === null)}
      AND ${isUnchanged(definition, parameters)} AND ${setsTrace(trace, parameters)}
      ${guard && definition.editLocking ? `AND ${leaseGuardCondition(guard, parameters)}` : ''}
    RETURNING e.*`;
  const ctes = [
    ['changed', changed],
    ...revisionCtes(definition, row, change, parameters),
    ...scheduleCtes(definition, change, tenantId, parameters),
    ...(change.message
      ? [['announced', outboxInsert('content', change.message, parameters, 'changed')]]
      : []),
    ...synchroniseCtes(definition, row, change, userId, parameters),
    ...extendLease(row, userId, parameters),
  ];
  const columns = returns === 'entry' ? entryColumns(definition, defaultLocale) : changedState(definition);
  const text = `WITH ${ctes.map(([name, cte]) => `${name} AS (${cte})`).join(', ')}
    SELECT ${columns} FROM changed e`;
  return { text, values: parameters.values, prepared: true };
}

/** SQL condition: the collection still has the version that the change was checked by. */
export function isUnchanged({ id, version }: CollectionDefinition, parameters: Parameters): string {
  return `EXISTS (SELECT 1 FROM collections c WHERE c.id = ${parameters.add(id)} AND c.version = ${parameters.add(version)})`;
}

function assignments(
  definition: CollectionDefinition,
  change: EntryChange,
  userId: string | null,
  parameters: Parameters,
): string[] {
  const list: string[] = [];
  for (const [name, value] of Object.entries(change.columns ?? {})) {
    if (value === undefined) continue;
    const column = columnOf[name as keyof typeof columnOf];
    if (value === 'now' && column.endsWith('_at')) list.push(`${column} = now()`);
    else list.push(`${column} = ${parameters.add(column === '_seo' ? asJson(value) : value)}`);
  }
  for (const [slug, value] of Object.entries(change.values ?? {})) {
    list.push(`${identifier(slug)} = ${parameters.add(columnValue(definition, slug, value))}`);
  }
  if (change.touches.updatedAt) list.push('updated_at = now()');
  if (change.touches.version) list.push('version = e.version + 1', edited(userId, parameters));
  // An UPDATE needs an assignment even if only other tables change.
  return list.length > 0 ? list : ['version = e.version'];
}

/** The assignments of the last editor, with every new version (decision 51). */
export function edited(userId: string | null, parameters: Parameters): string {
  return `_edited_by = ${parameters.add(userId, 'text')}, _edited_at = now()`;
}

/** @returns the parameter for a field's normalised value. */
export function columnValue(definition: CollectionDefinition, slug: string, value: unknown): unknown {
  const field = definition.fieldBySlug.get(slug);
  if (!field) throw new Error(`${definition.slug} has no field ${slug}`);
  return value === null || value === undefined ? null : toColumn(field, value);
}

const asJson = (value: unknown) => (value === null ? null : JSON.stringify(value));

function revisionCtes(
  definition: CollectionDefinition,
  row: EntryRow,
  { revision, dropRevision }: EntryChange,
  parameters: Parameters,
): string[][] {
  const ctes: string[][] = [];
  if (revision) {
    const id = parameters.add(revision.id, 'text');
    ctes.push([
      'revision',
      `INSERT INTO revisions (id, collection, entry_id, data, author_id)
       SELECT ${id}, ${parameters.add(definition.slug, 'text')}, id, ${parameters.add(stringifyJson(revision.data), 'json')},
         ${parameters.add(revision.authorId, 'text')} FROM changed`,
    ]);
    ctes.push(['pruned', prune(parameters.add(row.id))]);
  }
  if (dropRevision) {
    ctes.push([
      'dropped',
      `DELETE FROM revisions WHERE id = ${parameters.add(dropRevision)} AND EXISTS (SELECT 1 FROM changed)`,
    ]);
  }
  return ctes;
}

/**
 * Deletes the oldest revisions above the limit, except the live one and the draft. The new revision is not visible to
 * this part of the statement, so one fewer of the others stays.
 */
function prune(entryId: string): string {
  return `
    DELETE FROM revisions r
    WHERE r.id IN (
      SELECT old.id FROM changed c JOIN revisions old ON old.entry_id = ${entryId}
      ORDER BY coalesce(old.id IN (c.live_revision_id, c.draft_revision_id), false) DESC, old.id DESC
      OFFSET ${maxRevisions - 1})`;
}

function scheduleCtes(
  definition: CollectionDefinition,
  { schedule }: EntryChange,
  tenantId: string,
  parameters: Parameters,
): string[][] {
  if (!schedule) return [];
  const tenant = parameters.add(tenantId, 'text');
  if (schedule === 'cancel') {
    return [
      [
        'unscheduled',
        `DELETE FROM ${schedulesTable} WHERE tenant_id = ${tenant} AND entry_id IN (SELECT id FROM changed)`,
      ],
    ];
  }
  const due = parameters.add(schedule.dueAt, 'timestamptz');
  return [
    [
      'scheduled',
      `INSERT INTO ${schedulesTable} (tenant_id, entry_id, collection, scheduled_at, due_at)
       SELECT ${tenant}, id, ${parameters.add(definition.slug, 'text')}, ${due},
         ${due} + make_interval(secs => ${gracePeriodSeconds}) FROM changed
       ON CONFLICT (tenant_id, entry_id)
       DO UPDATE SET scheduled_at = excluded.scheduled_at, due_at = excluded.due_at, attempts = 0`,
    ],
  ];
}

/**
 * Copies new values of fields that are not translatable to the other translations: to their columns, their drafts and
 * their live revisions, which become drafts when they are unpublished.
 */
function synchroniseCtes(
  definition: CollectionDefinition,
  row: EntryRow,
  { synchronise = [], values = {} }: EntryChange,
  userId: string | null,
  parameters: Parameters,
): string[][] {
  if (synchronise.length === 0) return [];
  const table = identifier(definition.table);
  const siblings = `t._translation_group = ${parameters.add(row._group)} AND t.id <> ${parameters.add(row.id)}`;
  const set = synchronise.map(
    ({ slug }) => `${identifier(slug)} = ${parameters.add(columnValue(definition, slug, values[slug]))}`,
  );
  const sharedValues = Object.fromEntries(
    synchronise
      .filter(({ slug }) => values[slug] !== null && values[slug] !== undefined)
      .map(({ slug }) => [slug, values[slug]]),
  );
  const slugs = parameters.add(synchronise.map(({ slug }) => slug));
  return [
    [
      'synchronised',
      `UPDATE ${table} t SET ${set.join(', ')}, version = t.version + 1, updated_at = now(),
         ${edited(userId, parameters)}
       WHERE ${siblings} AND EXISTS (SELECT 1 FROM changed)`,
    ],
    [
      'synchronised_drafts',
      `UPDATE revisions r SET data = (
         SELECT coalesce(json_object_agg(part.key, part.value), '{}'::json) FROM (
           SELECT key, value FROM json_each(r.data) WHERE key <> ALL(${slugs}::text[])
           UNION ALL SELECT key, value FROM json_each(${parameters.add(stringifyJson(sharedValues), 'json')})
         ) part)
       WHERE r.id IN (SELECT unnest(ARRAY[t.live_revision_id, t.draft_revision_id]) FROM ${table} t WHERE ${siblings})
         AND EXISTS (SELECT 1 FROM changed)`,
    ],
  ];
}
