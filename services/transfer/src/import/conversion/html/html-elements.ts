import type { ElementConverter } from './flow.js';
import { inlineElements } from './inline-elements.js';
import { mediaElements } from './media-elements.js';
import { preformattedElements } from './preformatted-elements.js';
import { sourceElements } from './source-elements.js';
import { textElements } from './text-elements.js';

/** The converters of all elements that have one, by the name of the element. */
export const htmlElements: ReadonlyMap<string, ElementConverter> = new Map([
  ...inlineElements,
  ...textElements,
  ...mediaElements,
  ...preformattedElements,
  ...sourceElements,
]);
