import type { Element } from 'domhandler';
import { htmlBlock } from '../portable-text.js';
import type { ElementConverter, Flow } from './flow.js';
import { findElement, named } from './html-tree.js';
import { isLabel, nameOf } from './names.js';

const decorators: Readonly<Record<string, string>> = {
  strong: 'strong',
  b: 'strong',
  em: 'em',
  i: 'em',
  u: 'underline',
  s: 'strike-through',
  del: 'strike-through',
  strike: 'strike-through',
  code: 'code',
  sup: 'superscript',
  sub: 'subscript',
};

function addLink(element: Element, flow: Flow): void {
  const href = flow.conversion.safeUrl(element.attribs['href']);
  if (href === undefined) {
    flow.walk(element.children);
    return;
  }
  const link = { href, blank: element.attribs['target']?.toLowerCase() === '_blank' };
  const isInLink = flow.marks.some((mark) => typeof mark !== 'string');
  const hasLabel = isInLink || isLabel(element.children);
  // A link around a drawing only: neither a text nor an image can have it.
  if (!hasLabel && findElement(element.children, named('svg'))) {
    flow.push(htmlBlock(flow.sourceOf(element)));
    return;
  }
  flow.walkMarked(element, link);
  if (!hasLabel) flow.text.add(nameOf(element) ?? '', [...flow.marks, link]);
}

/** Elements inside a text (contract section 3.1). Others, such as `span`, have no effect on their content. */
export const inlineElements: readonly (readonly [string, ElementConverter])[] = [
  ...Object.entries(decorators).map(
    ([name, mark]) => [name, (element: Element, flow: Flow) => flow.walkMarked(element, mark)] as const,
  ),
  ['a', addLink],
  ['br', (_, flow) => flow.text.addBreak(flow.marks)],
];
