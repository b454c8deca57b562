import { describe, expect, it } from '@jest/globals';
import { resolveMediaItem, copyStoredMetadata, type MediaItemRef } from './media-item-ref.js';

const item: MediaItemRef = {
  filename: 'a.png',
  mimeType: 'image/png',
  size: 7,
  width: 3,
  height: 2,
  alt: 'An A',
  blurhash: null,
  dominantColor: '#000000',
  storageKey: 'key',
  url: '/file/key',
};
const use = (
  type: 'image' | 'file',
  value: Record<string, unknown>,
  allowedMimeTypes: string[] | null = null,
) => ({
  path: 'f',
  type,
  value,
  allowedMimeTypes,
});

describe('resolveMediaItem', () => {
  it('replaces submitted properties of an image, and removes unknown ones', () => {
    const value = {
      id: 'x',
      width: 100,
      blurhash: 'sent',
      meta: { crop: 1, storageKey: 'sent' },
      alt: 'Own',
    };
    expect(resolveMediaItem(use('image', value), item)).toBeNull();
    expect(value).toEqual({
      id: 'x',
      alt: 'Own',
      filename: 'a.png',
      mimeType: 'image/png',
      width: 3,
      height: 2,
      dominantColor: '#000000',
      meta: { crop: 1, storageKey: 'key' },
    });
  });

  it('replaces the size and address of a file', () => {
    const value = { id: 'x' };
    expect(resolveMediaItem(use('file', value), item)).toBeNull();
    expect(value).toEqual({
      id: 'x',
      filename: 'a.png',
      mimeType: 'image/png',
      size: 7,
      url: '/file/key',
      meta: { storageKey: 'key' },
    });
  });

  it.each([
    ['image', ['image/jpeg'], 'image/png'],
    ['file', ['image/jpeg'], 'image/png'],
    ['image', null, 'application/pdf'],
  ] as const)('rejects the type of a %s with the allowed types %s: %s', (type, allowed, mimeType) => {
    const problem = resolveMediaItem(use(type, {}, allowed && [...allowed]), { ...item, mimeType });
    expect(problem).toEqual({ code: 'mime', message: `does not accept ${mimeType}` });
  });
});

describe('copyStoredMetadata', () => {
  it('replaces submitted properties', () => {
    const value = { id: 'x', width: 100, alt: 'New' };
    const stored = {
      id: 'x',
      width: 3,
      height: 2,
      mimeType: 'image/png',
      alt: 'Old',
      meta: { storageKey: 'key' },
    };
    expect(copyStoredMetadata(use('image', value), stored)).toBeNull();
    expect(value).toEqual({
      id: 'x',
      width: 3,
      height: 2,
      mimeType: 'image/png',
      alt: 'New',
      meta: { storageKey: 'key' },
    });
  });

  it('keeps a type that another field rejects', () => {
    expect(copyStoredMetadata(use('image', {}, ['image/png']), { mimeType: 'image/jpeg' })).toMatchObject({
      code: 'mime',
    });
  });
});
