import { describe, expect, it } from '@jest/globals';
import { EntryDocument, type DocumentOptions } from './entry-document.js';
import { contentField, propertyFields, type EntryField } from './entry-fields.js';

const define = (slug: string, type: string, more: object = {}): EntryField =>
  contentField({ slug, type: type as 'string', required: false, validation: null, ...more });
const fields = [
  define('title', 'string', { required: true }),
  define('intro', 'text'),
  define('body', 'portableText'),
  define('faq', 'repeater'),
];
const block = (key: string, text: string) => ({
  _type: 'block',
  _key: key,
  children: [{ _type: 'span', _key: 's', text, marks: [] }],
});
const stored = new Map<string, unknown>([
  ['title', 'Title'],
  ['intro', 'one'],
  ['body', [block('a', 'first'), block('b', 'second')]],
]);
let keys = 0;
const open = (options: Partial<DocumentOptions> = {}) =>
  new EntryDocument({
    fields,
    values: stored,
    rev: '1',
    createKey: () => `new${(keys += 1)}`,
    ...options,
  });
const version = (rev: string, values: Record<string, unknown>) => ({
  rev,
  values: new Map(Object.entries(values)),
});

describe('EntryDocument', () => {
  it('knows changed fields, and clean ones again', () => {
    const document = open();
    document.set('intro', 'two');
    expect(document.getSnapshot('intro')).toMatchObject({ base: 'one', value: 'two', state: 'dirty' });
    expect(document.getSummary()).toEqual({ dirty: ['intro'], invalid: [], conflict: [] });
    document.set('intro', 'one');
    expect(document.getSummary().dirty).toEqual([]);
  });

  it('notifies the listeners of the field, and keeps the snapshots of others', () => {
    const document = open();
    const calls: string[] = [];
    const stop = document.subscribe('intro', () => calls.push('intro'));
    document.subscribe('title', () => calls.push('title'));
    document.subscribeAll(() => calls.push('all'));
    document.onEdit((key) => calls.push(`edit ${key}`));
    const [title, intro] = [document.getSnapshot('title'), document.getSnapshot('intro')];
    document.set('intro', 'two');
    expect(calls).toEqual(['intro', 'all', 'edit intro']);
    expect(document.getSnapshot('title')).toBe(title);
    expect(document.getSnapshot('intro')).not.toBe(intro);
    expect(document.getSummary()).toBe(document.getSummary());
    stop();
    document.set('intro', 'two');
    document.set('intro', 'three');
    expect(calls.slice(3)).toEqual(['all', 'edit intro']);
  });

  it('keeps a required field back while it is empty, and does not judge what the server has', () => {
    const document = open({ values: new Map() });
    expect(document.getSnapshot('title').state).toBe('clean');
    document.set('title', 'x');
    document.set('title', '');
    expect(document.getSnapshot('title')).toMatchObject({ state: 'invalid', issues: [{ code: 'required' }] });
    expect(document.pendingValues().size).toBe(0);
  });

  it('needs the required fields of a new entry from the beginning', () => {
    const document = open({ values: new Map(), rev: undefined });
    expect(document.getSummary().invalid).toEqual(['title']);
    document.set('title', 'x');
    expect([...document.pendingValues()]).toEqual([['title', 'x']]);
  });

  it('keeps issues of a value until it changes', () => {
    const document = open({ validate: (_, value) => (value === 'bad' ? [{ path: 'intro' }] : []) });
    document.set('intro', 'bad');
    expect(document.getSnapshot('intro').state).toBe('invalid');
    document.set('intro', 'good');
    document.setInvalid('intro', [{ path: 'intro', message: 'is too long' }]);
    expect(document.getSummary().invalid).toEqual(['intro']);
    document.set('intro', 'better');
    expect(document.getSummary().dirty).toEqual(['intro']);
  });

  it('is not changed by a property without a value', () => {
    const document = open();
    document.set('faq', undefined);
    document.mergeVersion(version('2', { faq: null }));
    expect(document.getSnapshot('faq').state).toBe('clean');
  });
});

describe('the response of a write', () => {
  const write = (document: EntryDocument) => {
    const sent = document.pendingValues();
    document.markSent(sent);
    return sent;
  };

  it('replaces the base, and values that have not moved on', () => {
    const document = open();
    document.set('title', 'sent');
    document.set('intro', 'sent');
    const sent = write(document);
    document.set('intro', 'sent and more');
    document.acceptWrite(version('2', { title: 'normalised', intro: 'sent' }), sent);
    expect(document.getSnapshot('title')).toMatchObject({ value: 'normalised', state: 'clean' });
    expect(document.getSnapshot('intro')).toMatchObject({
      base: 'sent',
      value: 'sent and more',
      state: 'dirty',
    });
    expect(document.rev).toBe('2');
    expect(document.hasUnconfirmed()).toBe(false);
  });

  it('leaves changes that were not sent', () => {
    const document = open();
    document.set('title', '');
    document.set('intro', 'sent');
    document.acceptWrite(version('2', { title: 'Title', intro: 'sent' }), write(document));
    expect(document.getSnapshot('title')).toMatchObject({ base: 'Title', value: '', state: 'invalid' });
  });

  it('is recognised in a version that is read after it was lost', () => {
    const document = open();
    document.set('intro', 'sent');
    write(document);
    document.set('intro', 'sent and more');
    expect(document.mergeVersion(version('2', { intro: 'sent' }))).toEqual({ merged: [], conflict: [] });
    expect(document.getSnapshot('intro')).toMatchObject({
      base: 'sent',
      value: 'sent and more',
      state: 'dirty',
    });
  });

  it('may still come after a version without it', () => {
    const document = open();
    document.set('intro', 'sent');
    write(document);
    document.mergeVersion(version('1', { intro: 'one' }));
    expect(document.hasUnconfirmed()).toBe(true);
    document.forgetUnconfirmed();
    expect(document.hasUnconfirmed()).toBe(false);
  });
});

