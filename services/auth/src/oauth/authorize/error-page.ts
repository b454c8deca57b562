import type { QuireError } from '@quire/errors';
import type { Refusal } from '@quire/operation';
import { html } from './html.js';
import { page, pageHeaders } from './page.js';

/** A failure that is told to the user, because there is nobody safe to send him to. */
export function errorPage({ status, message, retryAfterSeconds }: QuireError): Refusal {
  return {
    status,
    body: page('This request cannot be answered', html`<p>${message}</p>`),
    headers: {
      ...pageHeaders(),
      ...(retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) }),
    },
  };
}
