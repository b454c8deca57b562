import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { testS3 } from '@quire/testing';
import { Client } from 'minio';
import { digest, manyBytes, put, read, failingSource } from '../conformance/bytes.js';
import { objectStoreConformance } from '../conformance/object-store.conformance.js';
import type { ObjectStore, UploadConstraints } from '../port/object-store.js';
import { ObjectStoreUnavailable } from '../port/object-store-errors.js';
import { createS3Store } from './s3-store.js';

const bucket = `quire-test-${randomUUID()}`;
const severalParts = 20 * 1024 * 1024;
const open = (more = {}) =>
  createS3Store({ ...testS3(), publicEndpoint: testS3().endpoint, bucket, ...more });

/** A separate client, to check properties that the port does not show. */
function lookingClient(): Client {
  const { endpoint, ...keys } = testS3();
  const { hostname, port } = new URL(endpoint);
  return new Client({ endPoint: hostname, port: Number(port), useSSL: false, ...keys });
}

const unfinishedUploads = async (prefix: string) =>
  (await lookingClient().listIncompleteUploadsQuery(bucket, prefix, '', '', '')).uploads;

objectStoreConformance('in an S3 store', { open: () => Promise.resolve(open()), severalParts });

describe('bucket of the object store', () => {
  it('is created once by concurrent first calls', async () => {
    const fresh = `quire-test-${randomUUID()}`;
    const stores = [open({ bucket: fresh }), open({ bucket: fresh })];
    await Promise.all(stores.map((store, number) => put(store, `site/${number}`, 'text')));
    expect(await read(stores[0] as ObjectStore, 'site/1')).toBe('text');
    await Promise.all(stores.map((store) => store.close()));
  });

  it('without access for the keys leads to an error with the names of the variables', async () => {
    const store = open({ secretKey: 'a wrong one' });
    const failure = await store.ping().catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ObjectStoreUnavailable);
    expect(String((failure as Error).cause)).toContain('S3_SECRET_KEY');
    await store.close();
  });

  it('with an invalid name leads to an error', async () => {
    const store = open({ bucket: 'UPPER_case' });
    const failure = await put(store, 'site/name', 'text').catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ObjectStoreUnavailable);
    expect(String((failure as Error).cause)).toContain('UPPER_case');
    await store.close();
  });
});

describe('object beyond the size that S3 copies at once', () => {
  let store: ObjectStore;
  beforeAll(() => {
    store = open({ copyLimits: { wholeBytes: severalParts - 1, partBytes: 6 * 1024 * 1024 } });
  });
  afterAll(() => store.close());

  it('is copied in parts completely, with its content type', async () => {
    const bytes = Readable.from(manyBytes(severalParts));
    await store.put('copies/large', bytes, { contentType: 'video/mp4' });
    await store.copy('copies/large', 'copies/copied');
    const opened = await store.get('copies/copied');
    expect(await digest(opened?.bytes ?? [])).toBe(await digest(manyBytes(severalParts)));
    const { metaData, etag } = await lookingClient().statObject(bucket, 'copies/copied');
    expect([metaData['content-type'], etag.split('-')[1]]).toEqual(['video/mp4', '4']);
  });
});

describe('object in an S3 store', () => {
  let store: ObjectStore;
  beforeAll(() => {
    store = open();
  });
  afterAll(() => store.close());

  it.each([
    ['small', 10],
    ['large', severalParts],
  ])('with %s bytes has its content type', async (name, size) => {
    const key = `types/${name}`;
    await store.put(key, Readable.from(manyBytes(size)), { contentType: 'image/webp' });
    const { metaData } = await lookingClient().statObject(bucket, key);
    expect(metaData['content-type']).toBe('image/webp');
  });

  it.each(['fails', 'stalls'] as const)(
    'whose upload %s after some parts leaves no parts behind',
    async (end) => {
      const key = `parts/${end}`;
      const abort = new AbortController();
      let seen: unknown[] = [];
      async function* chunks() {
        yield* manyBytes(severalParts);
        seen = await unfinishedUploads(key);
        setTimeout(() => abort.abort(new Error('enough')), 10);
        yield* failingSource([], end);
      }
      const options = { contentType: 'text/plain', signal: abort.signal };
      await expect(store.put(key, Readable.from(chunks()), options)).rejects.toThrow();
      expect(seen).toHaveLength(1);
      expect(await unfinishedUploads(key)).toEqual([]);
    },
  );
});

describe('signed upload', () => {
  let store: ObjectStore;
  beforeAll(() => {
    store = open();
  });
  afterAll(() => store.close());

  const constraints: UploadConstraints = { contentType: 'image/png', size: 4, expiresSeconds: 60 };
  async function signed(key: string, more: Partial<UploadConstraints> = {}) {
    const upload = await store.signUpload(key, { ...constraints, ...more });
    if (!upload) throw new Error('the store did not sign');
    return upload;
  }
  const send = (url: string, headers: Record<string, string>, body = 'four') =>
    fetch(url, { method: 'PUT', headers, body });

  it('accepts the signed size and type', async () => {
    const { url, method, headers } = await signed('signed/taken');
    expect(method).toBe('PUT');
    expect((await send(url, headers)).status).toBe(200);
    expect(await read(store, 'signed/taken')).toBe('four');
    expect((await lookingClient().statObject(bucket, 'signed/taken')).metaData['content-type']).toBe(
      'image/png',
    );
  });

  it.each(['fiver', 'for', ''])('rejects the body %j, which has another size', async (body) => {
    const { url, headers } = await signed('signed/size');
    expect((await send(url, headers, body)).status).toBe(403);
    expect(await store.stat('signed/size')).toBeUndefined();
  });

  it('rejects another content type, and none', async () => {
    const { url } = await signed('signed/type');
    expect((await send(url, { 'Content-Type': 'text/html' })).status).toBe(403);
    expect((await send(url, {})).status).toBe(403);
    expect(await store.stat('signed/type')).toBeUndefined();
  });

  it('rejects another key', async () => {
    const { url, headers } = await signed('signed/one');
    expect((await send(url.replace('signed/one', 'signed/two'), headers)).status).toBe(403);
    expect(await store.stat('signed/two')).toBeUndefined();
  });

  it('does not allow reading', async () => {
    await put(store, 'signed/secret', 'four');
    const { url } = await signed('signed/secret');
    expect((await fetch(url)).status).toBe(403);
  });

  it('may be repeated until it expires', async () => {
    const { url, headers } = await signed('signed/expiring', { expiresSeconds: 2 });
    expect((await send(url, headers)).status).toBe(200);
    await new Promise((done) => setTimeout(done, 3_500));
    expect((await send(url, headers, 'late')).status).toBe(403);
    expect(await read(store, 'signed/expiring')).toBe('four');
  });

  it('is undefined where clients cannot reach the store', async () => {
    const hidden = open({ publicEndpoint: undefined });
    expect(await hidden.signUpload('signed/hidden', constraints)).toBeUndefined();
    await hidden.close();
  });

  it('has the public address of the store, and works there', async () => {
    const publicEndpoint = testS3().endpoint.replace('127.0.0.1', 'localhost');
    const elsewhere = open({ publicEndpoint });
    const upload = await elsewhere.signUpload('signed/public', constraints);
    await elsewhere.close();
    expect(upload?.url).toContain(`${publicEndpoint}/`);
    expect((await send(upload?.url ?? '', upload?.headers ?? {})).status).toBe(200);
    expect(await read(store, 'signed/public')).toBe('four');
  });
});
