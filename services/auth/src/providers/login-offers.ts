import { apiPrefix } from '@quire/http-server';
import type { LoginProvider } from '@quire/login-providers';
import type { LoginProviders } from './login-providers.js';

/** A login provider as a page offers it. */
export interface LoginOffer {
  id: string;
  label: string;
  /** Where a login begins; the form's field, `invite` and `redirect` go into its query. */
  href: string;
  /** The text field that a page asks for first; null for a button alone. */
  field: { name: string; label: string; placeholder: string | null } | null;
}

/** What the login page and the page of an invitation offer, in the order in which they show it. */
export function loginOffers(providers: LoginProviders): LoginOffer[] {
  return providers.offered.map(offerOf);
}

/** What the setup of a site offers instead of a passkey. */
export function setupOffers(providers: LoginProviders): LoginOffer[] {
  return providers.offered.filter(({ setup }) => setup).map(offerOf);
}

function offerOf({ id, label, form }: LoginProvider): LoginOffer {
  const field = form && {
    name: form.field.name,
    label: form.field.label,
    placeholder: form.field.placeholder ?? null,
  };
  return { id, label, href: `${apiPrefix}/auth/oauth/${id}`, field: field ?? null };
}
