import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { manyBytes, put } from '../conformance/bytes.js';
import type { ObjectStore } from '../port/object-store.js';
import { ObjectStoreFull, ObjectStoreUnavailable } from '../port/object-store-errors.js';
import { createS3Store, type S3StoreOptions } from './s3-store.js';

interface Reply {
  status: number;
  body?: string;
  headers?: Record<string, string>;
}

const xml = (status: number, body: string): Reply => ({ status, body: `<?xml version="1.0"?>${body}` });
const failure = (status: number, code: string) =>
  xml(status, `<Error><Code>${code}</Code><Message>what the server says</Message></Error>`);
const nameOf = ({ method, url = '', headers }: IncomingMessage) => {
  const { searchParams: query, pathname } = new URL(url, 'http://s3');
  const isBucket = pathname.split('/').filter(Boolean).length < 2;
  if (isBucket && query.has('delete')) return 'deletion';
  if (isBucket) return query.has('uploads') ? 'staleUploads' : 'bucket';
  if (query.has('uploads')) return 'begin';
  if (query.has('partNumber')) return 'part';
  if (query.has('uploadId')) return method === 'POST' ? 'complete' : 'abort';
  return 'x-amz-copy-source' in headers ? 'copy' : 'object';
};

/** Responses that no real server gives on demand: the S3 documentation allows them and adapters forget them. */
describe('the object store on an S3 server that', () => {
  let server: Server;
  let store: ObjectStore;
  let access: S3StoreOptions;
  let requests: string[];
  let aborted: (string | undefined)[];
  let replies: Record<string, Reply>;
  beforeEach(async () => {
    requests = [];
    aborted = [];
    replies = {
      bucket: { status: 200 },
      begin: xml(
        200,
        '<InitiateMultipartUploadResult><UploadId>one</UploadId></InitiateMultipartUploadResult>',
      ),
      part: { status: 200, headers: { etag: '"part"' } },
      abort: { status: 204 },
      object: { status: 200, headers: { etag: '"whole"' } },
    };
    server = createServer((request, response) => {
      const name = nameOf(request);
      if (name !== 'bucket' && name !== 'staleUploads') requests.push(name);
      if (name === 'abort') aborted.push(/uploadId=(\w+)/.exec(request.url ?? '')?.[1]);
      request.resume().once('end', () => {
        const { status, body = '', headers = {} } = replies[name] ?? failure(501, 'NotImplemented');
        response.writeHead(status, headers).end(request.method === 'HEAD' ? '' : body);
      });
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const { port } = server.address() as AddressInfo;
    const keys = { accessKey: 'key', secretKey: 'secret', region: 'eu-central-1', publicEndpoint: undefined };
    access = { ...keys, endpoint: `http://127.0.0.1:${port}`, bucket: 'quire' };
    store = createS3Store(access);
  });
  afterEach(async () => {
    await store.close();
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  });

  const putLarge = () =>
    store.put('site/large', Readable.from(manyBytes(20 * 1024 * 1024)), { contentType: 'video/mp4' });

  it('accepts all parts and completes the upload stores the object', async () => {
    replies['complete'] = xml(
      200,
      '<CompleteMultipartUploadResult><Location>here</Location><Bucket>quire</Bucket><Key>site/large</Key><ETag>"all"</ETag></CompleteMultipartUploadResult>',
    );
    expect(await putLarge()).toEqual({ size: 20 * 1024 * 1024 });
    expect(requests).toEqual(['begin', 'part', 'part', 'part', 'complete']);
  });

  it('returns 200 with an error on multipart completion stores nothing', async () => {
    replies['complete'] = failure(200, 'InternalError');
    await expect(putLarge()).rejects.toThrow(ObjectStoreUnavailable);
    expect(requests.slice(-2)).toEqual(['complete', 'abort']);
  });

  it('returns an empty 200 on multipart completion stores nothing', async () => {
    replies['complete'] = { status: 200 };
    await expect(putLarge()).rejects.toThrow(ObjectStoreUnavailable);
  });

  it('returns 200 with an error on a copy has not copied it', async () => {
    replies['copy'] = failure(200, 'SlowDown');
    await expect(store.copy('site/from', 'site/to')).rejects.toThrow(ObjectStoreUnavailable);
  });

  it('returns an empty 200 on a copy has not copied it', async () => {
    replies['copy'] = { status: 200 };
    await expect(store.copy('site/from', 'site/to')).rejects.toThrow(ObjectStoreUnavailable);
  });

  it('fails to copy a part of a large object has not copied it, and gets no further part', async () => {
    replies['object'] = { status: 200, headers: { etag: '"source"', 'content-length': '100' } };
    replies['part'] = failure(500, 'InternalError');
    const large = createS3Store({ ...access, copyLimits: { wholeBytes: 10, partBytes: 5 } });
    await expect(large.copy('site/from', 'site/to')).rejects.toThrow(ObjectStoreUnavailable);
    await large.close();
    expect([requests[1], requests.at(-1)]).toEqual(['begin', 'abort']);
    expect(requests.filter((name) => name === 'part').length).toBeLessThan(20);
  });

  it('returns no etag for a part has not stored it', async () => {
    replies['part'] = { status: 200 };
    await expect(putLarge()).rejects.toThrow(ObjectStoreUnavailable);
    expect(requests.at(-1)).toBe('abort');
  });

  it.each(['QuotaExceeded', 'XMinioStorageFull'])('returns %s is full', async (code) => {
    replies['object'] = failure(403, code);
    await expect(put(store, 'site/name', 'text')).rejects.toThrow(ObjectStoreFull);
    replies['part'] = failure(507, code);
    await expect(putLarge()).rejects.toThrow(ObjectStoreFull);
    expect(requests.at(-1)).toBe('abort');
  });

  it.each([500, 503])('returns %i is retried once and then counts as unavailable', async (status) => {
    replies['object'] = failure(status, 'SlowDown');
    await expect(put(store, 'site/name', 'text')).rejects.toThrow(ObjectStoreUnavailable);
    expect(requests).toEqual(['object', 'object']);
  });

  it('rejects a request gets no retry', async () => {
    replies['object'] = failure(403, 'AccessDenied');
    await expect(put(store, 'site/name', 'text')).rejects.toThrow(ObjectStoreUnavailable);
    expect(requests).toEqual(['object']);
  });

  const keys = Array.from({ length: 5_000 }, (_, number) => `site/n${number}`);

  it('deletes 5,000 objects gets 5 requests', async () => {
    replies['deletion'] = xml(200, '<DeleteResult></DeleteResult>');
    await store.deleteMany(keys);
    expect(requests).toEqual(Array.from({ length: 5 }, () => 'deletion'));
  });

  it('deletes some of the objects fails, and gets no further request', async () => {
    const error = (code: string) => `<Error><Key>site/n1</Key><Code>${code}</Code></Error>`;
    replies['deletion'] = xml(
      200,
      `<DeleteResult>${error('NoSuchKey')}${error('AccessDenied')}</DeleteResult>`,
    );
    await expect(store.deleteMany(keys)).rejects.toThrow(ObjectStoreUnavailable);
    expect(requests).toEqual(['deletion']);
  });

  it('returns 200 with an error on a deletion has not deleted', async () => {
    replies['deletion'] = failure(200, 'InternalError');
    await expect(store.deleteMany(keys)).rejects.toThrow(ObjectStoreUnavailable);
  });

  it('has incomplete uploads gets those older than a day aborted', async () => {
    const upload = (key: string, id: string, hours: number) =>
      `<Upload><Key>${key}</Key><UploadId>${id}</UploadId><Initiated>${new Date(Date.now() - hours * 3_600_000).toISOString()}</Initiated></Upload>`;
    const uploads = [
      upload('site/old', 'old', 25),
      upload('site/young', 'young', 23),
      upload('not ours', 'foreign', 25),
      upload('site/older', 'older', 250),
    ];
    replies['staleUploads'] = xml(
      200,
      `<ListMultipartUploadsResult><IsTruncated>false</IsTruncated>${uploads.join('')}</ListMultipartUploadsResult>`,
    );
    await put(store, 'site/name', 'text');
    while (aborted.length < 2) await new Promise((done) => setTimeout(done, 10));
    await put(store, 'site/name', 'text');
    expect(aborted).toEqual(['old', 'older']);
  });

  it('does not list uploads is used all the same', async () => {
    replies['staleUploads'] = failure(501, 'NotImplemented');
    expect(await put(store, 'site/name', 'text')).toEqual({ size: 4 });
  });

  it('has no bucket and cannot create one leads to an error with the variable of its name', async () => {
    replies['bucket'] = { status: 404 };
    const refused = await put(store, 'site/name', 'text').catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(ObjectStoreUnavailable);
    expect(String((refused as Error).cause)).toContain('S3_BUCKET');
    expect(requests).toEqual([]);
  });
});
