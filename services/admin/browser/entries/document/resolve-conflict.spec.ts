import { describe, expect, it } from '@jest/globals';
import { block, openDocument, version } from './entry-document.fixture.js';

describe('a version by another editor', () => {
  it('is merged field by field', () => {
    const document = openDocument();
    document.set('intro', 'mine');
    expect(document.mergeVersion(version('2', { title: 'theirs', intro: 'one' }))).toEqual({
      merged: ['title'],
      conflict: [],
    });
    expect(document.getSnapshot('title')).toMatchObject({ value: 'theirs', state: 'clean' });
    expect(document.getSnapshot('intro')).toMatchObject({ value: 'mine', state: 'dirty' });
  });

  it('is a conflict of a text that both have changed, until the user has decided', () => {
    const document = openDocument();
    document.set('intro', 'mine');
    document.mergeVersion(version('2', { intro: 'theirs' }));
    expect(document.getSnapshot('intro')).toMatchObject({
      value: 'mine',
      state: 'conflict',
      conflict: { mine: 'mine', theirs: 'theirs' },
    });
    expect(document.pendingValues().size).toBe(0);
    expect(document.resolve('intro', 'both')).toBe(true);
    expect(document.getSnapshot('intro')).toMatchObject({ value: 'mine\n\ntheirs', state: 'dirty' });
  });

  it.each([
    ['mine', 'dirty'],
    ['theirs', 'clean'],
  ] as const)('keeps %s', (choice, state) => {
    const document = openDocument();
    document.set('title', 'mine');
    document.mergeVersion(version('2', { title: 'theirs' }));
    document.resolve('title', choice);
    expect(document.getSnapshot('title')).toMatchObject({ value: choice, state });
  });

  it('shows the newest text of the other side in an open conflict', () => {
    const document = openDocument();
    document.set('intro', 'mine');
    document.mergeVersion(version('2', { intro: 'theirs' }));
    document.set('intro', 'mine and more');
    document.mergeVersion(version('3', { intro: 'theirs again' }));
    expect(document.getSnapshot('intro')).toMatchObject({
      value: 'mine and more',
      conflict: { theirs: 'theirs again', items: [{ theirs: 'theirs again' }] },
    });
    document.set('intro', 'theirs again');
    expect(document.getSnapshot('intro').state).toBe('clean');
  });

  it('is a conflict of single blocks, which are decided one by one', () => {
    const document = openDocument();
    document.set('body', [block('a', 'my'), block('b', 'mine')]);
    document.mergeVersion(
      version('2', { body: [block('a', 'their'), block('b', 'theirs'), block('c', 'new')] }),
    );
    expect(document.resolve('body', 'theirs', ['a'])).toBe(false);
    document.mergeVersion(
      version('3', { body: [block('a', 'their'), block('b', 'newest'), block('c', 'new')] }),
    );
    expect(document.getSnapshot('body').conflict?.items).toMatchObject([
      { path: ['b'], theirs: block('b', 'newest') },
    ]);
    expect(document.resolve('body', 'both', ['b'])).toBe(true);
    expect(document.getSnapshot('body').value).toEqual([
      block('a', 'their'),
      block('b', 'mine'),
      { ...block('b', 'newest'), _key: expect.stringMatching(/^new/) },
      block('c', 'new'),
    ]);
  });

  it('keeps a deletion to decide that the other side has changed, and follows theirs', () => {
    const document = openDocument();
    document.set('body', [block('a', 'first')]);
    document.mergeVersion(version('2', { body: [block('a', 'first'), block('b', 'changed')] }));
    document.mergeVersion(version('3', { body: [block('a', 'first'), block('b', 'changed again')] }));
    expect(document.getSnapshot('body').conflict?.items).toMatchObject([{ mine: undefined }]);
    document.resolve('body', 'mine');
    expect(document.getSnapshot('body').value).toEqual([block('a', 'first')]);
  });

  it('keeps a block that the other side has deleted, or deletes it too', () => {
    for (const [choice, count] of [
      ['mine', 2],
      ['both', 2],
      ['theirs', 1],
    ] as const) {
      const document = openDocument();
      document.set('body', [block('a', 'first'), block('b', 'mine')]);
      document.mergeVersion(version('2', { body: [block('a', 'first')] }));
      document.resolve('body', choice);
      expect(document.getSnapshot('body').value).toHaveLength(count);
    }
  });

  it('is decided by one side where both values cannot exist together', () => {
    const card = (title: string) => [{ _type: 'card', _key: 'k', title }];
    const values = new Map<string, unknown>([
      ['body', card('one')],
      ['faq', { x: 1 }],
    ]);
    const document = openDocument({ values });
    document.set('body', card('mine'));
    document.set('faq', { x: 2 });
    document.mergeVersion(version('2', { body: card('theirs'), faq: { x: 3 } }));
    expect(document.resolve('body', 'both')).toBe(false);
    expect(document.resolve('faq', 'both')).toBe(false);
    expect(document.resolve('body', 'theirs')).toBe(true);
    expect(document.getSnapshot('body').value).toEqual(card('theirs'));
  });

  it('keeps both texts of a cell', () => {
    const cells = (text: string) => [{ content: [{ _type: 'span', _key: 's', text }] }];
    const table = (text: string) => [
      { _type: 'table', _key: 't', rows: [{ _key: 'r', cells: cells(text) }] },
    ];
    const document = openDocument({ values: new Map([['body', table('one')]]) });
    document.set('body', table('mine'));
    document.mergeVersion(version('2', { body: table('theirs') }));
    expect(document.resolve('body', 'both')).toBe(true);
    expect(JSON.stringify(document.getSnapshot('body').value)).toMatch(/mine.*theirs/);
  });

  it('leaves a part open that is no longer there', () => {
    const document = openDocument();
    document.set('body', [block('a', 'mine'), block('b', 'second')]);
    document.mergeVersion(version('2', { body: [block('a', 'theirs'), block('b', 'second')] }));
    document.set('body', [block('b', 'second')]);
    expect(document.resolve('body', 'theirs')).toBe(false);
    expect(document.resolve('body', 'mine')).toBe(true);
  });

  it('is a conflict of the whole repeater once a row is in conflict', () => {
    const document = openDocument({ values: new Map([['faq', [{ q: 'one' }]]]) });
    document.set('faq', [{ q: 'mine' }]);
    document.mergeVersion(version('2', { faq: [{ q: 'theirs' }] }));
    expect(document.getSnapshot('faq').conflict?.items).toMatchObject([{ path: ['0'], mine: { q: 'mine' } }]);
    document.mergeVersion(version('3', { faq: [{ q: 'zero' }, { q: 'theirs' }] }));
    expect(document.getSnapshot('faq').conflict?.items).toMatchObject([{ path: [] }]);
    document.resolve('faq', 'both');
    expect(document.getSnapshot('faq').value).toEqual([{ q: 'mine' }, { q: 'zero' }, { q: 'theirs' }]);
  });
});
