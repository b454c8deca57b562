import { Readable } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { anonymous, type Context } from '@quire/context';
import { packageLimits, sha256Of } from '@quire/site-package';
import { buildPackage } from '@quire/testing';
import { bodyOf, errorOf } from '../imports.fixture.js';
import { receiveManifest } from './receive-manifest.js';

const ctx = { principal: anonymous({ id: 'a', database: null }) } as Context;
const { manifest, manifestBytes } = buildPackage();
const receive = (text: Buffer | string, given = {}) => receiveManifest(ctx, bodyOf(Buffer.from(text), given));

describe('receiveManifest', () => {
  it('returns exactly the received bytes, with their hash', async () => {
    const spaced = Buffer.from(`  ${manifestBytes.toString()}\r\n`);
    expect(await receive(spaced)).toEqual({ bytes: spaced, sha256: sha256Of(spaced), manifest });
  });

  it.each(['application/json; charset=utf-8', 'Application/JSON'])('accepts %s', async (contentType) => {
    expect((await receive(manifestBytes, { contentType })).manifest).toEqual(manifest);
  });

  it.each([undefined, 'text/plain', 'application/jsonl'])(
    'rejects the media type %s',
    async (contentType) => {
      const { code } = await errorOf(receive(manifestBytes, { contentType }));
      expect(code).toBe('UNSUPPORTED_MEDIA_TYPE');
    },
  );

  it('rejects bytes that are no UTF-8, whose digest would be another one', async () => {
    const text = manifestBytes.toString().replace('site-1', 'site-?');
    const bytes = Buffer.from(text);
    bytes[bytes.indexOf('?')] = 0xff;
    expect((await errorOf(receive(bytes))).code).toBe('TRANSFER_MANIFEST_INVALID');
  });

  it('rejects a byte order mark', async () => {
    expect((await errorOf(receive(`\ufeff${manifestBytes.toString()}`))).code).toBe(
      'TRANSFER_MANIFEST_INVALID',
    );
  });

  const { manifestBytes: maxBytes } = packageLimits;
  it.each<[string, Buffer | string, object]>([
    ['a declared size', '{}', { contentLength: maxBytes + 1 }],
    ['received bytes', Buffer.alloc(maxBytes + 1, ' '), { contentLength: undefined }],
  ])('rejects %s above 8 MiB', async (_, bytes, given) => {
    const details = { limit: 'manifestBytes', max: maxBytes };
    expect(await errorOf(receive(bytes, given))).toEqual({ code: 'TRANSFER_LIMIT_EXCEEDED', details });
  });

  it.each<[string, string]>([
    ['deep lists', '['.repeat(maxBytes)],
    ['deep objects', '{"a":'.repeat(maxBytes / 5)],
    ['millions of values', `[${'1,'.repeat(maxBytes / 2 - 2)}1]`],
    ['many index files', `{"index":[${'{},'.repeat(200_000)}{}]}`],
  ])('rejects %s in 8 MiB', async (_, text) => {
    const { code } = await errorOf(receive(text.slice(0, maxBytes)));
    expect(code).toMatch(/^TRANSFER_(MANIFEST_INVALID|LIMIT_EXCEEDED)$/);
  });

  it('rejects an incomplete body', async () => {
    const broken = new Readable({ read: () => undefined });
    const received = errorOf(receiveManifest(ctx, bodyOf(broken)));
    broken.push(manifestBytes.subarray(0, 10));
    broken.destroy();
    expect((await received).code).toBe('INVALID_REQUEST');
  });
});
