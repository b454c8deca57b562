import { describe, expect, it } from '@jest/globals';
import type { LoginOffer } from '../../providers/index.js';
import { offerButtons, offerList } from './offer-list.js';

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
    expect(text.match(/<label for="two\.handle"/g)).toHaveLength(1);
    expect(text).toMatch(/placeholder="you\.example"/);
  });

  it('are told of the invitation that is to be accepted, and of where one is going', () => {
    const text = offerList([button], { invite: 'secret', redirect: '/a"b' })?.text ?? '';
    expect(text).toContain('name="invite" value="secret"');
    expect(text).toContain('name="redirect" value="/a&quot;b"');
    expect(offerList([button])?.text).not.toContain('type="hidden"');
  });

  it('are buttons of a form that asks for more, and keep what was typed into their fields', () => {
    const text = offerButtons([button, handle], { 'two.handle': 'ann' })?.text ?? '';
    expect(text).toMatch(/<button name="provider" value="one" formnovalidate/);
    expect(text).toMatch(/name="two\.handle"\s+type="text"\s+value="ann"/);
    expect(offerButtons([])).toBeUndefined();
  });
});
