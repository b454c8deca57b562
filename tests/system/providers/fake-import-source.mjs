/** Import sources that recognise sites by the last part of the address, without a request. */
const source = (id, probe) => ({
  id,
  name: id,
  description: 'Recognises addresses of tests.',
  icon: 'plug',
  probe,
  analyze: () => Promise.reject(new Error('not used')),
  fetchContent: () => {
    throw new Error('not used');
  },
});

const capabilities = {
  publicContent: true,
  privateContent: false,
  customPostTypes: false,
  allMeta: false,
  mediaStream: false,
};
const titles = { hostile: '<script>alert(1)</script><b>Fish</b> &amp; chips\u0007', broken: 'Broken' };

/** Sources in this order: a likely, a definite and another definite match; the last one fails for `/broken`. */
export const fakeImportSources = ['likely', 'definite', 'definite'].map((confidence, index) =>
  source(`test-${index}`, async (url, { origin }) => {
    const siteTitle = titles[new URL(url).pathname.slice(1)];
    if (siteTitle === undefined) return null;
    if (siteTitle === titles.broken && index === 2) throw new Error('secret-of-the-source');
    const detected = { platform: 'test', siteTitle, siteUrl: 'javascript:alert(1)' };
    const suggestedAction = { type: 'oauth', url: `${origin}/oauth`, provider: 'test' };
    return { sourceId: 'legacy-rest', confidence, detected, capabilities, suggestedAction };
  }),
);
