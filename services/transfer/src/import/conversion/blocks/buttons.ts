import { removeElement } from 'domutils';
import type { ChildNode } from 'domhandler';
import type { SourceBlock } from '../block-tree.js';
import { classesOf, findElement, hasClass, named } from '../html/html-tree.js';
import { nameOf } from '../html/names.js';
import { textOfSpans, type Block } from '../portable-text.js';
import { textAttribute } from './attributes.js';
import type { BlockConverter } from './block-helpers.js';

/** A group of buttons, and in front of it what the source has beside its buttons. */
const convertButtons: BlockConverter = ({ parts, attributes }, helpers) => {
  const isButton = (part: string | SourceBlock): part is SourceBlock =>
    typeof part !== 'string' && part.name === 'core/button';
  const converted = parts.filter(isButton).flatMap((button) => helpers.convertInner(button));
  const buttons = converted.flatMap((block) =>
    block._type === 'buttons' ? (block['buttons'] as Block[]) : [],
  );
  const others = [
    ...converted.filter(({ _type }) => _type !== 'buttons'),
    ...helpers.convertParts(parts.filter((part) => !isButton(part))),
  ];
  const layout = attributes['layout'];
  const orientation = isObject(layout) ? layout['orientation'] : attributes['orientation'];
  if (buttons.length === 0) return others;
  return [...others, buttonsBlock(buttons, orientation === 'vertical' ? 'vertical' : 'horizontal')];
};

/** A group of buttons; those of other groups may be in it. */
export const buttonsBlock = (
  buttons: readonly Block[],
  layout: 'horizontal' | 'vertical' = 'horizontal',
): Block => ({
  _type: 'buttons',
  buttons: buttons.map(({ _type, _key: _, ...button }, index) => ({ _type, _key: `b${index}`, ...button })),
  layout,
});

/** A button outside of a group is a group of one. Its address is in the HTML. */
const convertButton: BlockConverter = (block, helpers) => {
  const { nodes, flow, finish } = helpers.parse();
  const link = findElement(nodes, named('a', 'button'));
  const { content, others } = flow.textOf(link?.children ?? []);
  const url = helpers.conversion.safeUrl(link?.attribs['href']);
  const style = styleOf(block, nodes);
  if (link) removeElement(link);
  const text = textOfSpans(content) || (link && nameOf(link)) || '';
  if (text !== '' || url !== undefined) {
    const button = { _type: 'button', text, ...(url === undefined ? {} : { url }), style };
    flow.push(buttonsBlock([button]));
  }
  flow.push(others);
  flow.walk(nodes);
  return finish();
};

function styleOf(block: SourceBlock, nodes: readonly ChildNode[]): 'default' | 'outline' | 'fill' {
  const outer = findElement(nodes, (element) => hasClass(element, 'wp-block-button'));
  const classes = [
    ...(textAttribute(block, 'className')?.split(/\s+/) ?? []),
    ...(outer ? classesOf(outer) : []),
  ];
  if (classes.includes('is-style-outline')) return 'outline';
  return classes.includes('is-style-fill') ? 'fill' : 'default';
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

/** Buttons (contract section 3.2). */
export const buttonBlocks: readonly (readonly [string, BlockConverter])[] = [
  ['core/buttons', convertButtons],
  ['core/button', convertButton],
];
