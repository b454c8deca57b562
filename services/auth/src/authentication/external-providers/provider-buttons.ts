import type { Context } from '@quire/context';
import { hiddenFields, html, pageHeaders, textField, type Html } from '@quire/ui';
import type { LoginOption } from './login-options.js';

/** Hidden fields of a provider's form. */
export interface ProviderFormFields {
  /** The token of the invitation to accept. */
  invite?: string | undefined;
  /** Path of this site to return to. */
  redirect?: string | undefined;
}

/**
 * Headers of a page that has a script and offers providers. Browsers block forms that are redirected to another origin
 * unless the policy allows it. A site on http is in development, where providers may use http too.
 */
export function providerPageHeaders(
  { origin }: Pick<Context, 'origin'>,
  offers: readonly LoginOption[],
): Record<string, string> {
  if (offers.length === 0) return pageHeaders({ runsScript: true });
  const forms = origin?.startsWith('http:') ? "'self' https: http:" : "'self' https:";
  return pageHeaders({ runsScript: true, forms });
}

/** @returns one form per provider, in the given order; undefined without providers. */
export function providerForms(
  offers: readonly LoginOption[],
  fields: ProviderFormFields = {},
): Html | undefined {
  return providerList(
    offers,
    ({ id, label, href, field }) =>
      html`<form action="${href}" data-offer="${id}">
        ${hiddenFields({ ...fields })}
        ${field ? providerField(field, { id: providerFieldName(id, field.name), isRequired: true }) : undefined}
        <button>Continue with ${label}</button>
      </form>`,
  );
}

/**
 * @returns the providers as buttons of a larger form, which submits `provider` and the provider's own field by its own
 * name; undefined without providers.
 */
export function providerButtons(
  offers: readonly LoginOption[],
  values: Readonly<Record<string, string>> = {},
): Html | undefined {
  return providerList(offers, ({ id, label, field }) => {
    const name = providerFieldName(id, field?.name ?? '');
    return html`<div data-offer="${id}">
      ${field ? providerField({ ...field, name }, { value: values[name] }) : undefined}
      <button name="provider" value="${id}" formnovalidate>Continue with ${label}</button>
    </div>`;
  });
}

/** @returns the name of a provider's own field in a form of several providers. */
export function providerFieldName(id: string, field: string): string {
  return `${id}.${field}`;
}

function providerList(offers: readonly LoginOption[], show: (offer: LoginOption) => Html): Html | undefined {
  if (offers.length === 0) return undefined;
  return html`<p class="or"><span>or</span></p>
    <div class="offers">${offers.map(show)}</div>`;
}

function providerField(
  { name, label, placeholder }: NonNullable<LoginOption['field']>,
  more: { id?: string; isRequired?: boolean; value?: string | undefined },
): Html {
  return textField({ name, label, ...(placeholder === null ? {} : { placeholder }), ...more });
}
