import { isTag, isText, type ChildNode, type Element } from 'domhandler';
import { findElement, isMedia } from './html-tree.js';
import { isSourceElement } from './source-elements.js';

/** Whether nodes have a text or media that a reader sees. Drawings and scripts are neither. */
export function isLabel(nodes: readonly ChildNode[]): boolean {
  return nodes.some((node) => {
    if (isText(node)) return node.data.trim() !== '';
    if (!isTag(node) || isSourceElement(node)) return false;
    return isMedia(node) || node.name === 'input' || isLabel(node.children);
  });
}

/**
 * The name of a link or button that shows nothing, such as an icon of a style sheet: the `aria-label` or `title` of the
 * element, or of the first one in it that has such an attribute.
 */
export function nameOf(element: Element): string | undefined {
  const named = findElement([element], (each) => attributeName(each) !== undefined);
  return named && attributeName(named);
}

const attributeName = ({ attribs }: Element): string | undefined =>
  [attribs['aria-label'], attribs['title']].find((name) => name !== undefined && name.trim() !== '');
