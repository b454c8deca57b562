import { describe, expect, it } from '@jest/globals';
import { EntryDocument } from '../document/entry-document.js';
import { contentField, slugField } from '../document/entry-fields.js';
import { isSlugOf, SlugSuggestion, slugOf } from './slug-suggestion.js';

const title = contentField({ slug: 'title', type: 'string', required: true, validation: null });

function setUp({ values = {}, wasPublished = false } = {}) {
  const document = new EntryDocument({
    fields: [title, slugField],
    values: new Map(Object.entries(values)),
    rev: 'r1',
    createKey: () => 'key',
  });
  const suggestion = new SlugSuggestion({ document, titleKey: 'title', wasPublished: () => wasPublished });
  return { document, suggestion, slug: () => document.getSnapshot('@slug').value };
}

describe('the slug of a draft', () => {
  it('follows the title while it is typed', () => {
    const { document, slug } = setUp();
    document.set('title', 'My');
    expect(slug()).toBe('my');
    document.set('title', 'My first Café');
    expect(slug()).toBe('my-first-café');
  });

  it('follows the title of an entry that was created with the beginning of it', () => {
    const { document, slug } = setUp({ values: { title: 'My', '@slug': 'my-2' } });
    document.set('title', 'My house');
    expect(slug()).toBe('my-house');
  });

  it('is left alone once the user has changed it', () => {
    const { document, slug } = setUp();
    document.set('title', 'My');
    document.set('@slug', 'own');
    document.set('title', 'My house');
    expect(slug()).toBe('own');
  });

  it('is left alone where it is not that of the title', () => {
    const { document, slug } = setUp({ values: { title: 'My', '@slug': 'another' } });
    document.set('title', 'My house');
    expect(slug()).toBe('another');
  });

  it('is left alone once the entry was published', () => {
    const { document, slug } = setUp({ values: { title: 'My', '@slug': 'my' }, wasPublished: true });
    document.set('title', 'My house');
    expect(slug()).toBe('my');
  });

  it('gets a number while another entry has it, at most twenty times', () => {
    const { document, slug } = setUp();
    document.set('title', 'My');
    const take = () => document.setInvalid('@slug', [{ code: 'taken', path: '@slug' }]);
    take();
    expect(slug()).toBe('my-1');
    for (let count = 2; count < 30; count += 1) take();
    expect(slug()).toBe('my-20');
    document.set('title', 'My house');
    expect(slug()).toBe('my-house');
  });

  it('is not suggested after the editor is closed, nor for a title without letters', () => {
    const { document, suggestion, slug } = setUp();
    document.set('title', '   ');
    expect(slug()).toBeNull();
    suggestion.dispose();
    document.set('title', 'My');
    expect(slug()).toBeNull();
  });
});

it.each([
  ['my', 'My', true],
  ['my-12', 'My', true],
  ['my-house', 'My', false],
  ['mym', 'My', false],
  [null, 'My', true],
  ['my', null, false],
])('%s is the slug of %s: %s', (slug, text, expected) => {
  expect(isSlugOf(slug, text)).toBe(expected);
});

it('has no slug for anything but a text', () => {
  expect([slugOf(7), slugOf(''), slugOf(null)]).toEqual([undefined, undefined, undefined]);
});
