import type { Context } from '@quire/context';
import type { Queryable } from '@quire/database';
import type { EntryDeps } from '../../entries/index.js';
import { importDeps } from '../../import/testing/import-setup.js';
import { createTestCollection } from '../../import/testing/test-schema.js';
import { createField, createFieldBody, deleteCollection, type SchemaChanges } from '../../schema/index.js';
import { finishDeletions } from '../sweep/index.js';

/** The tables of a site of a spec. */
interface SiteTables {
  ctx: Context;
  databases: { shared(): Queryable };
}

/** A site without a worker: steps after the first one run when a spec takes them. */
export class DeletionSite {
  readonly deps: EntryDeps;
  readonly changes: SchemaChanges;

  constructor(private readonly tables: SiteTables) {
    const { entries, changes } = importDeps();
    this.deps = entries;
    this.changes = changes;
  }

  get ctx(): Context {
    return this.tables.ctx;
  }

  get shared(): Queryable {
    return this.tables.databases.shared();
  }

  query<Row extends object>(statement: string, values: readonly unknown[] = []): Promise<Row[]> {
    return this.ctx.db.query<Row>(statement, values);
  }

  async count(from: string): Promise<number> {
    const [row] = await this.query<{ count: number }>(`SELECT count(*) AS count FROM ${from}`);
    return row?.count ?? 0;
  }

  /** @returns the deletions that are not finished. */
  pending(): Promise<{ kind: string; position: string }[]> {
    return this.query('SELECT kind, position FROM deletions ORDER BY kind');
  }

  /** Finishes all deletions. */
  finish(): Promise<boolean> {
    return finishDeletions(this.ctx, Number.POSITIVE_INFINITY);
  }

  /** Takes one step. @returns whether it was the last one. */
  takeStep(): Promise<boolean> {
    return finishDeletions(this.ctx, 0);
  }

  /** Creates a collection with revisions and a field `title`. */
  async createCollection(slug: string): Promise<void> {
    await createTestCollection(this.ctx, slug, { supports: ['drafts', 'revisions'] });
    await this.addField(slug, 'title');
  }

  async addField(collection: string, slug: string, ctx = this.ctx): Promise<void> {
    const field = createFieldBody.parse({ slug, label: slug, type: 'string' });
    await createField(ctx, this.changes, { collection, field });
    this.deps.definitions.invalidate();
  }

  async deleteCollection(slug: string): Promise<void> {
    await deleteCollection(this.ctx, this.changes, { slug, force: true });
  }

  /** Inserts entries with the ids `<prefix>1`, `<prefix>2`. */
  async insertEntries(collection: string, prefix: string, number: number, byline: string | null = null) {
    await this.query(
      `INSERT INTO content_${collection} (id, slug, _locale, _translation_group, primary_byline_id, title)
       SELECT $2 || n, $2 || n, 'en', 'g-' || $2 || n, $3::text, 'T' FROM generate_series(1, $1) n`,
      [number, prefix, byline],
    );
  }

  /** Inserts revisions of an entry with the ids `<entry>-r00001`, `<entry>-r00002`. */
  async insertRevisions(collection: string, entry: string, number: number, data: object): Promise<void> {
    await this.query(
      `INSERT INTO revisions (id, collection, entry_id, data)
       SELECT $2 || '-r' || lpad(n::text, 5, '0'), $1, $2, $4 FROM generate_series(1, $3) n`,
      [collection, entry, number, JSON.stringify(data)],
    );
  }

  /** Inserts a comment `<entry>-c1` with replies. */
  async insertComments(collection: string, entry: string, number: number): Promise<void> {
    await this.query(
      `INSERT INTO comments (id, collection, content_id, parent_id, author_name, author_email, body, status, created_at)
       SELECT $2 || '-c' || n, $1, $2, CASE WHEN n > 1 THEN $2 || '-c1' END, 'A', 'a@a.example', 'x', 'approved',
         now() + n * interval '1 ms' FROM generate_series(1, $3) n`,
      [collection, entry, number],
    );
  }
}
