import { describe, expect, test } from '@jest/globals';
import { checkValue } from '../testing/check-value.js';
import { mimeProblem } from './media-fields.js';

const image = { type: 'image' } as const;
const file = { type: 'file' } as const;
const png = { validation: { allowedMimeTypes: ['image/PNG'] } };

describe('image value', () => {
  test.each<[string, unknown, unknown]>([
    ['a bare media id', '01H', { provider: 'local', id: '01H' }],
    [
      'a bare URL',
      'https://a.example/i.png',
      { provider: 'external', id: '', src: 'https://a.example/i.png' },
    ],
    ['only an id', { id: '01H' }, { provider: 'local', id: '01H' }],
    [
      'all properties',
      {
        id: '1',
        provider: 'cdn',
        src: 'https://a.example/i',
        alt: 'A',
        width: 1,
        height: 2,
        filename: 'i',
        mimeType: 'image/png',
        blurhash: 'b',
        dominantColor: '#fff',
        previewUrl: '/p',
        meta: { storageKey: 'k' },
      },
      {
        id: '1',
        provider: 'cdn',
        src: 'https://a.example/i',
        alt: 'A',
        width: 1,
        height: 2,
        filename: 'i',
        mimeType: 'image/png',
        blurhash: 'b',
        dominantColor: '#fff',
        previewUrl: '/p',
        meta: { storageKey: 'k' },
      },
    ],
    ['unknown keys, dropped', { id: '1', extra: 1, constructor: 2 }, { provider: 'local', id: '1' }],
    [
      'nulls, dropped',
      { id: '1', alt: null, width: null, src: '', darkVariant: null },
      { provider: 'local', id: '1' },
    ],
    [
      'the src of a local item, derived when read',
      { id: '1', src: '/_cms/x' },
      { provider: 'local', id: '1' },
    ],
    [
      'an external id, emptied',
      { provider: 'external', id: 'x', src: 'http://a.example/i' },
      { provider: 'external', id: '', src: 'http://a.example/i' },
    ],
    [
      'a dark variant',
      { id: '1', darkVariant: { id: '2', alt: 'dark', extra: 1 } },
      { provider: 'local', id: '1', darkVariant: { provider: 'local', id: '2', alt: 'dark' } },
    ],
    [
      'a bare dark variant',
      { id: '1', darkVariant: '2' },
      { provider: 'local', id: '1', darkVariant: { provider: 'local', id: '2' } },
    ],
  ])('accepts %s', (_, sent, stored) => {
    const result = checkValue(image, sent);
    expect(result.found).toEqual([]);
    expect(result.value).toEqual(stored);
  });

  test.each<[unknown, string[]]>([
    [5, ['field type']],
    [[], ['field type']],
    ['', ['field type']],
    ['/a/path.png', ['field type']],
    ['javascript:alert(1)', ['field type']],
    [{}, ['field.id required']],
    [{ id: '' }, ['field.id required']],
    [{ id: 5 }, ['field.id type']],
    [JSON.parse('{"__proto__":{"id":"1"}}'), ['field.id required']],
    [{ id: '1', provider: 5 }, ['field.provider type']],
    [
      { id: '1', alt: 5, width: '1', height: -1, meta: [] },
      ['field.alt type', 'field.width type', 'field.height min', 'field.meta type'],
    ],
    [{ id: '1', provider: 'cdn', src: 'javascript:x' }, ['field.src url']],
    [{ provider: 'external', id: '' }, ['field.src required']],
    [{ provider: 'external', id: '', src: '/x' }, ['field.src url']],
    [{ id: '1', alt: 'a\u0000' }, ['field.alt characters']],
    [{ id: '1', darkVariant: 5 }, ['field.darkVariant type']],
    [{ id: '1', darkVariant: {} }, ['field.darkVariant.id required']],
    [
      { id: '1', darkVariant: { id: '2', darkVariant: { id: '3' } } },
      ['field.darkVariant.darkVariant unknown_field'],
    ],
  ])('rejects %j', (sent, found) => {
    expect(checkValue(image, sent).found).toEqual(found);
  });

  test('is returned with its dark variant, to be checked and completed from the media library', () => {
    const result = checkValue({ ...image, ...png }, { id: '1', darkVariant: '2' });
    expect(
      result.media.map(({ path, type, allowedMimeTypes }) => ({ path, type, allowedMimeTypes })),
    ).toEqual([
      { path: 'field', type: 'image', allowedMimeTypes: ['image/png'] },
      { path: 'field.darkVariant', type: 'image', allowedMimeTypes: ['image/png'] },
    ]);
    for (const { value } of result.media) value['width'] = 7;
    expect(result.value).toMatchObject({ width: 7, darkVariant: { width: 7 } });
  });
});

describe('file value', () => {
  test.each<[string, unknown, unknown]>([
    ['only an id', { id: '1' }, { provider: 'local', id: '1' }],
    [
      'all properties, returned as stored',
      {
        id: '1',
        provider: 'local',
        filename: 'a.pdf',
        mimeType: 'application/pdf',
        url: '/f',
        src: '/s',
        size: 5,
        meta: { storageKey: 'k', x: [1] },
      },
      {
        id: '1',
        provider: 'local',
        filename: 'a.pdf',
        mimeType: 'application/pdf',
        url: '/f',
        src: '/s',
        size: 5,
        meta: { storageKey: 'k', x: [1] },
      },
    ],
    [
      'external',
      { provider: 'external', id: '', url: 'https://a.example/f' },
      { provider: 'external', id: '', url: 'https://a.example/f' },
    ],
  ])('accepts %s', (_, sent, stored) => {
    const result = checkValue(file, sent);
    expect(result.found).toEqual([]);
    expect(result.value).toEqual(stored);
    expect(result.media).toMatchObject([{ path: 'field', type: 'file', allowedMimeTypes: null }]);
  });

  test.each<[unknown, string[]]>([
    ['01H', ['field type']],
    [{}, ['field.id required']],
    [{ id: '1', url: 'javascript:x' }, ['field.url url']],
    [{ id: '1', size: '5' }, ['field.size type']],
    [{ id: '1', filename: 5 }, ['field.filename type']],
    [{ provider: 'external', id: '' }, ['field.url required']],
    [{ id: '1', meta: { a: '\u0000' } }, ['field.meta.a characters']],
  ])('rejects %j', (sent, found) => {
    expect(checkValue(file, sent).found).toEqual(found);
  });
});

describe('allowedMimeTypes', () => {
  test.each([
    ['image/png', null],
    ['IMAGE/PNG', null],
    ['image/jpeg', { code: 'mime', message: 'does not accept image/jpeg' }],
  ])('check the MIME type %s of the library against the field', (mimeType, problem) => {
    expect(mimeProblem({ allowedMimeTypes: ['image/png'] }, mimeType)).toEqual(problem);
  });

  test('accept any type when unset', () => {
    expect(mimeProblem({ allowedMimeTypes: null }, 'text/html')).toBeNull();
  });

  test('apply to the type of an external value and of its dark variant', () => {
    const external = { provider: 'external', src: 'https://a.example/i', mimeType: 'image/gif' };
    expect(checkValue({ ...image, ...png }, { ...external, darkVariant: external }).found).toEqual([
      'field mime',
      'field.darkVariant mime',
    ]);
    expect(checkValue({ ...image, ...png }, { ...external, mimeType: 'image/png' }).found).toEqual([]);
  });

  test('leave the type of a local value to the library', () => {
    expect(checkValue({ ...image, ...png }, { id: '1', mimeType: 'image/gif' }).found).toEqual([]);
  });
});
