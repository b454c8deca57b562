import 'reflect-metadata';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Database, type TransactionalDatabase } from '@quire/database';
import { testStores } from '@quire/testing';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { recordsOf } from '../staging/record-source.js';
import { writeRecords } from './write-records.js';

@Entity('spec_sections')
class Section {
  @PrimaryColumn('text')
  id!: string;

  @Column('text')
  slug!: string;

  @Column('text')
  title!: string;

  @Column('text', { nullable: true })
  description!: string | null;

  @Column('text', { array: true })
  keywords!: string[];

  @Column('json')
  content!: unknown[];

  @Column('text', { name: 'preview_media_id', nullable: true })
  previewMediaId!: string | null;

  @Column('text')
  source!: string;

  @Column('text', { name: 'theme_id', nullable: true })
  themeId!: string | null;

  @Column('text', { name: 'search_key', nullable: true })
  searchKey!: string | null;

  @Column('integer', { default: 7 })
  views!: number;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3, default: () => 'now()' })
  createdAt!: Date;

  @Column({ type: 'timestamptz', name: 'updated_at', precision: 3, default: () => 'now()' })
  updatedAt!: Date;
}

@Entity('spec_groups')
class TermGroup {
  @PrimaryColumn('text')
  id!: string;

  @Column('text', { name: 'taxonomy_id' })
  taxonomyId!: string;

  @Column('text', { name: 'parent_id', nullable: true })
  parentId!: string | null;

  @Column('integer', { name: 'sort_order' })
  sortOrder!: number;
}

const schema = 'spec_write_records';
let database: Database;
let sql: TransactionalDatabase;

beforeAll(async () => {
  const url = testStores().databaseUrl;
  database = await Database.connect({ url, poolSize: 2, applicationName: 'write-records.spec' });
  const catalog = database.inSchema('pg_catalog');
  await catalog.query(`DROP SCHEMA IF EXISTS ${schema} CASCADE`);
  await catalog.query(`CREATE SCHEMA ${schema}`);
  sql = database.inSchema(schema);
  await sql.query(`CREATE TABLE spec_sections (id text PRIMARY KEY, slug text NOT NULL UNIQUE, title text NOT NULL,
    description text, keywords text[] NOT NULL, content json NOT NULL, preview_media_id text, source text NOT NULL,
    theme_id text, search_key text, views integer NOT NULL DEFAULT 7, created_at timestamptz(3) NOT NULL DEFAULT now(),
    updated_at timestamptz(3) NOT NULL DEFAULT now())`);
  await sql.query(`CREATE TABLE spec_groups (id text PRIMARY KEY, taxonomy_id text NOT NULL,
    parent_id text REFERENCES spec_groups (id), sort_order integer NOT NULL)`);
});

afterAll(async () => {
  await database.inSchema('pg_catalog').query(`DROP SCHEMA ${schema} CASCADE`);
  await database.close();
});

beforeEach(async () => {
  await sql.query('DELETE FROM spec_sections');
  await sql.query('DELETE FROM spec_groups');
});

async function storedTexts(source = recordsOf('sections', Section)): Promise<string[]> {
  const rows = await sql.query<{ text: string }>(
    `SELECT row_to_json(r)::text AS text FROM (${source.select}) r ORDER BY r.id`,
  );
  return rows.map(({ text }) => text);
}

const section = (id: string, changes = '') =>
  `{"id":"${id}","slug":"s-${id}","title":"Zeile\\n\\"é\\"","description":null,"keywords":["a","b, c"],` +
  `"content":[{ "z": 1.0, "10": 12345678901234567890, "9": "\\u00e9" }],"previewMediaId":null,"source":"user",` +
  `"themeId":"","createdAt":"0001-01-01T00:00:00.000Z","updatedAt":"2026-01-02T03:04:05.678Z"${changes}}`;
const group = (id: string, parentId: string | null) =>
  `{"id":"${id}","taxonomyId":"t","parentId":${JSON.stringify(parentId)},"sortOrder":3}`;

const batch = (...records: string[]) => ({ records, pass: 'records' }) as const;

describe('writeRecords', () => {
  it('stores records from which the same texts are read', async () => {
    const records = [section('a'), section('b')];
    await writeRecords(sql, 'sections', Section, batch(...records));
    expect(await storedTexts()).toEqual(records);
    expect(await sql.query('SELECT DISTINCT views, search_key FROM spec_sections')).toEqual([
      { views: 7, search_key: null },
    ]);
  });

  it('changes no record that exists, and writes and counts the others', async () => {
    await writeRecords(sql, 'sections', Section, batch(section('a')));
    await sql.query(`UPDATE spec_sections SET title = 'own'`);
    expect(await writeRecords(sql, 'sections', Section, batch(section('a'), section('b')))).toBe(1);
    expect(await sql.query('SELECT title FROM spec_sections ORDER BY id')).toEqual([
      { title: 'own' },
      { title: 'Zeile\n"é"' },
    ]);
  });

  it('replaces records with the same key on request', async () => {
    await writeRecords(sql, 'sections', Section, batch(section('a')));
    await sql.query(`UPDATE spec_sections SET title = 'own', views = 9`);
    await writeRecords(sql, 'sections', Section, batch(section('a')), { replaces: true });
    expect(await storedTexts()).toEqual([section('a')]);
    expect(await sql.query('SELECT views FROM spec_sections')).toEqual([{ views: 9 }]);
  });

  it('stores added and computed properties', async () => {
    const options = { added: ['searchKey'], computed: { title: 'upper(r.title)', views: '1 + 1' } };
    const records = batch(section('a', ',"searchKey":"k"'));
    await writeRecords(sql, 'sections', Section, records, options);
    expect(await sql.query('SELECT title, search_key, views FROM spec_sections')).toEqual([
      { title: 'ZEILE\n"É"', search_key: 'k', views: 2 },
    ]);
  });

  it('writes references to the own kind in the second pass', async () => {
    const records = [group('a', 'b'), group('b', null), group('c', 'a')];
    const source = recordsOf('term_groups', TermGroup);
    for (const record of records) await writeRecords(sql, 'term_groups', TermGroup, batch(record));
    expect(await storedTexts(source)).toEqual([group('a', null), group('b', null), group('c', null)]);
    const parents = { records, pass: 'parents' } as const;
    expect(await writeRecords(sql, 'term_groups', TermGroup, parents)).toBe(2);
    expect(await writeRecords(sql, 'term_groups', TermGroup, parents)).toBe(0);
    await writeRecords(sql, 'term_groups', TermGroup, batch(...records));
    expect(await storedTexts(source)).toEqual(records);
  });

  it('writes nothing without records, and no references of kinds without them', async () => {
    await writeRecords(sql, 'sections', Section, batch());
    await writeRecords(sql, 'sections', Section, { records: [section('a')], pass: 'parents' });
    expect(await storedTexts()).toEqual([]);
  });

  it('throws for a property that the entity lacks', async () => {
    const written = writeRecords(sql, 'menus', TermGroup, batch('{}'));
    await expect(written).rejects.toThrow('TermGroup.name is no column');
  });
});
