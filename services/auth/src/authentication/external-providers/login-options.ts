import { apiPrefix } from '@quire/http-server';
import type { LoginProvider } from '@quire/login-providers';
import type { LoginProviders } from './login-providers.js';

/** A login provider as a page offers it. */
export interface LoginOption {
  id: string;
  label: string;
  /** Where a login begins; the form's field, `invite` and `redirect` go into its query. */
  href: string;
  /** The text field that a page asks for first; null for a button alone. */
  field: { name: string; label: string; placeholder: string | null } | null;
}

/** What the login page and the page of an invitation offer, in the order in which they show it. */
export function loginOptions(providers: LoginProviders): LoginOption[] {
  return providers.offered.map(toLoginOption);
}

/** What the setup of a site offers instead of a passkey. */
export function setupOptions(providers: LoginProviders): LoginOption[] {
  return providers.offered.filter(({ setup }) => setup).map(toLoginOption);
}

function toLoginOption({ id, label, form }: LoginProvider): LoginOption {
  const field = form && {
    name: form.field.name,
    label: form.field.label,
    placeholder: form.field.placeholder ?? null,
  };
  return { id, label, href: `${apiPrefix}/auth/oauth/${id}`, field: field ?? null };
}
