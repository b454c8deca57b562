import { describe, expect, it } from '@jest/globals';
import { defineField, openDocument, version } from './entry-document.fixture.js';
import { EntryDocument } from './entry-document.js';
import { propertyFields } from './entry-fields.js';

describe('EntryDocument', () => {
  it('knows changed fields, and clean ones again', () => {
    const document = openDocument();
    document.set('intro', 'two');
    expect(document.getSnapshot('intro')).toMatchObject({ base: 'one', value: 'two', state: 'dirty' });
    expect(document.getSummary()).toEqual({ dirty: ['intro'], invalid: [], conflict: [] });
    document.set('intro', 'one');
    expect(document.getSummary().dirty).toEqual([]);
  });

  it('notifies the listeners of the field, and keeps the snapshots of others', () => {
    const document = openDocument();
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
    const document = openDocument({ values: new Map() });
    expect(document.getSnapshot('title').state).toBe('clean');
    document.set('title', 'x');
    document.set('title', '');
    expect(document.getSnapshot('title')).toMatchObject({ state: 'invalid', issues: [{ code: 'required' }] });
    expect(document.pendingValues().size).toBe(0);
  });

  it('needs the required fields of a new entry from the beginning', () => {
    const document = openDocument({ values: new Map(), rev: undefined });
    expect(document.getSummary().invalid).toEqual(['title']);
    document.set('title', 'x');
    expect([...document.pendingValues()]).toEqual([['title', 'x']]);
  });

  it('keeps issues of a value until it changes', () => {
    const document = openDocument({ validate: (_, value) => (value === 'bad' ? [{ path: 'intro' }] : []) });
    document.set('intro', 'bad');
    expect(document.getSnapshot('intro').state).toBe('invalid');
    document.set('intro', 'good');
    document.setInvalid('intro', [{ path: 'intro', message: 'is too long' }]);
    expect(document.getSummary().invalid).toEqual(['intro']);
    document.set('intro', 'better');
    expect(document.getSummary().dirty).toEqual(['intro']);
  });

  it('is not changed by a property without a value', () => {
    const document = openDocument();
    document.set('faq', undefined);
    document.mergeVersion(version('2', { faq: null }));
    expect(document.getSnapshot('faq').state).toBe('clean');
  });
});

const write = (document: EntryDocument) => {
  const sent = document.pendingValues();
  document.markSent(sent);
  return sent;
};

describe('the response of a write', () => {
  it('replaces the base, and values that have not moved on', () => {
    const document = openDocument();
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
    const document = openDocument();
    document.set('title', '');
    document.set('intro', 'sent');
    document.acceptWrite(version('2', { title: 'Title', intro: 'sent' }), write(document));
    expect(document.getSnapshot('title')).toMatchObject({ base: 'Title', value: '', state: 'invalid' });
  });

  it('is recognised in a version that is read after it was lost', () => {
    const document = openDocument();
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
    const document = openDocument();
    document.set('intro', 'sent');
    write(document);
    document.mergeVersion(version('1', { intro: 'one' }));
    expect(document.hasUnconfirmed()).toBe(true);
    document.forgetUnconfirmed();
    expect(document.hasUnconfirmed()).toBe(false);
  });
});

it('a write without a response can no longer be executed after another version', () => {
  const document = openDocument();
  document.set('intro', 'sent');
  write(document);
  document.mergeVersion(version('2', { title: 'theirs', intro: 'one' }));
  document.set('intro', 'mine');
  document.mergeVersion(version('3', { intro: 'sent' }));
  expect(document.getSummary().conflict).toEqual(['intro']);
});

describe('the journal of a document', () => {
  it('has what the server does not have, and gives it back', () => {
    const document = openDocument();
    document.set('title', '');
    document.set('intro', 'mine');
    document.markSent(document.pendingValues());
    document.mergeVersion(version('1', { intro: 'one' }));
    const unsent = document.unsentFields();
    expect([...unsent.keys()]).toEqual(['title', 'intro']);
    const reopened = openDocument();
    reopened.restore({ rev: '1', fields: new Map([...unsent, ['gone', { base: 1, value: 2, sent: [] }]]) });
    expect(reopened.getSnapshot('intro')).toEqual(document.getSnapshot('intro'));
    expect(reopened.getSnapshot('title').state).toBe('invalid');
    expect(reopened.mergeVersion(version('2', { intro: 'mine' }))).toEqual({ merged: [], conflict: [] });
    expect(reopened.getSummary().conflict).toEqual([]);
  });

  it('is empty after the changes are discarded', () => {
    const document = openDocument();
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
    expect(defineField('tags', 'reference', related)).toMatchObject({
      part: 'references',
      rules: { kind: 'set', maxItems: 2 },
    });
    expect(defineField('next', 'reference')).toMatchObject({ part: 'data', rules: { kind: 'selection' } });
    expect(defineField('faq', 'repeater').rules.kind).toBe('rows');
    const keysOf = (hasSeo: boolean) => propertyFields({ hasSeo, taxonomies: ['tag'] }).map(({ key }) => key);
    expect(keysOf(true)).toContain('@seo.title');
    expect(keysOf(false)).toEqual(['@slug', '@authorId', '@publishedAt', '@bylines', '@terms.tag']);
  });

  it('without a value for a required selection are empty', () => {
    const field = defineField('tags', 'reference', { required: true, validation: { relation: 'r' } });
    const document = new EntryDocument({ fields: [field], values: new Map(), createKey: String });
    document.set('tags', []);
    expect(document.getSummary().invalid).toEqual(['tags']);
    expect(() => document.getSnapshot('unknown')).toThrow('no field unknown');
  });
});
