import { isTag, type ChildNode, type Element } from 'domhandler';
import type { Block } from '../portable-text.js';
import { unlessText, type ElementConverter, type Flow } from './flow.js';
import { classesOf, findElement, isMedia, named, textOf } from './html-tree.js';
import { isSourceElement } from './source-elements.js';

/** A block of code: the text as it is, with tabs and line ends. What is no text follows it. */
function addPreformatted(element: Element, flow: Flow): void {
  const others: Block[] = [];
  const textOfNode = (node: ChildNode): string => {
    if (!isTag(node)) return textOf(node);
    if (node.name === 'br') return '\n';
    if (!isMedia(node) && !isSourceElement(node)) return node.children.map(textOfNode).join('');
    others.push(...flow.blocksOf([node]));
    return '';
  };
  // Parsers of HTML drop a line end right behind the start tag.
  const [first = '', ...texts] = element.children.map(textOfNode);
  const code = first.replace(/^\r?\n/, '') + texts.join('');
  const language = languageOf(element);
  if (code.trim() !== '') flow.push({ _type: 'code', code, ...(language === undefined ? {} : { language }) });
  flow.push(others);
}

function languageOf(element: Element): string | undefined {
  const code = element.name === 'code' ? undefined : findElement(element.children, named('code'));
  for (const each of [code, element]) {
    if (!each) continue;
    const byClass = classesOf(each).find((name) => /^lang(?:uage)?-./.test(name));
    const language = byClass?.replace(/^lang(?:uage)?-/, '') ?? each.attribs['lang'];
    if (language) return language;
  }
  return undefined;
}

/** Code and other preformatted text (contract sections 3.2 and 3.3). */
export const preformattedElements: readonly (readonly [string, ElementConverter])[] = [
  ['pre', unlessText(addPreformatted)],
  ['listing', unlessText(addPreformatted)],
];
