import { removeElement } from 'domutils';
import { findElement, hasClass, named } from '../html/html-tree.js';
import { textWithAddresses, type Block } from '../portable-text.js';
import type { BlockConverter } from './block-helpers.js';

const content: BlockConverter = (_, helpers) => helpers.content();

const convertHeading: BlockConverter = ({ attributes: { level } }, helpers) => {
  const isLevel = typeof level === 'number' && Number.isInteger(level) && level >= 1 && level <= 6;
  const style = `h${isLevel ? level : 2}`;
  return helpers.content({ style, headingStyle: style });
};

/** The paragraphs of a quote are inner blocks, or in its HTML. */
const convertQuote: BlockConverter = (_, helpers) =>
  helpers.content({ style: 'blockquote', list: undefined });

const convertPullquote: BlockConverter = (_, helpers) => {
  const { nodes, flow, finish } = helpers.parse();
  const quote = findElement(nodes, named('blockquote'));
  const cite = quote && findElement(quote.children, named('cite'));
  if (cite) removeElement(cite);
  const text = flow.textOf(quote?.children ?? []);
  const citation = flow.textOf(cite?.children ?? []);
  const isEmpty = text.content.children.length + citation.content.children.length === 0;
  if (!isEmpty) {
    const source = textWithAddresses(citation.content);
    flow.push({
      _type: 'pullquote',
      text: textWithAddresses(text.content),
      ...(source === '' ? {} : { citation: source }),
    });
  }
  flow.push(text.others);
  flow.push(citation.others);
  // What is around the quote.
  if (quote) removeElement(quote);
  flow.walk(nodes);
  return finish();
};

/** Code in a language that the attributes name, if any; the language of verse is plain text. */
const convertCode =
  (defaultLanguage?: string): BlockConverter =>
  ({ attributes }, helpers) => {
    const named = typeof attributes['language'] === 'string' ? attributes['language'] : '';
    const language = named === '' ? defaultLanguage : named;
    return helpers
      .content()
      .map((block): Block => (block._type === 'code' && language ? { ...block, language } : block));
  };

/** The sign of the button that opens an item is no text. */
const convertAccordionHeading: BlockConverter = (_, helpers) => {
  const { nodes, flow, finish } = helpers.parse();
  const icon = findElement(nodes, (element) => hasClass(element, 'wp-block-accordion-heading__toggle-icon'));
  if (icon) removeElement(icon);
  flow.walk(nodes);
  return finish();
};

/** Blocks of text, and those whose content takes their place (contract section 3.2). */
export const textBlocks: readonly (readonly [string, BlockConverter])[] = [
  ...['paragraph', 'subhead', 'list', 'list-item', 'table', 'group', 'row', 'stack', 'details'].map(
    (name) => [`core/${name}`, content] as const,
  ),
  ...['accordion', 'accordion-item', 'accordion-panel', 'column'].map(
    (name) => [`core/${name}`, content] as const,
  ),
  ['core/heading', convertHeading],
  ['core/quote', convertQuote],
  ['core/pullquote', convertPullquote],
  ['core/code', convertCode()],
  ['core/preformatted', convertCode()],
  ['core/verse', convertCode('text')],
  ['core/accordion-heading', convertAccordionHeading],
];
