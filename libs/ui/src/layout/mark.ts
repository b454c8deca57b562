import { html } from '../html/html.js';

/** Quire's mark: an open book. */
export const mark = html`<svg class="mark" viewBox="0 0 32 32" width="32" height="32" aria-hidden="true">
  <rect width="32" height="32" rx="8" class="mark-ground" />
  <path
    class="mark-lines"
    d="M16 10.5C13.6 8.8 10.6 8 7 8v13.5c3.6 0 6.6.8 9 2.5 2.4-1.7 5.4-2.5 9-2.5V8c-3.6 0-6.6.8-9 2.5Zm0 0V24M10.5 12.6c1.2.2 2.2.5 3 .9m-3 3.3c1.2.2 2.2.5 3 .9"
  />
</svg>`;
