import { html, type Html } from '@quire/http-server';
import { hiddenFields, textField } from '../../html/index.js';

/** A login provider, as a page offers it. */
export interface LoginOffer {
  id: string;
  label: string;
  /** Where its login begins: a path of this site. */
  href: string;
  /** What it wants to be told first; null for those that need nothing. */
  field: { name: string; label: string; placeholder: string } | null;
}

/**
 * The providers, in the order in which they are given.
 * @param invite the secret of an invitation that is to be accepted with one of them
 */
export function loginOffers(offers: readonly LoginOffer[], invite?: string): Html | undefined {
  if (offers.length === 0) return undefined;
  return html`<p class="or"><span>or</span></p>
    <div class="offers">${offers.map((offer) => offerForm(offer, invite))}</div>`;
}

function offerForm({ id, label, href, field }: LoginOffer, invite: string | undefined): Html {
  return html`<form action="${href}" data-offer="${id}">
    ${hiddenFields({ invite })} ${field ? textField({ ...field, isRequired: true }) : undefined}
    <button>Continue with ${label}</button>
  </form>`;
}
