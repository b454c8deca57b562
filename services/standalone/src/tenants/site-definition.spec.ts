import 'reflect-metadata';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { authEntities } from '@quire/auth-service';
import { fieldTypes, indexableTypes } from '@quire/content-model';
import { contentEntities } from '@quire/content-service';
import {
  copyRows,
  inSchemaSnapshot,
  readRows,
  readSchemaDefinition,
  readSequences,
  schemaDrift,
  UnsupportedSchemaError,
  type SchemaDefinition,
  type Transaction,
  type TransactionalDatabase,
} from '@quire/database';
import { mediaEntities } from '@quire/media-service';
import { searchEntities } from '@quire/search-service';
import { siteStatements, type Tenant } from '@quire/tenancy';
import { eventually } from '@quire/testing';
import { transferEntities } from '@quire/transfer-service';
import { apiTargets, workerTargets } from '@quire/topology';
import { clientOf, openInstallation, type TestInstallation } from '../installation.fixture.js';
import { databasesOf } from '../services.js';

const source: Tenant = { id: 'default', database: null };
const copied: Tenant = { id: 'a-copy', database: null };

let test: TestInstallation;
const handleOf = async (tenant: Tenant): Promise<TransactionalDatabase> =>
  (await databasesOf(test.installation, 'content')).tenant(tenant);
const definitionOf = async (tenant: Tenant): Promise<SchemaDefinition> =>
  inSchemaSnapshot(await handleOf(tenant), readSchemaDefinition);

/** The rows of each table, and the values of sequences. */
async function contentsOf(tenant: Tenant): Promise<unknown> {
  return inSchemaSnapshot(await handleOf(tenant), async (tx) => {
    const { tables, sequences } = await readSchemaDefinition(tx);
    const rows: [string, string][] = [];
    for (const table of tables) rows.push([table.name, await textOf(readRows(tx, table))]);
    return { rows, sequences: await readSequences(tx, sequences) };
  });
}

async function textOf(rows: AsyncIterable<Buffer>): Promise<string> {
  let text = '';
  for await (const piece of rows) text += piece.toString('latin1');
  return text.split('\n').sort().join('\n');
}

/** Collections with a field of each type, one of them searchable, and a deleted one whose table still exists. */
async function fillSite(): Promise<void> {
  const running = await test.start([...apiTargets, ...workerTargets]);
  const token = await test.adminService.createToken({ tenant: 'default', role: 'admin', scopes: [] });
  const call = clientOf(running, token);
  const post = async (path: string, body: object) => {
    const { status, error } = await call('POST', path, body);
    if (status >= 300) throw new Error(`${path}: ${error?.message}`);
  };
  await post('/schema/collections', { slug: 'posts', label: 'Posts', supports: ['drafts', 'revisions'] });
  await post('/schema/collections', { slug: 'site_default', label: 'Named like the schema' });
  for (const type of fieldTypes) {
    const field = { slug: `of_${type.toLowerCase()}`, label: type, type, ...neededBy[type] };
    const isIndexed = indexableTypes.has(type);
    await post('/schema/collections/posts/fields', { ...field, indexed: isIndexed, unique: type === 'slug' });
  }
  await post('/schema/collections/posts/fields', {
    slug: 'site_default',
    label: 'Named like the schema',
    type: 'string',
    searchable: true,
    indexed: true,
  });
  await post('/search/enable', { collection: 'posts', enabled: true });
  await post('/content/posts', { slug: 'one', data: { of_string: 'a\tb\\', site_default: "it's" } });
  const sql = await handleOf(source);
  const hasIndex = () =>
    sql.query("SELECT FROM pg_class WHERE relname LIKE 'search\\_index\\_%' AND relkind = 'r'");
  expect(await eventually(hasIndex, (rows) => rows.length > 0)).toHaveLength(1);
  await running.stop();
  await sql.query('CREATE TABLE deleted_entries_x (id text NOT NULL, _translation_group text)');
  await sql.query('ALTER TABLE deleted_entries_x INHERIT deleted_entries');
  await sql.query('INSERT INTO deleted_entries_x VALUES (1, 2)');
}

const neededBy: Readonly<Record<string, object>> = {
  select: { validation: { options: ['one', 'two'] } },
  multiSelect: { validation: { options: ['one', 'two'] } },
  repeater: { validation: { subFields: [{ slug: 'url', label: 'URL', type: 'url' }] } },
  reference: { options: { collection: 'site_default' } },
};

async function createCopy(definition: SchemaDefinition): Promise<void> {
  const { beforeRows, afterRows } = siteStatements(definition, copied);
  const catalog = (await databasesOf(test.installation, 'content')).inSchema('pg_catalog');
  await catalog.query('CREATE SCHEMA "site_a-copy"');
  const target = await handleOf(copied);
  await inSchemaSnapshot(await handleOf(source), (from) =>
    target.transaction(async (tx: Transaction) => {
      await tx.query(beforeRows.join(';\n'));
      await copyRows(from, tx, definition);
      await tx.query(afterRows.join(';\n'));
    }),
  );
}

