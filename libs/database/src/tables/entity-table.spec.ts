import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { JsonText } from '@quire/values';
import { testStores } from '@quire/testing';
import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { Database } from '../connection/database.js';
import type { TransactionalDatabase } from '../connection/sql.js';
import { Parameters } from '../statements/parameters.js';
import {
  assignmentsOf,
  columnOf,
  columnsOf,
  defaultsOf,
  insertRow,
  insertRows,
  jsonPairsOf,
  tableOf,
  type EntityClass,
} from './entity-table.js';

@Entity('spec_notes')
class Note {
  @PrimaryColumn('text')
  id!: string;

  @Column('text', { name: 'theme_id', nullable: true })
  themeId!: string | null;

  @ManyToOne(() => Note)
  @JoinColumn({ name: 'theme_id' })
  theme?: Relation<Note>;

  @Column('text', { array: true })
  keywords!: string[];

  @Column('json', { nullable: true })
  content!: unknown[] | null;

  @Column('integer', { default: 7 })
  group!: number;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3, default: () => 'now()' })
  createdAt!: Date;
}

const schema = 'spec_entity_table';
let database: Database;
let sql: TransactionalDatabase;

beforeAll(async () => {
  const url = testStores().databaseUrl;
  database = await Database.connect({ url, poolSize: 2, applicationName: 'entity-table.spec' });
  const catalog = database.inSchema('pg_catalog');
  await catalog.query(`DROP SCHEMA IF EXISTS ${schema} CASCADE`);
  await catalog.query(`CREATE SCHEMA ${schema}`);
  sql = database.inSchema(schema);
  await sql.query(`CREATE TABLE spec_notes (id text PRIMARY KEY, theme_id text, keywords text[] NOT NULL, content json,
    "group" integer NOT NULL DEFAULT 7, created_at timestamptz(3) NOT NULL DEFAULT now())`);
});

afterAll(async () => {
  await database.inSchema('pg_catalog').query(`DROP SCHEMA ${schema} CASCADE`);
  await database.close();
});

describe('tableOf', () => {
  it('returns the name of the table', () => expect(tableOf(Note)).toBe('spec_notes'));

  it('throws for a class that is not an entity', () => {
    expect(() => tableOf(class Other {} as EntityClass)).toThrow('Other is no entity');
  });
});

describe('columnsOf', () => {
  it('lists every column under its property name', () => {
    expect(columnsOf(Note)).toBe(
      '"id", "theme_id" AS "themeId", "keywords", "content", "group", "created_at" AS "createdAt"',
    );
  });

  it('applies a table alias, a choice of properties and exceptions', () => {
    expect(columnsOf(Note, { of: 'n', only: ['group', 'themeId'] })).toBe(
      'n."group", n."theme_id" AS "themeId"',
    );
    expect(columnsOf(Note, { except: ['content', 'keywords', 'createdAt'] })).toBe(
      '"id", "theme_id" AS "themeId", "group"',
    );
  });

  it('throws for an unknown property', () => {
    expect(() => columnsOf(Note, { only: ['theme' as 'id'] })).toThrow('Note.theme is no column');
  });
});

describe('jsonPairsOf', () => {
  it('builds the JSON of a row as statements return it', async () => {
    const row = await insertRow(sql, Note, { id: 'json', keywords: ['x'], content: [1], group: 3 });
    const [found] = await sql.query(
      `SELECT json_build_object(${jsonPairsOf(Note, { of: 'n' })}) AS note FROM spec_notes n WHERE id = 'json'`,
    );
    expect(found).toEqual({ note: row });
  });

  it('applies a choice of properties', () => {
    expect(jsonPairsOf(Note, { only: ['group', 'themeId'] })).toBe(`'group', "group", 'themeId', "theme_id"`);
  });
});

describe('insertRow', () => {
  it('writes the given values and returns the stored row with defaults', async () => {
    const row = await insertRow(sql, Note, {
      id: 'a',
      keywords: ['x', 'y'],
      content: [{ b: 'é' }],
      themeId: undefined,
    });
    expect(row).toEqual({
      id: 'a',
      themeId: null,
      keywords: ['x', 'y'],
      content: [{ b: 'é' }],
      group: 7,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]{12}Z$/),
    });
  });

  it('writes JSON text unchanged, null as null and instants from ISO strings', async () => {
    const createdAt = '2026-01-02T03:04:05.678Z';
    await insertRow(sql, Note, { id: 'b', keywords: [], content: new JsonText('[1.0]'), createdAt });
    await insertRow(sql, Note, { id: 'c', keywords: [], content: null });
    const rows = await sql.query(
      `SELECT id, content::text AS content FROM spec_notes WHERE id IN ('b', 'c') ORDER BY id`,
    );
    expect(rows).toEqual([
      { id: 'b', content: '[1.0]' },
      { id: 'c', content: null },
    ]);
    const [row] = await sql.query(
      `SELECT ${columnsOf(Note, { only: ['createdAt'] })} FROM spec_notes WHERE id = 'b'`,
    );
    expect(row).toEqual({ createdAt });
  });
});

describe('insertRows', () => {
  it('writes rows with one statement and returns them in their order, with defaults for missing values', async () => {
    const rows = await insertRows(sql, Note, [
      { id: 'z', keywords: [] },
      { id: 'y', keywords: ['k'], group: 1, content: [{ a: 1 }] },
    ]);
    expect(rows).toMatchObject([
      { id: 'z', keywords: [], group: 7, content: null },
      { id: 'y', keywords: ['k'], group: 1, content: [{ a: 1 }] },
    ]);
  });

  it('writes nothing without rows', async () => {
    expect(await insertRows(sql, Note, [])).toEqual([]);
  });
});

describe('assignmentsOf', () => {
  it('names the given columns with casts and collects their values', () => {
    const params = new Parameters();
    const values = { themeId: null, keywords: ['k'], content: [1], group: 2, createdAt: undefined };
    expect(assignmentsOf(Note, values, params)).toEqual([
      '"theme_id" = $1::text',
      '"keywords" = $2::text[]',
      '"content" = $3::json',
      '"group" = $4::integer',
    ]);
    expect(params.values).toEqual([null, ['k'], '[1]', 2]);
  });
});

describe('columnOf', () => {
  it('returns name and type of a column', () => {
    expect(columnOf(Note, 'themeId')).toMatchObject({ property: 'themeId', name: 'theme_id', type: 'text' });
    expect(columnOf(Note, 'keywords')).toMatchObject({ name: 'keywords', type: 'text[]' });
    expect(() => columnOf(Note, 'theme')).toThrow('Note.theme is no column');
  });
});

describe('defaultsOf', () => {
  it('returns constant defaults and null, not what the database computes', () => {
    expect(defaultsOf(Note)).toEqual({ id: null, themeId: null, keywords: null, content: null, group: 7 });
  });
});
