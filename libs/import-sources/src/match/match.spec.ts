import { describe, expect, it } from '@jest/globals';
import { matchSchema, type Match } from './match.js';
import { plainText } from './plain-text.js';

const match: Match = {
  sourceId: 'feed',
  confidence: 'likely',
  detected: { platform: 'feed', siteTitle: 'Title', siteUrl: 'https://site.example' },
  capabilities: {
    publicContent: true,
    privateContent: false,
    customPostTypes: false,
    allMeta: false,
    mediaStream: false,
  },
  suggestedAction: { type: 'proceed' },
};

describe('plainText', () => {
  it.each([
    ['Tom &amp; Jerry &#8211; caf&eacute;', 'Tom & Jerry – café'],
    ['<b>Bold</b> <img src=x onerror=alert(1)>title', 'Bold title'],
    ['<script>alert(1)</script>Title', 'Title'],
    ['&lt;script&gt;alert(1)&lt;/script&gt;Title', 'Title'],
    ['one\u0000two\u001b[31m\nthree\u202e', 'one two [31m three'],
    ['a \ud800 b', 'a b'],
    ['1 < 2', '1 < 2'],
    ['日本語 😀', '日本語 😀'],
  ])('turns %j into %j', (html, text) => {
    expect(plainText(html, 100)).toBe(text);
  });

  it('cuts at whole characters', () => {
    expect(plainText('😀'.repeat(300), 200)).toBe(`${'😀'.repeat(199)}…`);
    expect(plainText('x'.repeat(200), 200)).toBe('x'.repeat(200));
  });
});

describe('matchSchema', () => {
  it('returns a valid match without unknown keys', () => {
    expect(matchSchema.parse({ ...match, extra: 1 })).toEqual(match);
  });

  it('adds the capabilities that the match does not name', () => {
    expect(matchSchema.parse({ ...match, capabilities: { publicContent: true } })).toEqual(match);
  });

  it('cleans texts of the site', () => {
    const detected = { ...match.detected, siteTitle: '<i>A</i>\u0007 &amp; B' };
    expect(matchSchema.parse({ ...match, detected }).detected.siteTitle).toBe('A & B');
  });

  it.each(['javascript:alert(1)', 'site.example', `https://site.example/${'x'.repeat(3000)}`])(
    'leaves out the address %.40s',
    (siteUrl) => {
      const parsed = matchSchema.parse({ ...match, detected: { ...match.detected, siteUrl } });
      expect(parsed.detected.siteUrl).toBeUndefined();
    },
  );

  it.each<[string, object]>([
    ['an unknown confidence', { confidence: 'certain' }],
    ['a capability that is no truth value', { capabilities: { publicContent: 'yes' } }],
    ['an unknown action', { suggestedAction: { type: 'install-plugin', instructions: 'x' } }],
    [
      'an action with an unsafe address',
      { suggestedAction: { type: 'oauth', url: 'javascript:x', provider: 'p' } },
    ],
    ['a negative number', { preview: { posts: -1 } }],
  ])('rejects %s', (_, change) => {
    expect(matchSchema.safeParse({ ...match, ...change }).success).toBe(false);
  });
});
