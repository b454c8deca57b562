import type { Context } from '@quire/context';
import { apiPrefix } from '@quire/http-server';
import type { LoginProvider } from '@quire/login-providers';
import type { LoginProviders } from './login-providers.js';

/** A login provider on a page. */
export interface LoginOption {
  id: string;
  label: string;
  /** The path that starts a login; its query takes the form's field, `invite` and `redirect`. */
  href: string;
  /** The text field of the provider's form; null for a button without a field. */
  field: { name: string; label: string; placeholder: string | null } | null;
}

/** @returns the options of the login page and of the invitation page, in display order. */
export function loginOptions(ctx: Context, providers: LoginProviders): LoginOption[] {
  return providers.offered(ctx).map(toLoginOption);
}

/** @returns the options of the setup, as alternatives to a passkey. */
export function setupOptions(ctx: Context, providers: LoginProviders): LoginOption[] {
  return providers
    .offered(ctx)
    .filter(({ setup }) => setup)
    .map(toLoginOption);
}

function toLoginOption({ id, label, form }: LoginProvider): LoginOption {
  const field = form && {
    name: form.field.name,
    label: form.field.label,
    placeholder: form.field.placeholder ?? null,
  };
  return { id, label, href: `${apiPrefix}/auth/oauth/${id}`, field: field ?? null };
}