/** Rows of the catalog about a site, without ids and what differs by the history of a table. */
const catalogRows = `
  WITH relation AS (SELECT * FROM pg_class WHERE relnamespace = quote_ident(current_schema())::regnamespace)
  SELECT 'relation' AS kind, relname::text AS name, to_jsonb(r) - '{oid,relnamespace,reltype,relfilenode,relpages,
      reltuples,relallvisible,relallfrozen,reltoastrelid,relfrozenxid,relminmxid,relnatts}'::text[] AS row
    FROM relation r
  UNION ALL SELECT 'column', relname || '.' || attname, to_jsonb(a) - '{attrelid,attnum,atthasmissing,attmissingval}'::text[]
    FROM relation r JOIN pg_attribute a ON attrelid = r.oid AND attnum > 0 AND NOT attisdropped AND relkind <> 'i'
  UNION ALL SELECT 'index', relname, to_jsonb(i) - '{indexrelid,indrelid,indkey,indexprs,indpred,indcheckxmin}'::text[]
    FROM relation r JOIN pg_index i ON indexrelid = r.oid
  UNION ALL SELECT 'constraint', relname || '.' || conname, to_jsonb(k) - '{oid,connamespace,conrelid,conindid,confrelid,conkey,
      confkey,conbin}'::text[]
    FROM relation r JOIN pg_constraint k ON conrelid = r.oid
  UNION ALL SELECT 'trigger', relname || '.' || tgname, to_jsonb(t) - '{oid,tgrelid,tgfoid,tgconstraint,tgargs,tgattr,tgqual}'::text[]
    FROM relation r JOIN pg_trigger t ON tgrelid = r.oid AND NOT tgisinternal
  UNION ALL SELECT 'function', proname, to_jsonb(p) - '{oid,pronamespace,prosrc,proconfig,prorettype,proallargtypes}'::text[]
    FROM pg_proc p WHERE pronamespace = quote_ident(current_schema())::regnamespace
  UNION ALL SELECT 'statistics', stxname, to_jsonb(s) - '{oid,stxrelid,stxnamespace,stxkeys,stxexprs}'::text[]
    FROM pg_statistic_ext s WHERE stxnamespace = quote_ident(current_schema())::regnamespace
  ORDER BY 1, 2`;

describe('the definition of a site', () => {
  let definition: SchemaDefinition;
  beforeAll(async () => {
    test = await openInstallation('site_definition');
    await fillSite();
    definition = await definitionOf(source);
    await createCopy(definition);
  });
  afterAll(() => test.close());

  it('is the same again for a site that was created from it', async () => {
    const copy = await definitionOf(copied);
    expect(copy.schema).toBe('site_a-copy');
    expect(siteStatements(copy, source)).toEqual(siteStatements(definition, source));
    expect([copy.tables, copy.sequences]).toEqual([definition.tables, definition.sequences]);
  });

  it('leaves no difference in the catalog of the database', async () => {
    // The copy has no role of its own.
    const rowsOf = async (tenant: Tenant) =>
      (await (await handleOf(tenant)).query<{ kind: string; name: string; row: object }>(catalogRows)).map(
        ({ kind, name, row }) => ({ kind, name, ...row, relowner: 0, proowner: 0, stxowner: 0 }),
      );
    const rows = await rowsOf(source);
    expect(new Set(rows.map(({ kind }) => kind)).size).toBe(7);
    expect(await rowsOf(copied)).toEqual(rows);
  });

  it('creates what the entities of each service describe', async () => {
    const all = { authEntities, contentEntities, mediaEntities, searchEntities, transferEntities };
    for (const [service, entities] of Object.entries(all)) {
      const connection = {
        url: test.installation.databaseUrl,
        poolSize: 1,
        applicationName: 'spec',
        entities,
      };
      expect([service, await schemaDrift(connection, 'site_a-copy')]).toEqual([service, []]);
    }
  });

  it('survives JSON', () => {
    expect(JSON.parse(JSON.stringify(definition))).toEqual(definition);
  });

  it('comes with all rows and the values of sequences', async () => {
    expect(await contentsOf(copied)).toEqual(await contentsOf(source));
  });

  it('has the triggers of the new site: they announce and count its changes only', async () => {
    const [from, to] = [await handleOf(source), await handleOf(copied)];
    const counters = (sql: TransactionalDatabase) =>
      sql.query('SELECT name, sum(changes) AS changes FROM change_counters GROUP BY name ORDER BY name');
    const [sourceBefore, copyBefore] = [await counters(from), await counters(to)];
    await to.query("UPDATE content_posts SET status = 'published'");
    expect(await counters(from)).toEqual(sourceBefore);
    expect(await counters(to)).not.toEqual(copyBefore);
    const shared = (await databasesOf(test.installation, 'content')).shared();
    const messages = await shared.query<{ tenant: string }>(
      `SELECT DISTINCT coalesce(tenant_id, '') AS tenant FROM outbox WHERE job = 'search.index-entry'`,
    );
    expect(messages).toEqual([{ tenant: 'a-copy' }]);
  });

  it.each([
    ['a view', 'CREATE VIEW extra AS SELECT id FROM sections', 'DROP VIEW extra', 'view extra'],
    ['a type', "CREATE TYPE extra AS ENUM ('a')", 'DROP TYPE extra', 'type extra'],
    [
      'a policy',
      'ALTER TABLE sections ENABLE ROW LEVEL SECURITY',
      'ALTER TABLE sections DISABLE ROW LEVEL SECURITY',
      'row-level security of sections',
    ],
    ['a grant', 'GRANT SELECT ON sections TO PUBLIC', 'DROP TABLE IF EXISTS none', 'grants on sections'],
  ])('that has %s is an error that names it', async (_, create, drop, part) => {
    const sql = await handleOf(copied);
    await sql.query(create);
    await expect(definitionOf(copied)).rejects.toThrow(UnsupportedSchemaError);
    await expect(definitionOf(copied)).rejects.toThrow(part);
    await sql.query(drop);
  });
});
