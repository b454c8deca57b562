import type { Element } from 'domhandler';
import { htmlBlock } from '../portable-text.js';
import type { ElementConverter, Flow } from './flow.js';

/** Elements whose content is no text of the page, or has another meaning as text: their source stays. */
const sourceNames = [
  ...['applet', 'area', 'canvas', 'datalist', 'form', 'frameset', 'map', 'math', 'noembed', 'noframes'],
  ...['plaintext', 'script', 'select', 'style', 'svg', 'template', 'textarea', 'title', 'xmp'],
];

const names = new Set(sourceNames);

/** Whether an element is kept as its source, whatever is in it. */
export const isSourceElement = ({ name }: Element): boolean => names.has(name);

const addSource: ElementConverter = (element, flow) => flow.push(htmlBlock(flow.sourceOf(element)));

/** Types of inputs without a text that a reader sees. */
const textlessInputs = new Set(['checkbox', 'color', 'file', 'hidden', 'password', 'radio', 'range']);

/** An input outside of a form: one that shows no text, such as the box of a task, is left out. */
function addInput(element: Element, flow: Flow): void {
  const { type = 'text', value, placeholder, alt } = element.attribs;
  const shown = [value, placeholder, alt].some((text) => text !== undefined && text.trim() !== '');
  if (shown && !textlessInputs.has(type.toLowerCase())) addSource(element, flow);
}

/** Scripts, styles, drawings, formulas and forms (contract section 3.3). */
export const sourceElements: readonly (readonly [string, ElementConverter])[] = [
  ...sourceNames.map((name) => [name, addSource] as const),
  ['input', addInput],
];
