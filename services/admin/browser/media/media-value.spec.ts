import { describe, expect, it } from '@jest/globals';
import { acceptAttribute, acceptedTypes, mediaValueOf, toValue } from './media-value.js';

describe('the accepted types of a field', () => {
  it.each([
    ['image', null, ['image/'], 'image/*'],
    [
      'image',
      { allowedMimeTypes: ['image/png', 'image/webp'] },
      ['image/png', 'image/webp'],
      'image/png,image/webp',
    ],
    ['file', null, [], ''],
    ['file', { allowedMimeTypes: ['application/pdf'] }, ['application/pdf'], 'application/pdf'],
  ] as const)('%s with %j', (type, validation, types, attribute) => {
    const accepted = acceptedTypes({ type, validation });
    expect(accepted).toEqual(types);
    expect(acceptAttribute(accepted)).toBe(attribute);
  });
});

it('reads values with an id only', () => {
  expect(mediaValueOf({ id: 'a', alt: 'x' })).toEqual({ id: 'a', alt: 'x' });
  for (const value of [null, 'https://example.org/a.png', { src: '/a.png' }, 7])
    expect(mediaValueOf(value)).toBeUndefined();
});

it('has what the library knows of a file', () => {
  const item = {
    id: 'm',
    alt: null,
    filename: 'a.png',
    mimeType: 'image/png',
    width: 4,
    height: 3,
    size: null,
    url: '/a',
  };
  expect(toValue(item)).toEqual({
    provider: 'local',
    id: 'm',
    src: '/a',
    filename: 'a.png',
    mimeType: 'image/png',
    width: 4,
    height: 3,
  });
  expect(toValue({ ...item, alt: 'A house', size: 9 })).toMatchObject({ alt: 'A house', size: 9 });
});
