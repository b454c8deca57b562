import { describe, expect, it } from '@jest/globals';
import type { LoginOffer } from '../../providers/index.js';
import { offerList } from './offer-list.js';

const button: LoginOffer = { id: 'one', label: 'One', href: '/_cms/api/auth/oauth/one', field: null };
const handle: LoginOffer = {
  id: 'two',
  label: 'Two <&>',
  href: '/_cms/api/auth/two"',
  field: { name: 'handle', label: 'Handle', placeholder: 'you.example' },
};

describe('the login providers on a page', () => {
  it('are nothing where there are none', () => {
    expect(offerList([])).toBeUndefined();
  });

  it('stand in the order in which they are given, with the field that they want, and escaped', () => {
    const text = offerList([button, handle])?.text ?? '';
    expect([...text.matchAll(/<form action="([^"]*)"/g)].map(([, action]) => action)).toEqual([
      '/_cms/api/auth/oauth/one',
      '/_cms/api/auth/two&quot;',
    ]);
    expect(text).toContain('Continue with Two &lt;&amp;&gt;');
    expect(text.match(/<label for="handle"/g)).toHaveLength(1);
    expect(text).toMatch(/placeholder="you\.example"/);
  });

  it('are told of the invitation that is to be accepted', () => {
    expect(offerList([button], 'secret')?.text).toContain('name="invite" value="secret"');
    expect(offerList([button])?.text).not.toContain('invite');
  });
});
