import { html, type Html } from '../html/html.js';

/** An error message, which screen readers announce immediately. Scripts write their errors into the same element. */
export function problem(text?: string): Html {
  return html`<p class="note problem" role="alert" data-problem>${text}</p>`;
}

/** A confirmation of a completed action. */
export function notice(text: string): Html {
  return html`<p class="note done" role="status">${text}</p>`;
}

/** A text that replaces a button when scripts are disabled. */
export function withoutScript(text: string): Html {
  return html`<noscript><p class="note">${text}</p></noscript>`;
}
