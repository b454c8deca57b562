/**
 * The statements of the baseline "same SQL": those of Quire's own operations, recorded while each runs once on the
 * measured site. Values that differ between requests are slots.
 */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  contentEntities,
  Definitions,
  EntryDeps,
  EntryLimit,
  SiteLocales,
  type AuthClient,
  type MediaClient,
} from '@quire/content-service';
import type { Context, Principal } from '@quire/context';
import { Database, type Queryable, type Statement, type Transaction } from '@quire/database';
import type { OutboxDispatcher } from '@quire/jobs';
import { decodeTime, isValid } from 'ulid';
import type * as CreateContent from '../../../../services/content/src/entries/operations/create-content.js';
import type * as GetContent from '../../../../services/content/src/entries/operations/get-content.js';
import type * as ListContent from '../../../../services/content/src/entries/operations/list-content.js';
import type * as PublishContent from '../../../../services/content/src/entries/operations/publish-content.js';
import type * as UpdateContent from '../../../../services/content/src/entries/operations/update-content.js';
import type * as EntryTerms from '../../../../services/content/src/taxonomies/terms/entry-terms.operations.js';
import { root } from '../../command.js';
import type { FilledSite } from '../site.js';

/** A module of the content service that its index does not export. */
const importContent = (path: string) => import(pathToFileURL(join(root, 'services/content/dist', path)).href);
const operation = (name: string) => importContent(`entries/operations/${name}.js`);

const { createContent }: typeof CreateContent = await operation('create-content');
const { getContent }: typeof GetContent = await operation('get-content');
const { listContent }: typeof ListContent = await operation('list-content');
const { publishContent }: typeof PublishContent = await operation('publish-content');
const { updateContent }: typeof UpdateContent = await operation('update-content');
const { setContentTerms }: typeof EntryTerms = await importContent(
  'taxonomies/terms/entry-terms.operations.js',
);

type Operation = (ctx: Context, deps: EntryDeps) => Promise<unknown>;
type Query = Omit<Parameters<typeof listContent>[2], 'collection'>;

/** A value that differs between requests, by its name. */
interface Slot {
  slot: string;
}

/** A statement with slots among its values. */
export interface RecordedStatement {
  text: string;
  values: readonly unknown[];
}

/** The operations of the baseline handler. */
export type BaselineOperation =
  'get' | 'references' | 'list' | 'filtered' | 'bylines' | 'create' | 'update' | 'publish' | 'terms';
export type RecordedStatements = Record<BaselineOperation, RecordedStatement[]>;

/** Unlike any other number in a statement. */
const markedVersion = 987_654_321;
const markedTitle = 'Marked title';
const markedSlug = 'marked-title';
const newest: Query = { limit: 50, orderBy: 'createdAt', order: 'desc', includeInferredBylines: false };
const published: Query = { ...newest, status: 'published' };
const byRank: Query = {
  ...newest,
  orderBy: 'rank',
  order: 'asc',
  fieldFilters: { active: true, rank: { gte: 100 } },
};

const slot = (name: string): Slot => ({ slot: name });
const isSlot = (value: unknown): value is Slot =>
  typeof value === 'object' && value !== null && 'slot' in value;

/** The values of a statement with filled slots. */
export function fill(values: readonly unknown[], given: Readonly<Record<string, unknown>>): unknown[] {
  return values.map((value) => (isSlot(value) ? given[value.slot] : value));
}

/** Whether a value is an id created since a time. */
const isFresh = (value: unknown, since: number) =>
  typeof value === 'string' && isValid(value) && decodeTime(value) >= since;

/** Slots by the marked value that they replace. */
type Marks = [unknown, Slot][];

interface RecordOptions {
  marks?: Marks;
  /** The slot of ids that the operation creates. */
  fresh?: string;
}

/** Replaces the values of the recorded request by slots. */
function withSlots(
  { text, values = [] }: Statement,
  { marks, fresh, since }: { marks: ReadonlyMap<unknown, Slot>; fresh: string; since: number },
): RecordedStatement {
  const toSlot = (value: unknown) => {
    const marked = marks.get(value);
    if (marked) return marked;
    if (isFresh(value, since)) return slot(fresh);
    const isValues = typeof value === 'string' && value.startsWith('{') && value.includes('"title"');
    return isValues ? slot('data') : value;
  };
  return { text, values: values.map(toSlot) };
}

interface Recorder {
  record(collection: string, operation: Operation, options?: RecordOptions): Promise<RecordedStatement[]>;
  /** Gives an entry recognisable values. @returns their slots */
  mark(id: string): Promise<Marks>;
  close(): Promise<void>;
}

