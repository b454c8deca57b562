import { html, type Html } from '@quire/http-server';
import { hiddenFields, textField } from '../../html/index.js';
import type { LoginOffer } from '../../providers/index.js';

/**
 * The providers, in the order in which they are given.
 * @param invite the secret of an invitation that is to be accepted with one of them
 */
export function offerList(offers: readonly LoginOffer[], invite?: string): Html | undefined {
  if (offers.length === 0) return undefined;
  return html`<p class="or"><span>or</span></p>
    <div class="offers">${offers.map((offer) => offerForm(offer, invite))}</div>`;
}

function offerForm({ id, label, href, field }: LoginOffer, invite: string | undefined): Html {
  return html`<form action="${href}" data-offer="${id}">
    ${hiddenFields({ invite })}
    ${field ? textField({ ...field, placeholder: field.placeholder ?? undefined, isRequired: true }) : undefined}
    <button>Continue with ${label}</button>
  </form>`;
}
