import type { LookupFunction } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { addressCheck, DisallowedAddressError } from './index.js';

const names: Record<string, string[]> = {
  'public.example': ['93.184.215.14', '2606:2800:21f:cb07:6820:80da:af6b:8b2c'],
  'inside.example': ['10.0.0.1'],
  'mixed.example': ['93.184.215.14', '127.0.0.1'],
};

const lookup: LookupFunction = (hostname, _, callback) => {
  if (hostname === 'slow.example') return;
  const found = names[hostname] ?? (/^[\d.:a-f]+$/.test(hostname) ? [hostname] : undefined);
  if (!found) return callback(Object.assign(new Error('not found'), { code: 'ENOTFOUND' }), []);
  callback(
    null,
    found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
  );
};
const check = addressCheck({ protocols: ['http:', 'https:'], anyPort: true, timeoutMs: 50, lookup });

describe('addressCheck', () => {
  it.each(['https://public.example/', 'http://public.example:8080/', 'https://93.184.215.14/'])(
    'accepts %s',
    async (url) => {
      await expect(check(new URL(url))).resolves.toBeUndefined();
    },
  );

  it.each([
    ['a private address', 'http://192.168.0.1/'],
    ['loopback in hexadecimal form', 'http://0x7f000001/'],
    ['the address of cloud metadata', 'http://169.254.169.254/'],
    ['a private address mapped into IPv6', 'http://[::ffff:10.0.0.1]/'],
    ['a name of a private address', 'http://inside.example/'],
    ['a name of a public and a private address', 'http://mixed.example/'],
    ['a name that does not resolve', 'http://missing.example/'],
    ['a name that does not resolve in time', 'http://slow.example/'],
    ['another protocol', 'ftp://public.example/'],
  ])('rejects %s: %s', async (_, url) => {
    await expect(check(new URL(url))).rejects.toThrow(DisallowedAddressError);
  });

  it('rejects http and other ports without the options', async () => {
    const strict = addressCheck({ lookup });
    await expect(strict(new URL('http://public.example/'))).rejects.toThrow(DisallowedAddressError);
    await expect(strict(new URL('https://public.example:8443/'))).rejects.toThrow(DisallowedAddressError);
  });
});
