import { mark as shape } from '@quire/theme';
import { html } from '../html/html.js';

/** Quire's mark: an open book. */
export const mark = html`<svg
  class="mark"
  viewBox="${shape.viewBox}"
  width="${String(shape.size)}"
  height="${String(shape.size)}"
  aria-hidden="true"
>
  <rect
    width="${String(shape.size)}"
    height="${String(shape.size)}"
    rx="${String(shape.cornerRadius)}"
    class="mark-ground"
  />
  <path class="mark-lines" d="${shape.lines}" />
</svg>`;
