import { describe, expect, it } from '@jest/globals';
import { useSite } from '@quire/testing';
import { useEdgeCases } from './edge-cases-support.js';
import { allBylines, allTerms, type Term } from './support.js';

const site = useSite();
const cases = useEdgeCases(site);

const bylinesOf = (title: string) =>
  (cases.entry(title).bylines ?? []).map(({ byline }) => [byline.slug, byline.displayName]);

describe('titles and slugs of imported entries (contract 2.2)', () => {
  it('E27: the second post of a slug has a suffix and a warning; the page of another collection keeps it', () => {
    const slugs = ['E27 same slug one', 'E27 same slug two', 'E27 same slug page'].map(
      (title) => `${cases.entry(title).type}/${cases.entry(title).slug}`,
    );
    expect(slugs).toEqual(['posts/same-1', 'posts/same-1-2', 'pages/same-1']);
    expect(cases.warnings('E27')).toEqual([['SLUG_RENAMED', expect.stringContaining("'same-1-2'")]]);
  });

  it('E28: a percent-encoded slug is decoded, and its entry is found by it', async () => {
    const { id, slug } = cases.entry('E28');
    expect(slug).toBe('日本語-1');
    expect((await cases.admin.get(`/content/posts/${encodeURIComponent(slug)}`)).data.item.id).toBe(id);
  });

  it('E29: text of any script, joined emoji and combining marks stay', () => {
    const { title } = cases.entry('E29').data;
    expect(title).toBe('E29 \u202bمرحبا\u202c 👩‍👩‍👧 e\u0301 \u200bzero');
    expect(cases.warnings('E29')).toEqual([]);
  });

  it('E30: a title that was escaped twice is decoded once, without its tags, with a warning', () => {
    expect(cases.entry('E30').data.title).toBe('E30 Tom & Jerry – x meadow');
    expect(cases.warningCodes('E30')).toEqual(['TITLE_FIXED']);
  });

  it('E43: an item with nothing but an id is an empty entry named Untitled', () => {
    expect(cases.entry('Untitled')).toMatchObject({
      slug: 'e43-1',
      status: 'published',
      data: { title: 'Untitled', content: [] },
    });
  });
});

describe('bylines of imported entries (contract 2.5)', () => {
  it('E31: an author whom the file does not declare has a guest byline of the login', () => {
    expect(bylinesOf('E31')).toEqual([['ghost', 'ghost']]);
  });

  it('E32: an item without an author has no byline', () => {
    expect(bylinesOf('E32')).toEqual([]);
    expect(cases.entry('E32')).toMatchObject({ byline: null, primaryBylineId: null });
  });

  it('E33: a login with a space is recognised', () => {
    expect(bylinesOf('E33')).toEqual([['grace-h', 'Grace H.']]);
  });

  it('E34: an author without a name has the login as the name', () => {
    expect(bylinesOf('E34')).toEqual([['nobody', 'nobody']]);
  });

  it('each login has one guest byline, which is the primary one, and no entry has an owner', async () => {
    const bylines = await allBylines(cases.admin);
    expect(bylines.map(({ slug, isGuest, userId }) => [slug, isGuest, userId]).sort()).toEqual(
      ['ada', 'ghost', 'grace-h', 'nobody'].map((slug) => [slug, true, null]),
    );
    const ada = bylines.find(({ slug }) => slug === 'ada');
    expect(cases.entry('E01')).toMatchObject({ primaryBylineId: ada.translationGroup, authorId: null });
    expect(cases.entries.filter(({ authorId }) => authorId !== null)).toEqual([]);
  });
});

describe('terms of imported entries (contract 2.5)', () => {
  /** Terms as "slug=label", those below another one as "parent/slug=label". */
  const paths = (terms: Term[]) =>
    terms
      .map(({ slug, label, parentId }) => {
        const parent = terms.find(({ id }) => id === parentId);
        return `${parent ? `${parent.slug}/` : ''}${slug}=${label}`;
      })
      .sort();

  it('E35: every declared and assigned term exists once, below its parent', async () => {
    const all = await allTerms(cases.admin);
    expect(Object.fromEntries(Object.entries(all).map(([name, terms]) => [name, paths(terms)]))).toEqual({
      category: [
        'branch/leaf=Leaf',
        'lost=Lost',
        'named-only=Named only',
        'root/branch=Branch',
        'root=Root & Co',
        'undeclared=Undeclared label',
        'أخبار=أخبار',
      ],
      genre: ['text/poem=Poem', 'text=Text'],
      shop_brand: ['acme=Acme'],
      tag: ['alpha=Alpha', 'c=C++'],
    });
    const root = all['category']?.find(({ slug }) => slug === 'root');
    expect(root?.description).toBe('Line one\nline two');
  });

  it('E35: the entry has its terms of each taxonomy, none of them twice', async () => {
    const { id } = cases.entry('E35');
    const assigned: Record<string, string[]> = {};
    for (const taxonomy of ['category', 'tag', 'genre', 'shop_brand']) {
      const { data } = await cases.admin.get(`/content/posts/${id}/terms/${taxonomy}`);
      assigned[taxonomy] = data.terms.map(({ slug }: Term) => slug).sort();
    }
    expect(assigned).toEqual({
      category: ['leaf', 'named-only', 'undeclared', 'أخبار'],
      tag: ['alpha', 'c'],
      genre: ['poem'],
      shop_brand: ['acme'],
    });
  });

  it('E35: a term with an unknown parent stays at the root with a warning; a post format is no taxonomy', async () => {
    expect(cases.warnings('lost')).toEqual([['PARENT_MISSING', expect.stringContaining('no-such-parent')]]);
    const { taxonomies } = (await cases.admin.get('/taxonomies')).data;
    const facts = taxonomies.map(({ name, hierarchical, collections }: Record<string, unknown>) => [
      name,
      hierarchical,
      collections,
    ]);
    expect(facts.sort()).toEqual([
      ['category', true, ['posts']],
      ['genre', true, ['posts', 'book']],
      ['shop_brand', false, ['posts']],
      ['tag', false, ['posts']],
    ]);
  });

  it('E40: a term of two post types is assigned in both collections', async () => {
    const { id } = cases.entry('E40 book');
    const { terms } = (await cases.admin.get(`/content/book/${id}/terms/genre`)).data;
    expect(terms.map(({ slug }: Term) => slug)).toEqual(['text']);
  });
});
