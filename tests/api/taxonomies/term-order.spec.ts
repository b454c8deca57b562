import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { issuePaths, statusAndCode, useSite, type Client } from '@quire/testing';
import { createTerm } from './support.js';

interface Term {
  id: string;
  slug: string;
  label: string;
  parentId: string | null;
  translationGroup: string;
  children: Term[];
}

const site = useSite();
let editor: Client;
let count = 0;
let taxonomy = '';

beforeAll(async () => {
  editor = await site.as('editor');
});
beforeEach(async () => {
  count += 1;
  taxonomy = `tree${count}`;
  await editor.post('/taxonomies', { name: taxonomy, label: 'Tree', hierarchical: true });
});

const create = (body: object) => editor.post(`/taxonomies/${taxonomy}/terms`, body);
const newTerm = async (label: string, more: object = {}): Promise<Term> =>
  (await createTerm(editor, taxonomy, { label, ...more })) as Term;
const move = (slug: string, parentId: string | null) =>
  editor.put(`/taxonomies/${taxonomy}/terms/${slug}`, { parentId });
const reorder = (body: object) => editor.post(`/taxonomies/${taxonomy}/reorder`, body);
const terms = async (query = '') =>
  (await editor.get(`/taxonomies/${taxonomy}/terms${query}`)).data.terms as Term[];
/** The tree of terms as text: "A(B(C)) D". */
const shape = (list: Term[]): string =>
  list.map(({ label, children }) => (children.length > 0 ? `${label}(${shape(children)})` : label)).join(' ');
const tree = async (query = '') => shape(await terms(query));

describe('hierarchical terms (document 2, rule 9)', () => {
  it('are listed as a tree; parentId is the translation group of the parent', async () => {
    const a = await newTerm('A');
    const b = await newTerm('B', { parentId: a.id });
    await newTerm('C', { parentId: b.id });
    await newTerm('D');
    await newTerm('E', { parentId: a.id });
    expect(await tree()).toBe('A(B(C) E) D');
    expect(b.parentId).toBe(a.translationGroup);
    const { term } = (await editor.get(`/taxonomies/${taxonomy}/terms/a`)).data;
    expect(term.children.map(({ slug }: Term) => slug)).toEqual(['b', 'e']);
    expect(term.children[0]).toEqual({ id: b.id, slug: 'b', label: 'B' });
  });

  it('accept a row id or a group id as parent, and "" as none', async () => {
    const a = await newTerm('A');
    const german = await newTerm('A-de', { locale: 'de', translationOf: a.id });
    expect((await newTerm('B', { parentId: german.id })).parentId).toBe(a.id);
    expect((await newTerm('C', { parentId: '' })).parentId).toBeNull();
    expect((await newTerm('D', { parentId: null })).parentId).toBeNull();
    expect((await move('b', '')).data.term.parentId).toBeNull();
    expect((await move('b', a.translationGroup)).data.term.parentId).toBe(a.id);
  });

  it('return 400 VALIDATION_ERROR in a flat taxonomy', async () => {
    await editor.post('/taxonomies', { name: `${taxonomy}_flat`, label: 'Flat' });
    const path = `/taxonomies/${taxonomy}_flat/terms`;
    const parent = (await editor.post(path, { label: 'Parent' })).data.term;
    await editor.post(path, { label: 'Child' });
    expect(issuePaths(await editor.post(path, { label: 'New', parentId: parent.id }))).toEqual(['parentId']);
    expect(issuePaths(await editor.put(`${path}/child`, { parentId: parent.id }))).toEqual(['parentId']);
    for (const parentId of ['', null])
      expect((await editor.put(`${path}/child`, { parentId })).status).toBe(200);
  });

  it('reject a parent that is unknown, of another taxonomy, the term itself or its translation', async () => {
    const a = await newTerm('A');
    const german = await newTerm('A-de', { locale: 'de', translationOf: a.id });
    await editor.post('/taxonomies', { name: `${taxonomy}_other`, label: 'Other', hierarchical: true });
    const other = (await editor.post(`/taxonomies/${taxonomy}_other/terms`, { label: 'O' })).data.term;
    for (const parentId of [other.id, 'nothing', a.id, german.id]) {
      const response = await move('a', parentId);
      expect(statusAndCode(response)).toEqual([400, 'VALIDATION_ERROR']);
      expect(issuePaths(response)).toEqual(['parentId']);
    }
    for (const parentId of [other.id, 'nothing'])
      expect(issuePaths(await create({ label: 'New', parentId }))).toEqual(['parentId']);
    expect(await tree('?locale=en')).toBe('A');
  });

  it('reject cycles of any length', async () => {
    const a = await newTerm('A');
    const b = await newTerm('B', { parentId: a.id });
    const c = await newTerm('C', { parentId: b.id });
    for (const parentId of [b.id, c.id]) expect(issuePaths(await move('a', parentId))).toEqual(['parentId']);
    expect(await tree()).toBe('A(B(C))');
  });

  it('make no cycle when two terms are moved below each other concurrently', async () => {
    for (let round = 0; round < 10; round += 1) {
      const [x, y] = [await newTerm(`X${round}`), await newTerm(`Y${round}`)];
      const responses = await Promise.all([move(x.slug, y.id), move(y.slug, x.id)]);
      expect(responses.map(({ status }) => status).sort()).toEqual([200, 400]);
    }
    expect((await terms()).length).toBe(10);
  });

  it('have at most 100 ancestors, including moved descendants', async () => {
    let parent: Term | undefined;
    const chain: Term[] = [];
    for (let depth = 0; depth <= 100; depth += 1) {
      parent = await newTerm(`L${depth}`, { parentId: parent?.id ?? null });
      chain.push(parent);
    }
    const tooDeep = await create({ label: 'L101', parentId: chain[100]?.id });
    expect(issuePaths(tooDeep)).toEqual(['parentId']);
    expect(tooDeep.error.message).toContain('maximum depth');
    const top = await newTerm('Top');
    await newTerm('Below', { parentId: top.id });
    expect(issuePaths(await move('top', chain[99]?.id ?? ''))).toEqual(['parentId']);
    expect((await move('top', chain[98]?.id ?? '')).status).toBe(200);
    expect((await editor.get(`/taxonomies/${taxonomy}/terms`)).status).toBe(200);
  });

  it('cannot be deleted while they have children in any locale', async () => {
    const a = await newTerm('A');
    await newTerm('A-de', { locale: 'de', translationOf: a.id });
    await newTerm('B', { parentId: a.id, locale: 'fr' });
    for (const path of ['a', 'a-de']) {
      const response = await editor.delete(`/taxonomies/${taxonomy}/terms/${path}`);
      expect(statusAndCode(response)).toEqual([400, 'VALIDATION_ERROR']);
    }
    expect(await tree('?locale=en')).toBe('A');
    await editor.delete(`/taxonomies/${taxonomy}/terms/b`);
    expect((await editor.delete(`/taxonomies/${taxonomy}/terms/a`)).status).toBe(200);
  });

  it('keep their parent during a concurrent deletion', async () => {
    for (let round = 0; round < 5; round += 1) {
      const parent = await newTerm(`P${round}`);
      const [deletion, creation] = await Promise.all([
        editor.delete(`/taxonomies/${taxonomy}/terms/${parent.slug}`),
        create({ label: `C${round}`, parentId: parent.id }),
      ]);
      expect([
        [200, 400],
        [400, 201],
      ]).toContainEqual([deletion.status, creation.status]);
    }
  });
});

