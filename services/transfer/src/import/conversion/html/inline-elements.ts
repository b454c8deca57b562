import type { Element } from 'domhandler';
import type { ElementConverter, Flow } from './flow.js';

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
  if (href === undefined) flow.walk(element.children);
  else flow.walkMarked(element, { href, blank: element.attribs['target']?.toLowerCase() === '_blank' });
}

/** Elements inside a text (contract section 3.1). Others, such as `span`, have no effect on their content. */
export const inlineElements: readonly (readonly [string, ElementConverter])[] = [
  ...Object.entries(decorators).map(
    ([name, mark]) => [name, (element: Element, flow: Flow) => flow.walkMarked(element, mark)] as const,
  ),
  ['a', addLink],
  ['br', (_, flow) => flow.text.addBreak(flow.marks)],
];
