import { convertContent } from '../convert-content.js';
import type { ConversionContext, ConversionWarning } from '../conversion-context.js';
import type { Block } from '../portable-text.js';

/** The context of a body that refers to nothing. */
export const emptyContext: ConversionContext = {
  sectionSlug: () => undefined,
  attachment: () => undefined,
  childAttachments: () => [],
};

/** The blocks of a body without the keys of positions; links keep theirs, which marks name. */
export function convert(source: string, context: Partial<ConversionContext> = {}): Block[] {
  return withoutKeys(convertContent(source, { ...emptyContext, ...context }).blocks) as Block[];
}

export function warningsOf(source: string, context: Partial<ConversionContext> = {}): ConversionWarning[] {
  return convertContent(source, { ...emptyContext, ...context }).warnings;
}

/** A copy of a value without `_key`, except those of link definitions. */
export function withoutKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutKeys);
  if (typeof value !== 'object' || value === null) return value;
  const isLink = '_type' in value && value._type === 'link';
  const entries = Object.entries(value).filter(([name]) => isLink || name !== '_key');
  return Object.fromEntries(entries.map(([name, each]) => [name, withoutKeys(each)]));
}

/** A span; a string is one without marks. */
export const span = (text: string, ...marks: string[]): object => ({ _type: 'span', text, marks });

type Spans = readonly (string | object)[];

const spansOf = (spans: Spans): object[] =>
  spans.map((each) => (typeof each === 'string' ? span(each) : each));

export const text = (style: string, ...spans: Spans): object => ({
  _type: 'block',
  style,
  children: spansOf(spans),
  markDefs: [],
});

export const paragraph = (...spans: Spans): object => text('normal', ...spans);

/** A text with links, whose keys are `l0`, `l1` and so on. */
export const linked = (links: readonly object[], ...spans: Spans): object => ({
  ...paragraph(...spans),
  markDefs: links.map((link, index) => ({ _type: 'link', _key: `l${index}`, ...link })),
});

export const item = (listItem: 'bullet' | 'number', level: number, ...spans: Spans): object => ({
  ...paragraph(...spans),
  listItem,
  level,
});

export const image = (ref: string, url: string, properties: object = {}): object => ({
  _type: 'image',
  asset: { _type: 'reference', _ref: ref, url },
  ...properties,
});

export const readMore = { _type: 'break', style: 'readMore' };
export const pageBreak = { _type: 'break', style: 'pageBreak' };
export const rule = { _type: 'break', style: 'lineBreak' };

/** The markup of a block of the source. */
export const block = (name: string, html: string, attributes?: object): string => {
  const json = attributes ? ` ${JSON.stringify(attributes).replaceAll('--', '\\u002d\\u002d')}` : '';
  return `<!-- wp:${name}${json} -->\n${html}\n<!-- /wp:${name} -->`;
};
