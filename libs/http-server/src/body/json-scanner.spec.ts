import { describe, expect, it } from '@jest/globals';
import { JsonScanner, maxJsonDepth, maxJsonValues } from './json-scanner.js';

/** Scans a text in chunks of some bytes, as a connection delivers it. */
function scan(text: string, pieceBytes = 7): void {
  const scanner = new JsonScanner();
  const bytes = Buffer.from(text);
  for (let start = 0; start < bytes.length; start += pieceBytes)
    scanner.scan(bytes.subarray(start, start + pieceBytes));
}
const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);

describe('JsonScanner.scan', () => {
  it('accepts the maximum nesting at any place', () => {
    expect(() => scan(nested(maxJsonDepth))).not.toThrow();
    expect(() => scan(`{"a":${nested(maxJsonDepth - 1)},"b":${nested(maxJsonDepth - 1)}}`)).not.toThrow();
  });

  it('throws at the first bracket that is too deep, without the rest of the text', () => {
    const scanner = new JsonScanner();
    expect(() => scanner.scan(Buffer.from('['.repeat(maxJsonDepth)))).not.toThrow();
    expect(() => scanner.scan(Buffer.from('{'))).toThrow(`nested deeper than ${maxJsonDepth} levels`);
  });

  it.each([
    ['brackets in a text', `"${'['.repeat(200)}"`],
    ['a quote that is escaped', `"\\"${'['.repeat(200)}"`],
    ['a backslash that is escaped', `["\\\\",${nested(50)},"${'{'.repeat(200)}"]`],
    ['characters of several bytes', `"ä€😀${'['.repeat(200)}"`],
  ])('does not count %s', (_, text) => {
    expect(() => JSON.parse(text) as unknown).not.toThrow();
    for (const pieceBytes of [1, 2, 3, 1000]) expect(() => scan(text, pieceBytes)).not.toThrow();
  });

  it('throws for too many values', () => {
    const list = (count: number) => `[${'1,'.repeat(count - 1)}1]`;
    // The list itself counts as one.
    expect(() => scan(list(maxJsonValues - 1), 65_536)).not.toThrow();
    expect(() => scan(list(maxJsonValues), 65_536)).toThrow(`more than ${maxJsonValues} values`);
    expect(() => scan(`[${'{},'.repeat(maxJsonValues)}1]`, 65_536)).toThrow('values');
  });
});
