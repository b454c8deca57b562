import { Readable } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { fingerprintStream } from './fingerprint-stream.js';

describe('fingerprintStream', () => {
  it('passes the bytes on, and computes size, hashes and the first bytes', async () => {
    const source = Readable.from([Buffer.from('ab'), Buffer.from('c')]);
    const { bytes, fingerprint } = fingerprintStream(source, { sampleBytes: 2 });
    expect(Buffer.concat(await bytes.toArray()).toString()).toBe('abc');
    expect(fingerprint()).toEqual({
      size: 3,
      // FIPS 180-2, appendix B.1, and the reference implementation of xxHash with seed 0.
      sha256: 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
      xxh64: 'xxh64:44bc2cf5ad770999',
      sample: Buffer.from('ab'),
    });
  });

  it('fails with the source', async () => {
    const source = new Readable({ read: () => undefined });
    const { bytes } = fingerprintStream(source, { sampleBytes: 1 });
    source.push('a');
    source.destroy(new Error('reset'));
    await expect(bytes.toArray()).rejects.toThrow('reset');
  });
});