/** Records the statements of operations on a site by an Admin. */
async function openRecorder({ databaseUrl, tenant, authorId }: FilledSite): Promise<Recorder> {
  const database = await Database.connect({
    url: databaseUrl,
    poolSize: 2,
    applicationName: 'bench',
    entities: [...contentEntities],
  });
  const handle = database.inSchema(`site_${tenant}`);
  const principal: Principal = {
    kind: 'token',
    tenant: { id: tenant, database: null },
    userId: authorId,
    role: 50,
  };
  const ctx: Context = { principal, requestId: 'bench', clientAddress: null, origin: null, db: handle };
  const definitions = new Definitions();
  const deps = new EntryDeps(
    definitions,
    new SiteLocales({ defaultLocale: 'en' }),
    { wake: () => undefined } as OutboxDispatcher,
    { onUrlChanged: async () => undefined, onUrlsCreated: async () => undefined },
    // the recorded operations use neither media nor users
    {} as MediaClient,
    {} as AuthClient,
    new EntryLimit(),
  );

  return {
    async record(collection, run, { marks = [], fresh = 'revision' } = {}) {
      // a running server has cached definitions
      await definitions.get(ctx, collection);
      const sent: Statement[] = [];
      const recording = <Sql extends Queryable>(sql: Sql): Sql => ({
        ...sql,
        query: (statement: Statement | string, values?: readonly unknown[]) => {
          sent.push(typeof statement === 'string' ? { text: statement, values: values ?? [] } : statement);
          return sql.query(statement, values);
        },
      });
      const transaction = <Result>(work: (tx: Transaction) => Promise<Result>) =>
        handle.transaction((tx) => work(recording(tx)));
      const since = Date.now();
      await run({ ...ctx, db: { ...recording(handle), transaction } }, deps);
      const slots = { marks: new Map(marks), fresh, since };
      return sent.map((statement) => withSlots(statement, slots));
    },
    async mark(id) {
      await handle.query(`UPDATE content_bench SET version = $1 WHERE id = $2`, [markedVersion, id]);
      const { item } = await getContent(ctx, deps, { collection: 'bench', id });
      return [
        [id, slot('id')],
        [item.slug, slot('slug')],
        [markedVersion, slot('version')],
        [item.updatedAt, slot('updatedAt')],
      ];
    },
    close: () => database.close(),
  };
}

/**
 * Records the statements of every operation, in the order in which they are sent. Changes three entries of the site and
 * adds one.
 */
export async function recordStatements(site: FilledSite): Promise<RecordedStatements> {
  const { record, mark, close } = await openRecorder(site);
  const { linkedIds, termIds, hasBylines } = site;
  const [readId = '', updatedId = '', publishedId = '', termedId = ''] = site.ids;
  const read = (collection: string, id: string) =>
    record(collection, (ctx, deps) => getContent(ctx, deps, { collection, id }), {
      marks: [[id, slot('id')]],
    });
  const list = (collection: string, query: Query) =>
    record(collection, (ctx, deps) => listContent(ctx, deps, { collection, ...query }));
  const target = (id: string) => ({ collection: 'bench', id });
  const data = { title: markedTitle, body: 'x'.repeat(2_000), rank: 1 };
  const terms = termIds.slice(0, 3);
  const create: Operation = (ctx, deps) => createContent(ctx, deps, { collection: 'growing', data });
  const update: Operation = (ctx, deps) =>
    updateContent(ctx, deps, { ...target(updatedId), data: { title: markedTitle } });
  const publish: Operation = (ctx, deps) => publishContent(ctx, deps, target(publishedId));
  const assign: Operation = (ctx, deps) =>
    setContentTerms(ctx, deps, { ...target(termedId), taxonomy: 'topics', termIds: terms });
  const created: Marks = [
    [markedTitle, slot('title')],
    [markedSlug, slot('slug')],
  ];
  const statements: RecordedStatements = {
    get: await read('bench', readId),
    references: await read('linked', linkedIds[0] ?? ''),
    list: await list('bench', published),
    filtered: await list('bench', byRank),
    bylines: hasBylines ? await list('credited', newest) : [],
    create: await record('growing', create, { marks: created, fresh: 'id' }),
    update: await record('bench', update, { marks: await mark(updatedId) }),
    publish: await record('bench', publish, { marks: await mark(publishedId) }),
    terms: withTerms(await record('bench', assign, { marks: [[termedId, slot('id')]] }), terms),
  };
  await close();
  return statements;
}

/** Replaces lists of the recorded terms by slots. */
function withTerms(statements: RecordedStatement[], terms: readonly string[]): RecordedStatement[] {
  const isTerms = (value: unknown) =>
    Array.isArray(value) && value.length === terms.length && terms.includes(value[0]);
  return statements.map(({ text, values }) => ({
    text,
    values: values.map((value) => (isTerms(value) ? slot('terms') : value)),
  }));
}
