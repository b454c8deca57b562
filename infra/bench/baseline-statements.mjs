/**
 * The statements of the baseline handler: those that Quire's own operations send, recorded while each runs once on the
 * site that is measured. What differs from request to request stands in them as a slot.
 */
import { decodeTime, isValid } from 'ulid';
import { Database } from '../../libs/database/dist/index.js';
import { createContent } from '../../services/content/dist/entries/operations/create-content.js';
import { getContent } from '../../services/content/dist/entries/operations/get-content.js';
import { listContent } from '../../services/content/dist/entries/operations/list-content.js';
import { publishContent } from '../../services/content/dist/entries/operations/publish-content.js';
import { updateContent } from '../../services/content/dist/entries/operations/update-content.js';
import { contentEntities, Definitions, EntryDeps, Locales } from '../../services/content/dist/index.js';
import { setContentTerms } from '../../services/content/dist/taxonomies/terms/operations/set-content-terms.js';

/** Unlike any other number in a statement. */
const markedVersion = 987_654_321;
const markedTitle = 'Marked title';
const markedSlug = 'marked-title';
const newest = { limit: 50, orderBy: 'createdAt', order: 'desc', includeInferredBylines: false };
const byRank = {
  ...newest,
  orderBy: 'rank',
  order: 'asc',
  fieldFilters: { active: true, rank: { gte: 100 } },
};

const slot = (name) => ({ slot: name });

/** The values of a statement, its slots filled. */
export function fill(values, given) {
  return values.map((value) => (value?.slot ? given[value.slot] : value));
}

/** Whether an id was made since. */
const isFresh = (value, since) => typeof value === 'string' && isValid(value) && decodeTime(value) >= since;

/**
 * Puts slots in the place of what belongs to the recorded request alone.
 * @param marks slots by the value whose place they take
 * @param fresh the slot of ids that the operation made
 */
function sloted({ text, values = [] }, { marks, fresh, since }) {
  const of = (value) => {
    if (marks.has(value)) return marks.get(value);
    if (isFresh(value, since)) return slot(fresh);
    const isValues = typeof value === 'string' && value.startsWith('{') && value.includes('"title"');
    return isValues ? slot('data') : value;
  };
  return { text, values: values.map(of) };
}

/** Quire's operations on a site as an Admin, and what they send. */
async function openRecorder({ databaseUrl, tenant, authorId }) {
  const database = await Database.connect({
    url: databaseUrl,
    poolSize: 2,
    applicationName: 'bench',
    entities: contentEntities,
  });
  const handle = database.inSchema(`site_${tenant}`);
  const principal = { kind: 'token', tenant: { id: tenant, database: null }, userId: authorId, role: 50 };
  const ctx = { principal, requestId: 'bench', clientAddress: null, db: handle };
  const definitions = new Definitions();
  const idle = { wake: () => undefined, onUrlChanged: async () => undefined };
  const services = new EntryDeps(definitions, new Locales({ defaultLocale: 'en' }), idle, idle);

  /** What an operation sends. Definitions are known beforehand, as they are in a server that runs. */
  async function record(collection, operation, { marks = [], fresh = 'revision' } = {}) {
    await definitions.get(ctx, collection);
    const sent = [];
    const recording = (sql) => ({
      ...sql,
      query: (statement, values) => {
        sent.push(typeof statement === 'string' ? { text: statement, values } : statement);
        return sql.query(statement, values);
      },
    });
    const transaction = (work) => handle.transaction((tx) => work(recording(tx)));
    const since = Date.now();
    await operation({ ...ctx, db: { ...recording(handle), transaction } }, services);
    const slots = { marks: new Map(marks), fresh, since };
    return sent.map((statement) => sloted(statement, slots));
  }

  /** Gives an entry a state that is found again in statements. @returns it */
  async function marked(id) {
    await handle.query(`UPDATE content_bench SET version = $1 WHERE id = $2`, [markedVersion, id]);
    const { item } = await getContent(ctx, services, { collection: 'bench', id });
    return [
      [id, slot('id')],
      [item.slug, slot('slug')],
      [markedVersion, slot('version')],
      [item.updatedAt, slot('updatedAt')],
    ];
  }

  return { record, marked, close: () => database.close() };
}

/**
 * The statements of every operation, in the order in which they are sent.
 * @param site what `fillSite` made; the recording changes three of its entries and adds one
 */
export async function recordStatements(site) {
  const { record, marked, close } = await openRecorder(site);
  const { ids, linkedIds, termIds, hasBylines } = site;
  const read = (collection, id) =>
    record(collection, (ctx, services) => getContent(ctx, services, { collection, id }), {
      marks: [[id, slot('id')]],
    });
  const list = (collection, query) =>
    record(collection, (ctx, services) => listContent(ctx, services, { collection, ...query }));
  const target = (id) => ({ collection: 'bench', id });
  const data = { title: markedTitle, body: 'x'.repeat(2_000), rank: 1 };
  const terms = termIds.slice(0, 3);
  const publish = (ctx, services) => publishContent(ctx, services, target(ids[2]));
  // Most that the load publishes is live already; what comes to its address runs in a transaction that looks after
  // redirects.
  await record('bench', publish);
  const statements = {
    get: await read('bench', ids[0]),
    references: await read('linked', linkedIds[0]),
    list: await list('bench', newest),
    filtered: await list('bench', byRank),
    bylines: hasBylines ? await list('credited', newest) : [],
    create: await record(
      'growing',
      (ctx, services) => createContent(ctx, services, { collection: 'growing', data }),
      {
        marks: [
          [markedTitle, slot('title')],
          [markedSlug, slot('slug')],
        ],
        fresh: 'id',
      },
    ),
    update: await record(
      'bench',
      (ctx, services) => updateContent(ctx, services, { ...target(ids[1]), data: { title: markedTitle } }),
      { marks: await marked(ids[1]) },
    ),
    publish: await record('bench', publish, { marks: await marked(ids[2]) }),
    terms: await record(
      'bench',
      (ctx, services) => setContentTerms(ctx, services, target(ids[3]), { name: 'topics', termIds: terms }),
      { marks: [[ids[3], slot('id')]] },
    ),
  };
  await close();
  return { ...statements, terms: withTerms(statements.terms, terms) };
}

/** Lists of the recorded terms become slots. */
function withTerms(statements, terms) {
  const isTerms = (value) =>
    Array.isArray(value) && value.length === terms.length && terms.includes(value[0]);
  return statements.map(({ text, values }) => ({
    text,
    values: values.map((value) => (isTerms(value) ? slot('terms') : value)),
  }));
}
