import { html, type Html } from '../html/html.js';

/** An error message, announced by screen readers at once. Scripts write theirs into the same element. */
export function problem(text?: string): Html {
  return html`<p class="note problem" role="alert" data-problem>${text}</p>`;
}

/** A confirmation of a completed action. */
export function notice(text: string): Html {
  return html`<p class="note done" role="status">${text}</p>`;
}

/** A text in place of a button that needs a script. */
export function withoutScript(text: string): Html {
  return html`<noscript><p class="note">${text}</p></noscript>`;
}
