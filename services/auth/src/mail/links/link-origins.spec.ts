import { describe, expect, it } from '@jest/globals';
import { LinkOrigins } from './link-origins.js';

const origins = new LinkOrigins('https://public.example', (host) =>
  Promise.resolve(host === 'site.example' || host === 'site.example:8080'),
);

describe('LinkOrigins.of', () => {
  it.each([
    ['https://site.example', 'https://site.example'],
    ['http://site.example:8080', 'http://site.example:8080'],
    ['https://evil.example', 'https://public.example'],
    ['https://site.example@evil.example', 'https://public.example'],
    ['https://', 'https://public.example'],
    [null, 'https://public.example'],
  ])('for a request to %s is %s', async (origin, expected) => {
    expect(await origins.of({ origin })).toBe(expected);
  });
});
