import { sourceKeysOf } from '@quire/content-model';
import type { Context } from '@quire/context';
import type { DatabaseFailure, EntityClass } from '@quire/database';
import { invalidInput, QuireError } from '@quire/errors';
import type { RecordKind } from '@quire/site-package';
import { writeRecords, type RecordBatch } from '@quire/site-records';
import { EntryByline } from '../../bylines/credits/index.js';
import { Byline, BylineField, BylineGroup } from '../../bylines/index.js';
import { Comment } from '../../comments/index.js';
import { BlockType, BlockTypeVersion, ReferenceLink, type SchemaChanges } from '../../schema/index.js';
import { Menu, MenuItem } from '../../site/menus/index.js';
import { Redirect } from '../../site/redirects/index.js';
import { Section } from '../../site/sections/index.js';
import { Setting } from '../../site/settings/index.js';
import { Widget, WidgetArea } from '../../site/widgets/index.js';
import { Taxonomy, TaxonomyDefinition } from '../../taxonomies/definitions/index.js';
import { EntryTerm, Term, TermGroup } from '../../taxonomies/terms/index.js';
import { writeEntries } from './write-entries.js';
import { writeRevisions } from './write-revisions.js';
import { writeCollections, writeFields, writeRelations } from './write-schema.js';

/** Writes a batch of one kind. A repetition changes nothing. */
type Writer = (ctx: Context, changes: SchemaChanges, batch: RecordBatch) => Promise<unknown>;

/** How the records of each kind that this service owns are written. */
const writers: Readonly<Partial<Record<RecordKind, Writer>>> = {
  settings: ({ db }, _, batch) => writeRecords(db, 'settings', Setting, batch, { replaces: true }),
  block_types: toTable('block_types', BlockType),
  block_type_versions: toTable('block_type_versions', BlockTypeVersion),
  collections: inOnePass(writeCollections),
  fields: inOnePass(writeFields),
  relations: inOnePass(writeRelations),
  byline_fields: toTable('byline_fields', BylineField),
  byline_groups: toTable('byline_groups', BylineGroup),
  bylines: toTable('bylines', Byline),
  taxonomies: toTable('taxonomies', Taxonomy),
  taxonomy_definitions: toTable('taxonomy_definitions', TaxonomyDefinition),
  term_groups: toTable('term_groups', TermGroup),
  terms: toTable('terms', Term),
  entries: inOnePass(({ db }, _, records) => writeEntries(db, records)),
  revisions: inOnePass(({ db }, _, records) => writeRevisions(db, records)),
  entry_bylines: toTable('entry_bylines', EntryByline),
  entry_terms: toTable('entry_terms', EntryTerm),
  reference_links: toTable('reference_links', ReferenceLink),
  comments: toTable('comments', Comment),
  sections: toTable('sections', Section),
  menus: toTable('menus', Menu),
  menu_items: toTable('menu_items', MenuItem),
  widget_areas: toTable('widget_areas', WidgetArea),
  widgets: toTable('widgets', Widget),
  redirects: ({ db }, _, batch) =>
    writeRecords(
      db,
      'redirects',
      Redirect,
      { ...batch, records: batch.records.map(withSourceKeys) },
      { added: ['sourceKey', 'prefix'] },
    ),
};

/** The kinds that this service writes. */
export const writtenKinds = Object.keys(writers) as readonly RecordKind[];

/**
 * Writes a batch of records.
 * @throws QuireError VALIDATION_ERROR for a kind of another service, TRANSFER_RECORD_INVALID for records that the
 *   tables cannot hold, SERVICE_UNAVAILABLE while others keep a table locked
 */
export async function writeBatch(
  ctx: Context,
  changes: SchemaChanges,
  { kind, ...batch }: RecordBatch & { kind: RecordKind },
): Promise<void> {
  const write = writers[kind];
  if (!write) throw invalidInput([{ path: 'kind', message: `the content service has no ${kind}` }]);
  try {
    await write(ctx, changes, batch);
  } catch (error) {
    if (!causedByRecords.test((error as Partial<DatabaseFailure>).code ?? '')) throw error;
    const message = `The database cannot hold the ${kind} of the package`;
    throw new QuireError('TRANSFER_RECORD_INVALID', message, { details: { kind }, cause: error });
  }
}

/**
 * SQLSTATE of errors that a repetition does not mend: data, integrity, limits, and the name of a table or column that
 * exists.
 */
const causedByRecords = /^(22|23|54|42701$|42P07$)/;

function toTable(kind: RecordKind, entity: EntityClass): Writer {
  return ({ db }, _, batch) => writeRecords(db, kind, entity, batch);
}

/** Records of these kinds do not refer to their own kind. */
function inOnePass(
  write: (ctx: Context, changes: SchemaChanges, records: readonly string[]) => Promise<void>,
): Writer {
  return async (ctx, changes, { records, pass }) => {
    if (pass === 'records') await write(ctx, changes, records);
  };
}

/** The lookup keys of a redirect derive from its source. */
function withSourceKeys(text: string): string {
  const record = JSON.parse(text) as { source: string };
  return JSON.stringify({ ...record, ...sourceKeysOf(record.source) });
}
