import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { issuePaths, openSite, statusAndCode, type Client, type Site } from '@quire/testing';

interface Term {
  id: string;
  slug: string;
  label: string;
  parentId: string | null;
  translationGroup: string;
  children: Term[];
}

let site: Site;
let editor: Client;
let count = 0;
let taxonomy = '';

beforeAll(async () => {
  site = await openSite();
  editor = await site.as('editor');
});
beforeEach(async () => {
  count += 1;
  taxonomy = `tree${count}`;
  await editor.post('/taxonomies', { name: taxonomy, label: 'Tree', hierarchical: true });
});
afterAll(() => site.close());

const create = (body: object) => editor.post(`/taxonomies/${taxonomy}/terms`, body);
const make = async (label: string, more: object = {}): Promise<Term> => {
  const answer = await create({ label, ...more });
  expect(answer.status).toBe(201);
  return answer.data.term as Term;
};
const move = (slug: string, parentId: string | null) =>
  editor.put(`/taxonomies/${taxonomy}/terms/${slug}`, { parentId });
const reorder = (body: object) => editor.post(`/taxonomies/${taxonomy}/reorder`, body);
const terms = async (query = '') =>
  (await editor.get(`/taxonomies/${taxonomy}/terms${query}`)).data.terms as Term[];
/** "A(B(C)) D": what stands below what, in order. */
const shape = (list: Term[]): string =>
  list.map(({ label, children }) => (children.length > 0 ? `${label}(${shape(children)})` : label)).join(' ');
const tree = async (query = '') => shape(await terms(query));

