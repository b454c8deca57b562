import { expect, it } from '@jest/globals';
import { accountStepPage, siteStepPage } from './setup-pages.js';

it('the first step offers the sample content of the seed', () => {
  const sample = { description: 'A <blog> with three posts' };
  expect(siteStepPage({ csrf: 'x', sample })).toContain('A &lt;blog&gt; with three posts');
  expect(siteStepPage({ csrf: 'x', sample: null })).not.toContain('includeContent');
});

it('the second step offers login providers beside the passkey', () => {
  const offer = { id: 'one', label: 'One', href: '/_cms/api/auth/oauth/one', field: null };
  expect(accountStepPage({ csrf: 'x', offers: [offer] })).toContain('Continue with One');
});