describe('a version by another editor', () => {
  it('is merged field by field', () => {
    const document = open();
    document.set('intro', 'mine');
    expect(document.mergeVersion(version('2', { title: 'theirs', intro: 'one' }))).toEqual({
      merged: ['title'],
      conflict: [],
    });
    expect(document.getSnapshot('title')).toMatchObject({ value: 'theirs', state: 'clean' });
    expect(document.getSnapshot('intro')).toMatchObject({ value: 'mine', state: 'dirty' });
  });

  it('is a conflict of a text that both have changed, until the user has decided', () => {
    const document = open();
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
    const document = open();
    document.set('title', 'mine');
    document.mergeVersion(version('2', { title: 'theirs' }));
    document.resolve('title', choice);
    expect(document.getSnapshot('title')).toMatchObject({ value: choice, state });
  });

  it('shows the newest text of the other side in an open conflict', () => {
    const document = open();
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
    const document = open();
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
    const document = open();
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
      const document = open();
      document.set('body', [block('a', 'first'), block('b', 'mine')]);
      document.mergeVersion(version('2', { body: [block('a', 'first')] }));
      document.resolve('body', choice);
      expect(document.getSnapshot('body').value).toHaveLength(count);
    }
  });

  it('leaves a part open that is no longer there', () => {
    const document = open();
    document.set('body', [block('a', 'mine'), block('b', 'second')]);
    document.mergeVersion(version('2', { body: [block('a', 'theirs'), block('b', 'second')] }));
    document.set('body', [block('b', 'second')]);
    expect(document.resolve('body', 'theirs')).toBe(false);
    expect(document.resolve('body', 'mine')).toBe(true);
  });

  it('is a conflict of the whole repeater once a row is in conflict', () => {
    const document = open({ values: new Map([['faq', [{ q: 'one' }]]]) });
    document.set('faq', [{ q: 'mine' }]);
    document.mergeVersion(version('2', { faq: [{ q: 'theirs' }] }));
    expect(document.getSnapshot('faq').conflict?.items).toMatchObject([{ path: ['0'], mine: { q: 'mine' } }]);
    document.mergeVersion(version('3', { faq: [{ q: 'zero' }, { q: 'theirs' }] }));
    expect(document.getSnapshot('faq').conflict?.items).toMatchObject([{ path: [] }]);
    document.resolve('faq', 'both');
    expect(document.getSnapshot('faq').value).toEqual([{ q: 'mine' }, { q: 'zero' }, { q: 'theirs' }]);
  });
});

describe('the journal of a document', () => {
  it('has what the server does not have, and gives it back', () => {
    const document = open();
    document.set('title', '');
    document.set('intro', 'mine');
    document.markSent(document.pendingValues());
    document.mergeVersion(version('1', { intro: 'one' }));
    const unsent = document.unsentFields();
    expect([...unsent.keys()]).toEqual(['title', 'intro']);
    const reopened = open();
    reopened.restore({ rev: '1', fields: new Map([...unsent, ['gone', { base: 1, value: 2, sent: [] }]]) });
    expect(reopened.getSnapshot('intro')).toEqual(document.getSnapshot('intro'));
    expect(reopened.getSnapshot('title').state).toBe('invalid');
    expect(reopened.mergeVersion(version('2', { intro: 'mine' }))).toEqual({ merged: [], conflict: [] });
    expect(reopened.getSummary().conflict).toEqual([]);
  });

  it('is empty after the changes are discarded', () => {
    const document = open();
    document.set('intro', 'mine');
    document.reset(version('2', { title: 'live' }));
    expect(document.unsentFields().size).toBe(0);
    expect(document.getSnapshot('title').value).toBe('live');
    expect(document.getSnapshot('intro').value).toBe('one');
  });
});

describe('the fields of an entry', () => {
  it('are merged and sent by their type', () => {
    const related = { type: 'reference', validation: { relation: 'r', relationSide: 'child', maxItems: 2 } };
    expect(define('tags', 'reference', related)).toMatchObject({
      part: 'references',
      rules: { kind: 'set', maxItems: 2 },
    });
    expect(define('next', 'reference')).toMatchObject({ part: 'data', rules: { kind: 'selection' } });
    expect(define('faq', 'repeater').rules.kind).toBe('rows');
    const keysOf = (hasSeo: boolean) => propertyFields({ hasSeo, taxonomies: ['tag'] }).map(({ key }) => key);
    expect(keysOf(true)).toContain('@seo.title');
    expect(keysOf(false)).toEqual(['@slug', '@authorId', '@publishedAt', '@bylines', '@terms.tag']);
  });

  it('without a value for a required selection are empty', () => {
    const field = define('tags', 'reference', { required: true, validation: { relation: 'r' } });
    const document = new EntryDocument({ fields: [field], values: new Map(), createKey: String });
    document.set('tags', []);
    expect(document.getSummary().invalid).toEqual(['tags']);
    expect(() => document.getSnapshot('unknown')).toThrow('no field unknown');
  });
});
