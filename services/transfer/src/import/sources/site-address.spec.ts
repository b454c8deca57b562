import { describe, expect, it } from '@jest/globals';
import { normaliseSiteAddress } from './site-address.js';

describe('normaliseSiteAddress (sheet import-and-fields, 1.1)', () => {
  it.each([
    ['https://blog.example', 'https://blog.example'],
    ['  blog.example \n', 'https://blog.example'],
    ['HTTP://Blog.Example:80/', 'http://blog.example'],
    ['blog.example:8443/en//', 'https://blog.example:8443/en'],
    ['https://blog.example/wp-json', 'https://blog.example'],
    ['https://blog.example/wp-json/', 'https://blog.example'],
    ['https://blog.example/en/wp-json/wp/v2/posts', 'https://blog.example/en'],
    ['https://blog.example/?rest_route=/#top', 'https://blog.example'],
    ['https://blog.example/wp-jsonx', 'https://blog.example/wp-jsonx'],
    ['bücher.example', 'https://xn--bcher-kva.example'],
    ['localhost:3000', 'https://localhost:3000'],
    ['127.1', 'https://127.0.0.1'],
    ['[::1]', 'https://[::1]'],
    ['http://intranet', 'http://intranet'],
  ])('turns %j into %s', (text, address) => {
    expect(normaliseSiteAddress(text)).toBe(address);
  });

  it.each([
    '',
    '   ',
    'https://',
    'not a url',
    'not-a-url',
    'javascript:alert(1)',
    'ftp://blog.example',
    'file:///etc/passwd',
    'mailto:ann@blog.example',
    'https://ann:secret@blog.example',
    'ann@blog.example',
    'https://blog.example\\@inside.example',
    'https://blog.exa\u0000mple',
    'https://blog.example:99999',
    'https://[::1',
  ])('rejects %j', (text) => {
    expect(normaliseSiteAddress(text)).toBeUndefined();
  });
});
