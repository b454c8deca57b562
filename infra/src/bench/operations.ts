import { baselineNames, type VariantName } from './context.js';
import type { NextRequest } from './load.js';
import type { SiteContent } from './site.js';

let created = 0;
// Of one length always: the load generator counts a body's bytes once.
const nextNumber = () => String((created += 1)).padStart(9, '0');
const cycle = (ids: readonly string[]) => {
  let index = 0;
  return () => ids[(index = (index + 1) % ids.length)];
};
const newBody = () =>
  JSON.stringify({
    data: { title: `New ${process.pid} ${nextNumber()}`, body: 'x'.repeat(2_000), rank: 1 },
  });
const changedBody = () => JSON.stringify({ data: { title: `Changed ${nextNumber()}` } });
let requested = 0;
/** An instant before all entries that no other request has: no cached response is for it. */
const nextInstant = () => new Date((requested += 1)).toISOString();
let assigned = 0;
/** Three terms, others in each request. */
function termsBody(termIds: readonly string[]): string {
  assigned += 1;
  return JSON.stringify({ termIds: [0, 1, 2].map((place) => termIds[(assigned + place) % termIds.length]) });
}
const filters = encodeURIComponent(JSON.stringify({ active: true, rank: { gte: 100 } }));
const api = '/_cms/api/content';
const content = `${api}/bench`;

type Next = () => NextRequest;

/** For each operation the next request to Quire, and to a baseline handler. */
const operations: Readonly<Record<string, (content: SiteContent) => [quire: Next, baseline: Next]>> = {
  get: ({ ids }) => {
    const id = cycle(ids);
    return [() => ({ path: `${content}/${id()}` }), () => ({ path: `/get/${id()}` })];
  },
  references: ({ linkedIds }) => {
    const id = cycle(linkedIds);
    return [() => ({ path: `${api}/linked/${id()}` }), () => ({ path: `/references/${id()}` })];
  },
  list: () => [() => ({ path: `${content}?status=published` }), () => ({ path: '/list' })],
  'list-cold': () => [
    // An instant without a field filters nothing, and makes it another request.
    () => ({ path: `${content}?status=published&dateFrom=${nextInstant()}` }),
    () => ({ path: '/list' }),
  ],
  filtered: () => [
    () => ({ path: `${content}?orderBy=rank&order=asc&fieldFilters=${filters}` }),
    () => ({ path: '/filtered' }),
  ],
  bylines: () => [() => ({ path: `${api}/credited` }), () => ({ path: '/bylines' })],
  create: () => [
    () => ({ method: 'POST', path: `${api}/growing`, body: newBody() }),
    () => ({ method: 'POST', path: '/create', body: newBody() }),
  ],
  update: ({ ids }) => {
    const id = cycle(ids);
    return [
      () => ({ method: 'PUT', path: `${content}/${id()}`, body: changedBody() }),
      () => ({ method: 'PUT', path: `/update/${id()}`, body: changedBody() }),
    ];
  },
  publish: ({ ids }) => {
    const id = cycle(ids);
    return [
      () => ({ method: 'POST', path: `${content}/${id()}/publish` }),
      () => ({ method: 'POST', path: `/publish/${id()}` }),
    ];
  },
  terms: ({ ids, termIds }) => {
    const id = cycle(ids);
    return [
      () => ({ method: 'POST', path: `${content}/${id()}/terms/topics`, body: termsBody(termIds) }),
      () => ({ method: 'POST', path: `/terms/${id()}`, body: termsBody(termIds) }),
    ];
  },
};

export const operationNames = Object.keys(operations);

/** The operations of the baseline with one table. */
const minimalOperations = ['get', 'list', 'list-cold', 'filtered', 'create', 'update', 'publish'];

/** Whether a variant has an operation. */
export const isMeasuredOn = (operation: string, name: VariantName): boolean =>
  name !== 'minimal' || minimalOperations.includes(operation);

/**
 * The requests of an operation on a variant.
 * @throws Error on an unknown operation
 */
export function requestsOf(
  operation: string,
  name: VariantName,
  { headers, ...content }: SiteContent & { headers: Record<string, string> },
): { next: Next; headers: Record<string, string> } {
  const requests = operations[operation];
  if (!requests) throw new Error(`Unknown operation ${operation}`);
  const [quire, baseline] = requests(content);
  const isBaseline = baselineNames.some((known) => known === name);
  const hasBody = ['create', 'update', 'terms'].includes(operation);
  return {
    next: isBaseline ? baseline : quire,
    headers: { ...headers, ...(hasBody ? { 'content-type': 'application/json' } : {}) },
  };
}