describe('position of the translations of a term', () => {
  it('is below the translated parent and moves with it', async () => {
    const a = await newTerm('A');
    const b = await newTerm('B', { parentId: a.id });
    const c = await newTerm('C');
    await newTerm('A-de', { locale: 'de', translationOf: a.id });
    const german = await newTerm('B-de', { locale: 'de', translationOf: b.id });
    await newTerm('C-de', { locale: 'de', translationOf: c.id });
    expect(german.parentId).toBe(a.id);
    expect(await tree('?locale=de')).toBe('A-de(B-de) C-de');
    expect((await move('b-de', c.id)).data.term.parentId).toBe(c.id);
    expect([await tree('?locale=en'), await tree('?locale=de')]).toEqual(['A C(B)', 'A-de C-de(B-de)']);
  });

  it('cannot have another parent', async () => {
    const a = await newTerm('A');
    const b = await newTerm('B', { parentId: a.id });
    const c = await newTerm('C');
    const response = await create({ label: 'B-de', locale: 'de', translationOf: b.id, parentId: c.id });
    expect(issuePaths(response)).toEqual(['parentId']);
    expect((await newTerm('B-de', { locale: 'de', translationOf: b.id, parentId: a.id })).parentId).toBe(
      a.id,
    );
    expect((await newTerm('B-fr', { locale: 'fr', translationOf: b.id, parentId: null })).parentId).toBe(
      a.id,
    );
  });

  it('is at the top when the parent is not listed', async () => {
    const a = await newTerm('A');
    const b = await newTerm('B', { parentId: a.id });
    await newTerm('B-de', { locale: 'de', translationOf: b.id });
    expect(await tree('?locale=de')).toBe('B-de');
    expect(await tree()).toBe('A(B B-de)');
    expect(await tree('?locale=de&resolveFallback=true')).toBe('A(B-de)');
  });
});

