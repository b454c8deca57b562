let created = 0;
// Of one length always: the load generator counts a body's bytes once.
const nextNumber = () => String((created += 1)).padStart(9, '0');
const cycle = (ids) => {
  let index = 0;
  return () => ids[(index = (index + 1) % ids.length)];
};
const newBody = () =>
  JSON.stringify({
    data: { title: `New ${process.pid} ${nextNumber()}`, body: 'x'.repeat(2_000), rank: 1 },
  });
const changedBody = () => JSON.stringify({ data: { title: `Changed ${nextNumber()}` } });
let assigned = 0;
/** Three terms, others each time. */
function termsBody(termIds) {
  assigned += 1;
  return JSON.stringify({ termIds: [0, 1, 2].map((place) => termIds[(assigned + place) % termIds.length]) });
}
const filters = encodeURIComponent(JSON.stringify({ active: true, rank: { gte: 100 } }));
const api = '/_cms/api/content';
const content = `${api}/bench`;

/** Each operation: what to send next to Quire, and to the baseline handler. */
const operations = {
  get: ({ ids }) => {
    const id = cycle(ids);
    return [() => ({ path: `${content}/${id()}` }), () => ({ path: `/get/${id()}` })];
  },
  references: ({ linkedIds }) => {
    const id = cycle(linkedIds);
    return [() => ({ path: `${api}/linked/${id()}` }), () => ({ path: `/references/${id()}` })];
  },
  list: () => [() => ({ path: content }), () => ({ path: '/list' })],
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

/** What to send for an operation: the next request, and the headers of all. */
export function requestsOf(operation, name, variant) {
  const [quire, baseline] = operations[operation](variant);
  const hasBody = ['create', 'update', 'terms'].includes(operation);
  return {
    next: name === 'baseline' ? baseline : quire,
    headers: { ...variant.headers, ...(hasBody ? { 'content-type': 'application/json' } : {}) },
  };
}
