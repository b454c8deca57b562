import 'reflect-metadata';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { tableOf, type EntityClass } from '@quire/database';
import { recordDefinitions, recordKinds, type RecordKind } from '@quire/site-package';
import { openServiceTenant, type ServiceTenant } from '@quire/testing';
import { getMetadataArgsStorage } from 'typeorm';
import { contentEntities } from '../../content.module.js';
import { contentTables } from '../../migrations/index.js';
import { systemColumns } from '../../schema/index.js';
import { settingKeys } from '../../site/settings/index.js';
import { emptiedTables } from '../operations/clear-site-records.js';
import { writtenKinds } from '../writing/record-writers.js';
import { propertyOf } from './entry-source.js';
import { recordSources } from './record-sources.js';

/**
 * What exports leave out, with the reason. A new table, column or setting is either part of the records
 * (`libs/site-package`) or listed here: nothing is exported or left out without a decision.
 */
const tablesOfTheSite: Readonly<Record<string, string>> = {
  _migrations: 'the state of this database',
  change_counters: 'counts changes in this database, for responses that are used again',
  change_subscriptions: 'connects the services of this installation',
  comment_counts: 'derived from the comments by their triggers',
  comment_salt: 'a key of this site, for the hashes of addresses',
  comment_status_counts: 'derived from the comments by their triggers',
  deleted_entries: 'entries of deleted collections',
  deletions: 'work in progress on this site',
  entry_counts: 'derived from the entries by their triggers',
  entry_locks: 'edit leases of sessions of this site',
  fencing_tokens_content: 'order the processes that import into this site',
  import_errors: 'sources of failed imports, which only this site can repeat',
  import_records: 'recognises the objects of imports that this site repeats',
  not_found_log: 'requests to this site, with addresses of visitors',
  preview_keys: 'a part of the key of preview links',
  read_only_modes: 'work in progress on this site',
  staged_records_content: 'the copies themselves',
};

/** Of these tables, what imports delete with the records that their rows name. */
const deletedByImports = ['deletions', 'entry_locks', 'import_errors', 'import_records'];

const columnsOfTheSite: Readonly<Partial<Record<RecordKind, Readonly<Record<string, string>>>>> = {
  collections: { version: 'counts changes in this database, for its own writers' },
  comments: {
    ipHash: 'made with a key of this site, from the address of a visitor',
    userAgent: 'describes a visitor',
  },
  revisions: { title: 'derived from the data' },
  redirects: {
    sourceKey: 'derived from the source',
    prefix: 'derived from the source',
    hits: 'counts requests to this site',
    lastHitAt: 'a request to this site',
  },
};

/** Stored settings; all are exported, because none is secret. */
const exportedSettings = [
  'dateFormat',
  'favicon',
  'logo',
  'postsPerPage',
  'publicRedirects',
  'seo.bingVerification',
  'seo.defaultOgImage',
  'seo.googleVerification',
  'seo.robotsTxt',
  'seo.titleSeparator',
  'social.facebook',
  'social.github',
  'social.instagram',
  'social.linkedin',
  'social.twitter',
  'social.youtube',
  'tagline',
  'timezone',
  'title',
  'url',
];

const kinds: readonly string[] = recordKinds;
const propertiesOf = (kind: RecordKind) => Object.keys(recordDefinitions[kind].schema.shape);
const columnsOf = (entity: EntityClass) =>
  getMetadataArgsStorage()
    .columns.filter(({ target }) => target === entity)
    .map(({ propertyName }) => propertyName);

const sources = recordSources([{ slug: 'posts', columns: [] }], { comments: true }).map(({ kind }) => kind);
const exported = contentEntities.filter((entity) => kinds.includes(tableOf(entity)));

describe('every table of the content service', () => {
  let content: ServiceTenant;
  beforeAll(async () => {
    content = await openServiceTenant('spec-of-classification', 'content', contentTables, contentEntities);
  });
  afterAll(() => content.close());

  it('is the source of a kind of records, or stays with the site for a reason', async () => {
    const tables = await content.ctx.db.query<{ name: string }>(
      'SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema()',
    );
    const others = tables.map(({ name }) => name).filter((name) => !kinds.includes(name));
    expect(others.sort()).toEqual(Object.keys(tablesOfTheSite));
  });

  it('that is the source of a kind is copied, with the entries', () => {
    expect([...sources].sort()).toEqual([...exported.map(tableOf), 'entries'].sort());
  });

  it('is emptied by imports, unless it stays with the site', () => {
    const kept = Object.keys(tablesOfTheSite).filter((table) => !deletedByImports.includes(table));
    expect(emptiedTables.filter((table) => kept.includes(table))).toEqual([]);
    // Settings are deleted by their keys, fields with their collections.
    const others = ['settings', 'collections', 'fields', 'entries'];
    expect([...emptiedTables, ...others].sort()).toEqual([...sources, ...deletedByImports].sort());
  });

  it('is written by imports', () => {
    expect([...writtenKinds].sort()).toEqual([...sources].sort());
  });

  it('is copied in the order of the kinds', () => {
    expect(sources).toEqual(recordKinds.filter((kind) => sources.includes(kind)));
  });
});

describe.each(exported.map((entity): [RecordKind, EntityClass] => [tableOf(entity) as RecordKind, entity]))(
  'every column of %s',
  (kind, entity) => {
    it('is a property of its records, or stays with the site for a reason', () => {
      const left = columnsOf(entity).filter((column) => !propertiesOf(kind).includes(column));
      expect(left.sort()).toEqual(Object.keys(columnsOfTheSite[kind] ?? {}).sort());
    });
  },
);

describe('every system column of entries', () => {
  it('is a property of their records', () => {
    const properties = [...systemColumns.map(({ name }) => propertyOf(name)), 'collection', 'values'];
    expect(properties.sort()).toEqual(propertiesOf('entries').sort());
  });
});

describe('every setting', () => {
  it('is exported by decision', () => {
    expect([...settingKeys].sort()).toEqual(exportedSettings);
  });

  it('is one that packages may have', () => {
    const { key } = recordDefinitions.settings.schema.shape as { key?: { options: readonly string[] } };
    expect([...(key?.options ?? [])].sort()).toEqual(exportedSettings);
  });
});