describe('hierarchical terms (document 2, rule 9)', () => {
  it('are listed as a tree; parentId is the translation group of the parent', async () => {
    const a = await make('A');
    const b = await make('B', { parentId: a.id });
    await make('C', { parentId: b.id });
    await make('D');
    await make('E', { parentId: a.id });
    expect(await tree()).toBe('A(B(C) E) D');
    expect(b.parentId).toBe(a.translationGroup);
    const { term } = (await editor.get(`/taxonomies/${taxonomy}/terms/a`)).data;
    expect(term.children.map(({ slug }: Term) => slug)).toEqual(['b', 'e']);
    expect(term.children[0]).toEqual({ id: b.id, slug: 'b', label: 'B' });
  });

  it('take a row id or a group id as parent, and "" as none', async () => {
    const a = await make('A');
    const german = await make('A-de', { locale: 'de', translationOf: a.id });
    expect((await make('B', { parentId: german.id })).parentId).toBe(a.id);
    expect((await make('C', { parentId: '' })).parentId).toBeNull();
    expect((await make('D', { parentId: null })).parentId).toBeNull();
    expect((await move('b', '')).data.term.parentId).toBeNull();
    expect((await move('b', a.translationGroup)).data.term.parentId).toBe(a.id);
  });

  it('are refused in a flat taxonomy: 400 VALIDATION_ERROR', async () => {
    await editor.post('/taxonomies', { name: `${taxonomy}_flat`, label: 'Flat' });
    const path = `/taxonomies/${taxonomy}_flat/terms`;
    const parent = (await editor.post(path, { label: 'Parent' })).data.term;
    await editor.post(path, { label: 'Child' });
    expect(issuePaths(await editor.post(path, { label: 'New', parentId: parent.id }))).toEqual(['parentId']);
    expect(issuePaths(await editor.put(`${path}/child`, { parentId: parent.id }))).toEqual(['parentId']);
    for (const parentId of ['', null])
      expect((await editor.put(`${path}/child`, { parentId })).status).toBe(200);
  });

  it('have no parent of another taxonomy, unknown, themselves or their translation', async () => {
    const a = await make('A');
    const german = await make('A-de', { locale: 'de', translationOf: a.id });
    await editor.post('/taxonomies', { name: `${taxonomy}_other`, label: 'Other', hierarchical: true });
    const other = (await editor.post(`/taxonomies/${taxonomy}_other/terms`, { label: 'O' })).data.term;
    for (const parentId of [other.id, 'nothing', a.id, german.id]) {
      const answer = await move('a', parentId);
      expect(statusAndCode(answer)).toEqual([400, 'VALIDATION_ERROR']);
      expect(issuePaths(answer)).toEqual(['parentId']);
    }
    for (const parentId of [other.id, 'nothing'])
      expect(issuePaths(await create({ label: 'New', parentId }))).toEqual(['parentId']);
    expect(await tree('?locale=en')).toBe('A');
  });

  it('reject cycles of any length', async () => {
    const a = await make('A');
    const b = await make('B', { parentId: a.id });
    const c = await make('C', { parentId: b.id });
    for (const parentId of [b.id, c.id]) expect(issuePaths(await move('a', parentId))).toEqual(['parentId']);
    expect(await tree()).toBe('A(B(C))');
  });

  it('make no cycle when two are moved below each other at once', async () => {
    for (let round = 0; round < 10; round += 1) {
      const [x, y] = [await make(`X${round}`), await make(`Y${round}`)];
      const answers = await Promise.all([move(x.slug, y.id), move(y.slug, x.id)]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
    }
    expect((await terms()).length).toBe(10);
  });

  it('have at most 100 ancestors, counted to the deepest that moves along', async () => {
    let parent: Term | undefined;
    const chain: Term[] = [];
    for (let depth = 0; depth <= 100; depth += 1) {
      parent = await make(`L${depth}`, { parentId: parent?.id ?? null });
      chain.push(parent);
    }
    const tooDeep = await create({ label: 'L101', parentId: chain[100]?.id });
    expect(issuePaths(tooDeep)).toEqual(['parentId']);
    expect(tooDeep.error.message).toContain('maximum depth');
    const top = await make('Top');
    await make('Below', { parentId: top.id });
    expect(issuePaths(await move('top', chain[99]?.id ?? ''))).toEqual(['parentId']);
    expect((await move('top', chain[98]?.id ?? '')).status).toBe(200);
    expect((await editor.get(`/taxonomies/${taxonomy}/terms`)).status).toBe(200);
  });

  it('keep a term with children from being deleted, in whatever locale the children are', async () => {
    const a = await make('A');
    await make('A-de', { locale: 'de', translationOf: a.id });
    await make('B', { parentId: a.id, locale: 'fr' });
    for (const path of ['a', 'a-de']) {
      const answer = await editor.delete(`/taxonomies/${taxonomy}/terms/${path}`);
      expect(statusAndCode(answer)).toEqual([400, 'VALIDATION_ERROR']);
    }
    expect(await tree('?locale=en')).toBe('A');
    await editor.delete(`/taxonomies/${taxonomy}/terms/b`);
    expect((await editor.delete(`/taxonomies/${taxonomy}/terms/a`)).status).toBe(200);
  });

  it('never lose their parent to a deletion at the same time', async () => {
    for (let round = 0; round < 5; round += 1) {
      const parent = await make(`P${round}`);
      const [deleted, made] = await Promise.all([
        editor.delete(`/taxonomies/${taxonomy}/terms/${parent.slug}`),
        create({ label: `C${round}`, parentId: parent.id }),
      ]);
      expect([
        [200, 400],
        [400, 201],
      ]).toContainEqual([deleted.status, made.status]);
    }
  });
});

describe('the place of a term is that of all its locales', () => {
  it('so a translation stands below the translated parent, and moves with it', async () => {
    const a = await make('A');
    const b = await make('B', { parentId: a.id });
    const c = await make('C');
    await make('A-de', { locale: 'de', translationOf: a.id });
    const german = await make('B-de', { locale: 'de', translationOf: b.id });
    await make('C-de', { locale: 'de', translationOf: c.id });
    expect(german.parentId).toBe(a.id);
    expect(await tree('?locale=de')).toBe('A-de(B-de) C-de');
    expect((await move('b-de', c.id)).data.term.parentId).toBe(c.id);
    expect([await tree('?locale=en'), await tree('?locale=de')]).toEqual(['A C(B)', 'A-de C-de(B-de)']);
  });

  it('so a translation may name that parent and no other', async () => {
    const a = await make('A');
    const b = await make('B', { parentId: a.id });
    const c = await make('C');
    const answer = await create({ label: 'B-de', locale: 'de', translationOf: b.id, parentId: c.id });
    expect(issuePaths(answer)).toEqual(['parentId']);
    expect((await make('B-de', { locale: 'de', translationOf: b.id, parentId: a.id })).parentId).toBe(a.id);
    expect((await make('B-fr', { locale: 'fr', translationOf: b.id, parentId: null })).parentId).toBe(a.id);
  });

  it('a term whose parent is not listed stands at the top; all locales stand in one tree', async () => {
    const a = await make('A');
    const b = await make('B', { parentId: a.id });
    await make('B-de', { locale: 'de', translationOf: b.id });
    expect(await tree('?locale=de')).toBe('B-de');
    expect(await tree()).toBe('A(B B-de)');
    expect(await tree('?locale=de&resolveFallback=true')).toBe('A(B-de)');
  });
});

describe('reorderTerms (Content rule 7)', () => {
  const abc = async () => [await make('A'), await make('B'), await make('C')] as const;

  it('[A, B, C] with [C, A] becomes [C, B, A]', async () => {
    const [a, , c] = await abc();
    const answer = await reorder({ ids: [c.id, a.id] });
    expect([answer.status, answer.data]).toEqual([200, { reordered: true }]);
    expect(await tree()).toBe('C B A');
  });

  it('lets the named exchange their places and leaves the others', async () => {
    const [a, b, c] = await abc();
    const [d, e] = [await make('D'), await make('E')];
    await reorder({ parentId: null, ids: [e.id, b.id, d.id] });
    expect(await tree()).toBe('A E C B D');
    await reorder({ ids: [a, b, c, d, e].map(({ id }) => id) });
    expect(await tree()).toBe('A B C D E');
    await reorder({ ids: [c.id] });
    await reorder({ ids: [] });
    expect(await tree()).toBe('A B C D E');
  });

  it('of the terms below one parent leaves parents and other siblings as they are', async () => {
    const [a, b] = await abc();
    const [x, y] = [await make('X', { parentId: a.id }), await make('Y', { parentId: a.id })];
    await make('Z', { parentId: b.id });
    await reorder({ parentId: a.id, ids: [y.id, x.id] });
    expect(await tree()).toBe('A(Y X) B(Z) C');
    await reorder({ ids: [x.id, y.id] });
    expect(await tree()).toBe('A(X Y) B(Z) C');
  });

  it('is one for all locales, whatever ids name the terms', async () => {
    const [a, b, c] = await abc();
    const german = await make('C-de', { locale: 'de', translationOf: c.id });
    await make('A-de', { locale: 'de', translationOf: a.id });
    expect(await tree('?locale=de')).toBe('A-de C-de');
    await reorder({ ids: [german.id, a.translationGroup, b.id] });
    expect([await tree('?locale=en'), await tree('?locale=de')]).toEqual(['C A B', 'C-de A-de']);
  });

  it('keeps a new term, and one that comes from elsewhere, last', async () => {
    const [a, b, c] = await abc();
    await reorder({ ids: [c.id, b.id, a.id] });
    await make('D');
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
      'a term below another parent than is said',
      (a: Term, _b: Term, x: Term) => ({ parentId: null, ids: [x.id, a.id] }),
    ],
    ['an unknown id', (a: Term, b: Term) => ({ ids: [b.id, 'nothing', a.id] })],
    ['only an unknown id', () => ({ ids: ['nothing'] })],
    ['a term twice', (a: Term, b: Term) => ({ ids: [b.id, a.id, b.id] })],
  ])('refuses %s: 400 REORDER_MISMATCH, and changes nothing', async (_, body) => {
    const [a, b] = await abc();
    const x = await make('X', { parentId: a.id });
    expect(statusAndCode(await reorder(body(a, b, x)))).toEqual([400, 'REORDER_MISMATCH']);
    expect(await tree()).toBe('A(X) B C');
  });

  it('refuses two ids of one term, and a term of another taxonomy', async () => {
    const [a, b] = await abc();
    const german = await make('A-de', { locale: 'de', translationOf: a.id });
    expect(statusAndCode(await reorder({ ids: [a.id, b.id, german.id] }))).toEqual([400, 'REORDER_MISMATCH']);
    await editor.post('/taxonomies', { name: `${taxonomy}_other`, label: 'Other' });
    const other = (await editor.post(`/taxonomies/${taxonomy}_other/terms`, { label: 'O' })).data.term;
    for (const ids of [[other.id], [other.id, a.id]])
      expect(statusAndCode(await reorder({ ids }))).toEqual([400, 'REORDER_MISMATCH']);
    expect(statusAndCode(await reorder({ parentId: other.id, ids: [] }))).toEqual([404, 'NOT_FOUND']);
  });

  it('is 404 for an unknown taxonomy or parent, 400 for a body that is not as documented', async () => {
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

  it('stays one of the orders that were asked for when many ask at once', async () => {
    const [a, b, c] = await abc();
    const orders = [
      [a, b, c],
      [b, c, a],
      [c, a, b],
      [c, b, a],
    ];
    const answers = await Promise.all(
      [...orders, ...orders].map((order) => reorder({ ids: order.map(({ id }) => id) })),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(orders.map((order) => order.map(({ label }) => label).join(' '))).toContain(await tree());
  });
});
