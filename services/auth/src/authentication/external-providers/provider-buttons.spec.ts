import { describe, expect, it } from '@jest/globals';
import type { LoginOption } from './login-options.js';
import { providerButtons, providerForms } from './provider-buttons.js';

const button: LoginOption = { id: 'one', label: 'One', href: '/_cms/api/auth/oauth/one', field: null };
const handle: LoginOption = {
  id: 'two',
  label: 'Two <&>',
  href: '/_cms/api/auth/two"',
  field: { name: 'handle', label: 'Handle', placeholder: 'you.example' },
};

describe('the login providers on a page', () => {
  it('renders nothing without providers', () => {
    expect(providerForms([])).toBeUndefined();
  });

  it('renders the providers in order, with their field, escaped', () => {
    const text = providerForms([button, handle])?.text ?? '';
    expect([...text.matchAll(/<form action="([^"]*)"/g)].map(([, action]) => action)).toEqual([
      '/_cms/api/auth/oauth/one',
      '/_cms/api/auth/two&quot;',
    ]);
    expect(text).toContain('Continue with Two &lt;&amp;&gt;');
    expect(text.match(/<label for="two\.handle"/g)).toHaveLength(1);
    expect(text).toMatch(/placeholder="you\.example"/);
  });

  it('passes the invitation and the redirect path on', () => {
    const text = providerForms([button], { invite: 'secret', redirect: '/a"b' })?.text ?? '';
    expect(text).toContain('name="invite" value="secret"');
    expect(text).toContain('name="redirect" value="/a&quot;b"');
    expect(providerForms([button])?.text).not.toContain('type="hidden"');
  });

  it('renders buttons within a form and keeps entered values', () => {
    const text = providerButtons([button, handle], { 'two.handle': 'ann' })?.text ?? '';
    expect(text).toMatch(/<button name="provider" value="one" formnovalidate/);
    expect(text).toMatch(/name="two\.handle"\s+type="text"\s+value="ann"/);
    expect(providerButtons([])).toBeUndefined();
  });
});