describe('POST /taxonomies/{name}/reorder (Content rule 7)', () => {
  const abc = async () => [await newTerm('A'), await newTerm('B'), await newTerm('C')] as const;

  it('turns [A, B, C] with [C, A] into [C, B, A]', async () => {
    const [a, , c] = await abc();
    const response = await reorder({ ids: [c.id, a.id] });
    expect([response.status, response.data]).toEqual([200, { reordered: true }]);
    expect(await tree()).toBe('C B A');
  });

  it('permutes the given terms and keeps the positions of others', async () => {
    const [a, b, c] = await abc();
    const [d, e] = [await newTerm('D'), await newTerm('E')];
    await reorder({ parentId: null, ids: [e.id, b.id, d.id] });
    expect(await tree()).toBe('A E C B D');
    await reorder({ ids: [a, b, c, d, e].map(({ id }) => id) });
    expect(await tree()).toBe('A B C D E');
    await reorder({ ids: [c.id] });
    await reorder({ ids: [] });
    expect(await tree()).toBe('A B C D E');
  });

  it('of the children of one parent keeps parents and other siblings', async () => {
    const [a, b] = await abc();
    const [x, y] = [await newTerm('X', { parentId: a.id }), await newTerm('Y', { parentId: a.id })];
    await newTerm('Z', { parentId: b.id });
    await reorder({ parentId: a.id, ids: [y.id, x.id] });
    expect(await tree()).toBe('A(Y X) B(Z) C');
    await reorder({ ids: [x.id, y.id] });
    expect(await tree()).toBe('A(X Y) B(Z) C');
  });

  it('applies to all locales, with ids of any locale', async () => {
    const [a, b, c] = await abc();
    const german = await newTerm('C-de', { locale: 'de', translationOf: c.id });
    await newTerm('A-de', { locale: 'de', translationOf: a.id });
    expect(await tree('?locale=de')).toBe('A-de C-de');
    await reorder({ ids: [german.id, a.translationGroup, b.id] });
    expect([await tree('?locale=en'), await tree('?locale=de')]).toEqual(['C A B', 'C-de A-de']);
  });

  it('appends new and moved terms', async () => {
    const [a, b, c] = await abc();
    await reorder({ ids: [c.id, b.id, a.id] });
    await newTerm('D');
    expect(await tree()).toBe('C B A D');
    await move('c', b.id);
    await move('a', b.id);
    await move('c', null);
    expect(await tree()).toBe('B(A) D C');
    await move('b', null);
    expect(await tree()).toBe('B(A) D C');
  });

  it.each([
    ['a term of another parent', (_a: Term, b: Term, x: Term) => ({ ids: [b.id, x.id] })],
    [
      'a term of another parent than parentId',
      (a: Term, _b: Term, x: Term) => ({ parentId: null, ids: [x.id, a.id] }),
    ],
    ['an unknown id', (a: Term, b: Term) => ({ ids: [b.id, 'nothing', a.id] })],
    ['only an unknown id', () => ({ ids: ['nothing'] })],
    ['a term twice', (a: Term, b: Term) => ({ ids: [b.id, a.id, b.id] })],
  ])('returns 400 REORDER_MISMATCH for %s, and changes nothing', async (_, body) => {
    const [a, b] = await abc();
    const x = await newTerm('X', { parentId: a.id });
    expect(statusAndCode(await reorder(body(a, b, x)))).toEqual([400, 'REORDER_MISMATCH']);
    expect(await tree()).toBe('A(X) B C');
  });

  it('returns 400 REORDER_MISMATCH for two ids of one term and a term of another taxonomy', async () => {
    const [a, b] = await abc();
    const german = await newTerm('A-de', { locale: 'de', translationOf: a.id });
    expect(statusAndCode(await reorder({ ids: [a.id, b.id, german.id] }))).toEqual([400, 'REORDER_MISMATCH']);
    await editor.post('/taxonomies', { name: `${taxonomy}_other`, label: 'Other' });
    const other = (await editor.post(`/taxonomies/${taxonomy}_other/terms`, { label: 'O' })).data.term;
    for (const ids of [[other.id], [other.id, a.id]])
      expect(statusAndCode(await reorder({ ids }))).toEqual([400, 'REORDER_MISMATCH']);
    expect(statusAndCode(await reorder({ parentId: other.id, ids: [] }))).toEqual([404, 'NOT_FOUND']);
  });

  it('returns 404 for an unknown taxonomy or parent and 400 for an invalid body', async () => {
    expect(statusAndCode(await reorder({ parentId: 'nothing', ids: [] }))).toEqual([404, 'NOT_FOUND']);
    expect(statusAndCode(await editor.post('/taxonomies/nothing/reorder', { ids: [] }))).toEqual([
      404,
      'NOT_FOUND',
    ]);
    for (const body of [{}, { ids: 'x' }, { ids: [''] }, { ids: [], more: 1 }, { parentId: '', ids: [] }])
      expect(statusAndCode(await reorder(body))).toEqual([400, 'VALIDATION_ERROR']);
    const ids = Array.from({ length: 101 }, (_, index) => `id${index}`);
    expect(issuePaths(await reorder({ ids }))).toEqual(['ids']);
  });

  it('ends in one of the requested orders for concurrent requests', async () => {
    const [a, b, c] = await abc();
    const orders = [
      [a, b, c],
      [b, c, a],
      [c, a, b],
      [c, b, a],
    ];
    const responses = await Promise.all(
      [...orders, ...orders].map((order) => reorder({ ids: order.map(({ id }) => id) })),
    );
    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200));
    expect(orders.map((order) => order.map(({ label }) => label).join(' '))).toContain(await tree());
  });
});
