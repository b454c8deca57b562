import type { Context } from '@quire/context';
import { hiddenFields, html, pageHeaders, textField, type Html } from '@quire/ui';
import type { LoginOption } from './login-options.js';

/** What goes along with whoever chooses a provider. */
export interface ProviderFormFields {
  /** The secret of an invitation that is to be accepted. */
  invite?: string | undefined;
  /** Path of this site to come to afterwards. */
  redirect?: string | undefined;
}

/**
 * Headers of a page that has a script and offers providers: browsers stop forms whose answers lead elsewhere, unless
 * the page allows it. A site that is reached over http is a developer's, whose providers may be as well.
 */
export function providerPageHeaders(
  { origin }: Pick<Context, 'origin'>,
  offers: readonly LoginOption[],
): Record<string, string> {
  if (offers.length === 0) return pageHeaders({ runsScript: true });
  const forms = origin?.startsWith('http:') ? "'self' https: http:" : "'self' https:";
  return pageHeaders({ runsScript: true, forms });
}

/** The providers, in the order in which they are given. */
export function providerForms(
  offers: readonly LoginOption[],
  along: ProviderFormFields = {},
): Html | undefined {
  return among(
    offers,
    ({ id, label, href, field }) =>
      html`<form action="${href}" data-offer="${id}">
        ${hiddenFields({ ...along })}
        ${field ? providerField(field, { id: providerFieldName(id, field.name), isRequired: true }) : undefined}
        <button>Continue with ${label}</button>
      </form>`,
  );
}

/**
 * The same as buttons of a form that asks for more: it is sent with `provider`, and the field of each by its own name.
 */
export function providerButtons(
  offers: readonly LoginOption[],
  typed: Readonly<Record<string, string>> = {},
): Html | undefined {
  return among(offers, ({ id, label, field }) => {
    const name = providerFieldName(id, field?.name ?? '');
    return html`<div data-offer="${id}">
      ${field ? providerField({ ...field, name }, { value: typed[name] }) : undefined}
      <button name="provider" value="${id}" formnovalidate>Continue with ${label}</button>
    </div>`;
  });
}

/** Name of a provider's field among those of others. */
export function providerFieldName(id: string, field: string): string {
  return `${id}.${field}`;
}

function among(offers: readonly LoginOption[], show: (offer: LoginOption) => Html): Html | undefined {
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
